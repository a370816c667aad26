//! Sources compiled separately and linked, and damaged objects.

use sluice_frontend::envelope::Damage;
use sluice_frontend::{
    Code, Compiled, Error, Object, Options, Source, compile, compile_object, link, link_objects,
    preprocess,
};

fn object(name: &str, text: &str) -> Object {
    compile_object(&Source::from_text(name, text), &[], &Options::default())
        .unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn linked(objects: &[&Object]) -> Result<Compiled, Error> {
    link(objects, &Options::default())
}

fn names(compiled: &Compiled) -> Vec<&str> {
    let kernels = compiled.kernels.iter();
    kernels.map(|kernel| kernel.name.as_str()).collect()
}

fn header(name: &str, text: &str) -> (String, String) {
    (name.to_owned(), text.to_owned())
}

const TWICE: &str = "int twice(int x) { return 2 * x; }\nkernel void second(global int *x) { x[0] = twice(x[1]); }\n";
const USER: &str = "int twice(int x);\n\
    kernel void z(global int *x) { x[0] = twice(x[1]); }\n\
    kernel void a(global int *x) { x[0] = twice(x[2]) + 1; }\n";

/// The kernels without where they come from.
fn bodies(compiled: Compiled) -> Vec<String> {
    let text = |kernel: sluice_kernel::Kernel| {
        let text = kernel.to_string();
        let lines = text.lines().filter(|line| !line.contains("file"));
        let code = lines.map(|line| line.split(" !").next().unwrap_or(line).to_owned() + "\n");
        code.collect::<String>()
    };
    compiled.kernels.into_iter().map(text).collect()
}

#[test]
fn linked_objects_are_the_program_that_they_are_parts_of() {
    let (user, twice) = (object("user.cl", USER), object("twice.cl", TWICE));
    let parts = linked(&[&user, &twice]).expect("they fit");
    assert_eq!(names(&parts), ["z", "a", "second"]);
    let whole = Source::from_text("whole.cl", format!("{USER}{TWICE}"));
    let whole = compile(&whole, &Options::default()).expect("it compiles");
    assert_eq!(bodies(parts), bodies(whole));
}

#[test]
fn kernels_keep_their_order_through_a_library() {
    let (user, twice) = (object("user.cl", USER), object("twice.cl", TWICE));
    let library = link_objects(&[&user, &twice]).expect("they fit");
    assert_eq!(library.kernels(), ["z", "a", "second"]);
    let program = linked(&[&library]).expect("nothing is missing");
    assert_eq!(names(&program), ["z", "a", "second"]);
    assert_eq!(program.kernels[2].files, ["twice.cl"]);
}

#[test]
fn a_library_may_lack_what_the_program_defines() {
    let library = link_objects(&[&object("user.cl", USER)]).expect("it may be incomplete");
    let program = linked(&[&object("twice.cl", TWICE), &library]).expect("now it is complete");
    assert_eq!(names(&program), ["second", "z", "a"]);
}

#[test]
fn a_function_of_no_object_is_named_with_its_call() {
    let error = linked(&[&object("user.cl", USER)]).expect_err("`twice` is missing");
    let [diagnostic] = error.diagnostics() else {
        panic!("{error:?}")
    };
    assert_eq!(diagnostic.code, Code::UnknownFunction);
    assert_eq!(
        diagnostic.message,
        "`twice` is used but defined in none of the objects"
    );
    let place = diagnostic.location.as_ref().expect("the call has a place");
    assert_eq!(place.to_string(), "user.cl:2:39");
}

#[test]
fn a_variable_of_no_object_is_named() {
    let text = "extern constant int t[4];\nkernel void k(global int *x) { x[0] = t[x[1]]; }\n";
    let user = object("user.cl", text);
    let error = linked(&[&user]).expect_err("`t` is missing");
    assert!(error.to_string().contains("`t`"), "{error}");
    let table = object("table.cl", "constant int t[4] = {4, 3, 2, 1};\n");
    assert_eq!(
        names(&linked(&[&user, &table]).expect("now it is there")),
        ["k"]
    );
}

#[test]
fn what_two_objects_define_is_refused() {
    let (one, other) = (object("a.cl", TWICE), object("b.cl", TWICE));
    for error in [
        linked(&[&one, &other]).expect_err("all is there twice"),
        link_objects(&[&one, &other]).expect_err("all is there twice"),
    ] {
        assert_eq!(error.diagnostics()[0].code, Code::Link);
        assert!(error.to_string().contains("multiply defined"), "{error}");
    }
}

#[test]
fn private_functions_of_one_name_stay_apart() {
    let part = |kernel: &str, factor: u32| {
        let text = format!(
            "static int f(int x) {{ return {factor} * x; }}\ninline int g(int x) {{ return f(x) + {factor}; }}\n\
             kernel void {kernel}(global int *x) {{ x[0] = g(x[1]); }}\n"
        );
        object(kernel, &text)
    };
    let program = linked(&[&part("five", 5), &part("seven", 7)]).expect("they fit");
    for (text, factor) in bodies(program).iter().zip(["5", "7"]) {
        assert!(text.contains(factor), "{text}");
    }
}

#[test]
fn headers_in_memory_are_found_by_their_names() {
    let headers = [
        header("one.h", "#include \"deep/er/two.h\"\n#define ONE TWO\n"),
        header("deep/er/two.h", "#include \"../three.h\"\n"),
        header("deep/three.h", "#define TWO 2\n"),
        header("../above/four.h", "int four(int x) { return x + 4; }\n"),
    ];
    let text = "#include \"one.h\"\n#include <../above/four.h>\n\
        kernel void k(global int *x) { x[0] = four(x[ONE]); }\n";
    let source = Source::from_text("<program source>", text);
    let object = compile_object(&source, &headers, &Options::default()).expect("all are found");
    let program = linked(&[&object]).expect("nothing is missing");
    let files = &program.kernels[0].files;
    assert!(files.contains(&"<program source>".to_owned()), "{files:?}");
    let anywhere = files.iter().any(|file| file.starts_with('/'));
    assert!(!anywhere, "where headers were for a while: {files:?}");
    let again = compile_object(&source, &headers, &Options::default()).expect("all are found");
    assert_eq!(object, again);
    let text = preprocess(&source, &headers, &Options::default()).expect("all are found");
    assert!(text.contains("four(x[2])"), "{text}");
    assert!(!text.contains("sluice-"), "{text}");
}

#[test]
fn errors_in_headers_name_the_header() {
    let headers = [header("bad.h", "int f(int x) { return y; }\n")];
    let source = Source::from_text("<program source>", "#include \"bad.h\"\n");
    let error = compile_object(&source, &headers, &Options::default()).expect_err("y is unknown");
    let text = error.to_string();
    assert!(text.contains("\nbad.h:1:"), "{text}");
}

#[test]
fn headers_without_a_relative_name_are_refused() {
    for name in ["/etc/x.h", "", "..", "folder/"] {
        let source = Source::from_text("x.cl", "kernel void k() {}\n");
        let error = compile_object(&source, &[header(name, "")], &Options::default());
        let error = error.expect_err("there can be no such file");
        assert_eq!(error.diagnostics()[0].code, Code::HeaderName, "{name}");
    }
}

#[test]
fn unknown_link_options_are_refused() {
    let twice = object("twice.cl", TWICE);
    let with = |option: &str| {
        let clang_args = vec![option.to_owned()];
        let options = Options {
            clang_args,
            ..Options::default()
        };
        link(&[&twice], &options)
    };
    with("-cl-fast-relaxed-math").expect("it is an option of linking");
    let error = with("-DX").expect_err("it is an option of compiling");
    assert_eq!(error.diagnostics()[0].code, Code::UnknownOption);
}

#[test]
fn objects_outlive_the_process() {
    let twice = object("twice.cl", TWICE);
    let again = Object::from_bytes(&twice.to_bytes()).expect("they are whole");
    assert_eq!(twice, again);
    let program = linked(&[&again, &object("user.cl", USER)]).expect("they fit");
    assert_eq!(names(&program), ["second", "z", "a"]);
}

#[test]
fn damaged_objects_are_refused() {
    let bytes = object("twice.cl", TWICE).to_bytes();
    for length in 0..bytes.len() {
        Object::from_bytes(&bytes[..length]).expect_err("some is missing");
    }
    for at in 0..bytes.len() {
        let mut bytes = bytes.clone();
        bytes[at] ^= 1 << (at % 8);
        Object::from_bytes(&bytes).expect_err("a bit is wrong");
    }
    assert_eq!(
        Object::from_bytes(b"\x7fELF and so on").unwrap_err(),
        Damage::Foreign
    );
}

#[test]
fn a_compiler_that_writes_no_bitcode_is_an_error_and_not_the_end() {
    let options = Options {
        clang: Some("echo".into()),
        ..Options::default()
    };
    let source = Source::from_text("x.cl", "kernel void k() {}\n");
    let error = compile_object(&source, &[], &options).expect_err("echo is no compiler");
    assert!(matches!(error, Error::Object(_)), "{error:?}");
}

#[test]
fn the_source_does_not_come_through_a_pipe() {
    let options = Options {
        clang: Some(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/pipe-wary-clang").into()),
        ..Options::default()
    };
    // Larger than what a pipe holds.
    let text = "x".repeat(1 << 20);
    let error = compile(&Source::from_text("x", text), &options).expect_err("it is no clang");
    let bytes = (1 << 20) + "#line 1 \"x\"\n".len();
    assert_eq!(
        error.to_string(),
        format!("error: the source has {bytes} bytes\n")
    );
}

/// The signals that the process handles, as the system sees them.
fn handled_signals() -> String {
    let status = std::fs::read_to_string("/proc/self/status").expect("Linux says so");
    let lines = status.lines().filter(|line| line.starts_with("Sig"));
    // Pending signals do not depend on the compilation.
    lines
        .filter(|line| !line.starts_with("SigQ") && !line.starts_with("SigPnd"))
        .collect()
}

#[test]
fn compiling_leaves_the_process_as_it_was() {
    let state = || {
        (
            std::env::current_dir().expect("there is one"),
            handled_signals(),
        )
    };
    let before = state();
    linked(&[&object("user.cl", USER), &object("twice.cl", TWICE)]).expect("they fit");
    linked(&[&object("user.cl", USER)]).expect_err("`twice` is missing");
    assert_eq!(state(), before);
}

fn stub(name: &str) -> Options {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/");
    Options {
        clang: Some(format!("{path}{name}").into()),
        ..Options::default()
    }
}

#[test]
fn a_clang_that_prints_without_end_is_stopped() {
    let source = Source::from_text("x.cl", "kernel void k() {}\n");
    let error = compile(&source, &stub("flooding-clang")).expect_err("it never ends");
    let text = error.to_string();
    assert!(
        text.contains("has written more than 1 MiB of messages\nhelp: "),
        "{text}"
    );
}

#[test]
fn a_source_without_end_is_refused() {
    let error = Source::from_file("/dev/zero").expect_err("it has no end");
    assert!(matches!(error, Error::SourceTooLarge(_)), "{error:?}");
    let text = " ".repeat((16 << 20) + 1);
    let error = compile(&Source::from_text("x.cl", text), &Options::default());
    let error = error.expect_err("it is too long");
    assert!(
        error
            .to_string()
            .starts_with("x.cl has more than 16 MiB of text\n"),
        "{error}"
    );
}

#[test]
fn byte_order_marks_are_skipped() {
    let headers = [header("one.h", "\u{feff}#define ONE 1\n")];
    let text = "\u{feff}#include \"one.h\"\nkernel void k(global int *x) { x[ONE] = y; }\n";
    let source = Source::from_text("x.cl", text);
    let error = compile_object(&source, &headers, &Options::default());
    let text = error.expect_err("y is unknown").to_string();
    assert!(
        text.starts_with("x.cl:2:41: error: use of undeclared"),
        "{text}"
    );
}

/// The processes that a process has started.
fn children(process: u32) -> Vec<u32> {
    let tasks = std::fs::read_dir(format!("/proc/{process}/task"));
    let lists = tasks.into_iter().flatten().flatten().map(|task| {
        let path = task.path().join("children");
        std::fs::read_to_string(path).unwrap_or_default()
    });
    let lists: String = lists.collect();
    let numbers = lists.split_whitespace().map(str::parse);
    numbers
        .map(|number| number.expect("Linux writes numbers"))
        .collect()
}

fn wait_until(what: &str, mut holds: impl FnMut() -> bool) {
    let start = std::time::Instant::now();
    while !holds() {
        assert!(start.elapsed().as_secs() < 30, "{what}");
        std::thread::yield_now();
    }
}

#[test]
fn clang_ends_with_the_process_that_started_it() {
    const INSIDE: &str = "SLUICE_TEST_ENDLESS_CLANG";
    if std::env::var_os(INSIDE).is_some() {
        let source = Source::from_text("x.cl", "kernel void k() {}\n");
        drop(compile(&source, &stub("endless-clang")));
        return;
    }
    let mut process = std::process::Command::new(std::env::current_exe().expect("it runs"))
        .args(["--exact", "clang_ends_with_the_process_that_started_it"])
        .env(INSIDE, "1")
        .stdout(std::process::Stdio::null())
        .spawn()
        .expect("it runs");
    let is_clang = |pid: &u32| {
        let command = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        String::from_utf8_lossy(&command).contains("endless-clang")
    };
    let mut clang = None;
    wait_until("clang is started", || {
        clang = children(process.id()).into_iter().find(is_clang);
        clang.is_some()
    });
    process.kill().expect("it is ours");
    process.wait().expect("it is ours");
    let clang = clang.expect("it was started");
    wait_until("clang has ended", || !is_clang(&clang));
}
