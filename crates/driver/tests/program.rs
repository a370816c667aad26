//! Programs as hosts have them: built, compiled and linked, kept in a cache and as binaries.

use std::fs;
use std::path::{Path, PathBuf};

use sluice_driver::cli::MemoryChoice;
use sluice_driver::program::{
    self, Binary, BinaryError, BuildCache, BuildFailure, Built, Cached, Compiled, Contents,
    Destination, FailureKind, Input, Keep, NoKernels, Object, Options, Passes, Request,
    SOURCE_NAME, Source, link_library,
};
use sluice_frontend::envelope::Damage;
use sluice_kernel::Program;

const SOURCE: &str = "int unused(int x) { int y; return x; }\n\
    kernel void add(global int *x, int y) { x[get_global_id(0)] += y; }\n\
    kernel void clear(global float *x) { x[get_global_id(0)] = 0.5f; }\n";

fn destination() -> Destination {
    Destination {
        target: "arria10-pac".into(),
        datapaths: 1,
        banks: None,
        lanes: None,
        memory: None,
        plan: None,
        group_items: 1024,
    }
}

/// Builds a program as hosts do.
fn make(
    input: Input<'_>,
    words: &[String],
    destination: &Destination,
    cache: Option<&BuildCache>,
    accept: impl FnOnce(&Program) -> Result<(), String>,
) -> Result<Built, BuildFailure> {
    let request = Request {
        input,
        options: &Options {
            clang_args: words.to_vec(),
            ..Options::default()
        },
        passes: Passes::Run,
        no_kernels: NoKernels::Allowed,
    };
    let keep = cache.map(|cache| Keep { cache, destination });
    Ok(program::build(&request, keep, accept)?)
}

fn build(
    source: &str,
    words: &[String],
    destination: &Destination,
    cache: Option<&BuildCache>,
    accept: impl FnOnce(&Program) -> Result<(), String>,
) -> Result<Built, BuildFailure> {
    let source = Source::from_text(SOURCE_NAME, source);
    make(Input::Source(&source), words, destination, cache, accept)
}

fn link(
    objects: &[&Object],
    words: &[String],
    destination: &Destination,
    cache: Option<&BuildCache>,
    accept: impl FnOnce(&Program) -> Result<(), String>,
) -> Result<Built, BuildFailure> {
    make(Input::Objects(objects), words, destination, cache, accept)
}

fn compile(
    source: &str,
    headers: &[(String, String)],
    words: &[String],
    destination: &Destination,
    cache: Option<&BuildCache>,
) -> Result<Compiled, BuildFailure> {
    let keep = cache.map(|cache| Keep { cache, destination });
    program::compile(source, headers, words, keep)
}

fn options(words: &str) -> Vec<String> {
    words.split_whitespace().map(str::to_owned).collect()
}

/// A cache in a folder of its own.
struct Kept {
    folder: tempfile::TempDir,
    cache: BuildCache,
}

impl Kept {
    fn new() -> Kept {
        let folder = tempfile::tempdir().expect("there is room");
        let cache = BuildCache::at(folder.path().join("programs"), 1 << 20);
        Kept { folder, cache }
    }

    fn build(&self, source: &str, words: &str) -> Built {
        build(
            source,
            &options(words),
            &destination(),
            Some(&self.cache),
            anything,
        )
        .unwrap_or_else(|failure| panic!("{}", failure.log))
    }

    fn entries(&self) -> Vec<PathBuf> {
        let listed = fs::read_dir(self.folder.path().join("programs")).expect("it is there");
        listed
            .map(|entry| entry.expect("it is there").path())
            .collect()
    }
}

/// Takes whatever kernels there are.
fn anything(_: &Program) -> Result<(), String> {
    Ok(())
}

#[test]
fn what_was_built_before_is_found_with_its_log() {
    let kept = Kept::new();
    let first = kept.build(SOURCE, "-Wall");
    assert_eq!(first.cached, Cached::Miss);
    let names: Vec<&str> = first
        .program
        .kernels()
        .iter()
        .map(|it| it.name.as_str())
        .collect();
    assert_eq!(names, ["add", "clear"]);
    let warning = "<program source>:1:25: warning: unused variable 'y'";
    assert!(first.log.starts_with(warning), "{}", first.log);
    let again = kept.build(SOURCE, "-Wall");
    assert_eq!(again.cached, Cached::Hit);
    assert_eq!((again.program, again.log), (first.program, first.log));
}

#[test]
fn whatever_decides_the_result_decides_the_entry() {
    let kept = Kept::new();
    kept.build(SOURCE, "");
    assert_eq!(kept.build(SOURCE, "-DX").cached, Cached::Miss);
    assert_eq!(kept.build(&format!("{SOURCE}\n"), "").cached, Cached::Miss);
    let others: [fn(&mut Destination); 7] = [
        |it| it.target = "ecp5-85".into(),
        |it| it.datapaths = 2,
        |it| it.banks = Some(2),
        |it| it.lanes = Some(2),
        |it| it.memory = Some(MemoryChoice::Cache),
        |it| it.plan = Some("[bitstream]".into()),
        |it| it.group_items = 2048,
    ];
    for change in others {
        let mut other = destination();
        change(&mut other);
        let built = build(SOURCE, &[], &other, Some(&kept.cache), anything).expect("it is right");
        assert_eq!(built.cached, Cached::Miss, "{other:?}");
    }
    assert_eq!(kept.build(SOURCE, "").cached, Cached::Hit);
}

#[test]
fn a_file_that_is_included_decides_too() {
    let kept = Kept::new();
    let header = kept.folder.path().join("factor.h");
    let folder = format!("-I {}", kept.folder.path().display());
    for source in [
        "#include \"factor.h\"\nkernel void k(global int *x) { x[0] *= FACTOR; }\n",
        "#incl\\\nude \"factor.h\"\nkernel void k(global int *x) { x[0] *= FACTOR; }\n",
    ] {
        fs::write(&header, "#define FACTOR 3\n").expect("it can be written");
        let three = kept.build(source, &folder);
        assert_eq!(kept.build(source, &folder).cached, Cached::Hit);
        fs::write(&header, "#define FACTOR 5\n").expect("it can be written");
        let five = kept.build(source, &folder);
        assert_eq!(five.cached, Cached::Miss);
        assert_ne!(three.program, five.program);
    }
}

#[test]
fn a_damaged_entry_is_built_again_and_replaced() {
    let kept = Kept::new();
    let first = kept.build(SOURCE, "");
    let [entry] = &kept.entries()[..] else {
        panic!("one program was built");
    };
    let bytes = fs::read(entry).expect("it is there");
    for damaged in [&bytes[..bytes.len() / 2], b"", b"something else"] {
        fs::write(entry, damaged).expect("it is ours");
        let again = kept.build(SOURCE, "");
        assert_eq!(again.cached, Cached::Miss);
        assert_eq!(again.program, first.program);
        assert_eq!(kept.build(SOURCE, "").cached, Cached::Hit);
    }
}

#[test]
fn without_a_folder_everything_is_built() {
    let cache = BuildCache::at("/dev/null/programs", 1 << 20);
    for _ in 0..2 {
        let built =
            build(SOURCE, &[], &destination(), Some(&cache), anything).expect("it is right");
        assert_eq!(built.cached, Cached::Miss);
    }
}

#[test]
fn many_may_build_the_same_at_once() {
    let kept = Kept::new();
    let expected = build(SOURCE, &[], &destination(), None, anything)
        .expect("it is right")
        .program;
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| assert_eq!(kept.build(SOURCE, "").program, expected));
        }
    });
    assert_eq!(kept.entries().len(), 1);
}

#[test]
fn wrong_options_are_told_from_wrong_programs() {
    let refuse = |source: &str, words: &str| {
        build(source, &options(words), &destination(), None, anything).expect_err("it is refused")
    };
    for words in ["-fancy", "-cl-fancy", "-cl-std=CL9.9", "-D"] {
        let failure = refuse(SOURCE, words);
        assert_eq!(failure.kind, FailureKind::InvalidOptions, "{words}");
        let word = words.split('=').next().expect("there is one");
        assert!(failure.log.contains(word), "{}", failure.log);
    }
    let failure = refuse("kernel void k(global int *x) { x[0] = y; }\n", "");
    assert_eq!(failure.kind, FailureKind::Failed);
    let log = "<program source>:1:39: error: use of undeclared identifier 'y'\n";
    assert!(failure.log.starts_with(log), "{}", failure.log);
}

#[test]
fn mistakes_that_clang_does_not_know_are_logged_like_its_own() {
    let source =
        "float weigh(float x);\nkernel void k(global float *x) {\n\tx[0] = weigh(x[1]) + 1;\n}\n";
    let failure =
        build(source, &[], &destination(), None, anything).expect_err("`weigh` is missing");
    assert_eq!(
        failure.log,
        "<program source>:3:9: error: `weigh` is called but defined nowhere [K007]\n\
         \tx[0] = weigh(x[1]) + 1;\n\
         \t       ^\n\
         help: define the function in this program; it is not a builtin of OpenCL C with these argument types\n"
    );
    assert_eq!(failure.kind, FailureKind::Failed);
}

#[test]
fn a_program_may_have_no_kernels() {
    let built = build(
        "int f(int x) { return x; }\n",
        &[],
        &destination(),
        None,
        anything,
    );
    assert_eq!(built.expect("it is right").program.kernels(), []);
}

#[test]
fn parts_are_linked_through_their_binaries() {
    let kept = Kept::new();
    let cache = Some(&kept.cache);
    let headers = [("twice.h".to_owned(), "int twice(int x);\n".to_owned())];
    let part = |source: &str| {
        let compiled = compile(source, &headers, &[], &destination(), cache);
        compiled.unwrap_or_else(|failure| panic!("{}", failure.log))
    };
    let user = "#include \"twice.h\"\nkernel void k(global int *x) { x[0] = twice(x[1]); }\n";
    let user = [part(user), part(user)];
    assert_eq!(
        [user[0].cached, user[1].cached],
        [Cached::Miss, Cached::Hit]
    );
    assert_eq!(user[0].object, user[1].object);
    let failure = link(&[&user[0].object], &[], &destination(), cache, anything)
        .expect_err("`twice` is missing");
    let message = "error: `twice` is used but defined in none of the objects [K007]\n";
    assert!(failure.log.contains(message), "{}", failure.log);
    let twice = part("int twice(int x) { return 2 * x; }\n");
    let library = link_library(&[&twice.object], &options("-create-library")).expect("it fits");
    let binary = binary(Contents::Library(library));
    let binary = Binary::from_bytes(&binary.to_bytes()).expect("it is whole");
    let Contents::Library(library) = binary.contents else {
        panic!("it was a library");
    };
    let both = [&user[0].object, &library];
    let first = link(&both, &[], &destination(), cache, anything).expect("nothing is missing");
    let again = link(&both, &[], &destination(), cache, anything).expect("nothing is missing");
    assert_eq!([first.cached, again.cached], [Cached::Miss, Cached::Hit]);
    assert_eq!(first.program, again.program);
    let failure = link(&both, &options("-DX"), &destination(), cache, anything)
        .expect_err("it cannot compile");
    assert_eq!(failure.kind, FailureKind::InvalidOptions);
}

fn binary(contents: Contents) -> Binary {
    Binary {
        target: "ecp5-85".into(),
        datapaths: 3,
        options: "-DX -cl-mad-enable".into(),
        contents,
    }
}

fn small() -> Binary {
    let built =
        build("kernel void k() {}\n", &[], &destination(), None, anything).expect("it is right");
    binary(Contents::Executable(built.program))
}

#[test]
fn binaries_are_read_as_they_were_written() {
    let object = compile(SOURCE, &[], &[], &destination(), None)
        .expect("it is right")
        .object;
    let executable = build(SOURCE, &[], &destination(), None, anything)
        .expect("it is right")
        .program;
    for contents in [
        Contents::Executable(executable),
        Contents::Executable(Program::default()),
        Contents::Object(object.clone()),
        Contents::Library(object),
    ] {
        let binary = binary(contents);
        assert_eq!(Binary::from_bytes(&binary.to_bytes()), Ok(binary));
    }
}

#[test]
fn every_truncated_binary_is_refused() {
    let bytes = small().to_bytes();
    for length in 0..bytes.len() {
        Binary::from_bytes(&bytes[..length]).expect_err("some is missing");
    }
    Binary::from_bytes(&[&bytes[..], b"\0"].concat()).expect_err("there is more");
}

#[test]
fn every_altered_binary_is_refused() {
    let bytes = small().to_bytes();
    for at in 0..bytes.len() {
        for bit in 0..8 {
            let mut altered = bytes.clone();
            altered[at] ^= 1 << bit;
            Binary::from_bytes(&altered).expect_err("a bit is wrong");
        }
    }
}

#[test]
fn refusals_of_binaries_say_why() {
    let bytes = small().to_bytes();
    let damage = |bytes: &[u8]| match Binary::from_bytes(bytes) {
        Err(BinaryError::Damaged(damage)) => damage,
        other => panic!("{other:?}"),
    };
    assert_eq!(damage(b"\x7fELF"), Damage::Foreign);
    let mut newer = bytes.clone();
    newer[8] = 2;
    let (found, expected) = (2, 1);
    assert_eq!(damage(&newer), Damage::Version { found, expected });
    let length = bytes.len() as u64;
    let (found, expected) = (length - 1, length);
    let cut = damage(&bytes[..bytes.len() - 1]);
    assert_eq!(cut, Damage::Length { found, expected });
    let mut altered = bytes;
    altered[30] ^= 1;
    assert_eq!(damage(&altered), Damage::Altered);
}

#[test]
fn every_example_survives_its_binary() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut sources = 0;
    for entry in fs::read_dir(folder).expect("the examples are there") {
        let path = entry.expect("it is there").path();
        if path.extension().is_none_or(|extension| extension != "cl") {
            continue;
        }
        let text = fs::read_to_string(&path).expect("it can be read");
        let built = build(&text, &[], &destination(), None, anything);
        let built = built.unwrap_or_else(|failure| panic!("{}: {}", path.display(), failure.log));
        let binary = binary(Contents::Executable(built.program));
        assert_eq!(Binary::from_bytes(&binary.to_bytes()), Ok(binary));
        sources += 1;
    }
    assert!(sources > 0, "there are examples");
}

#[test]
fn the_command_writes_binaries_that_can_be_read() {
    let folder = tempfile::tempdir().expect("there is room");
    let status = std::process::Command::new(env!("CARGO_BIN_EXE_sluice"))
        .args(["build", "-DN=4", "--target", "ecp5-85", "-o"])
        .arg(folder.path())
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/saxpy.cl"))
        .stdout(std::process::Stdio::null())
        .status();
    assert!(status.expect("it is built").success());
    let bytes = fs::read(folder.path().join("saxpy/saxpy.sluice")).expect("it was written");
    let binary = Binary::from_bytes(&bytes).expect("it is whole");
    assert_eq!((&*binary.target, &*binary.options), ("ecp5-85", "-DN=4"));
    let Contents::Executable(program) = binary.contents else {
        panic!("it was built whole");
    };
    assert_eq!(program.kernels()[0].name, "saxpy");
}

#[test]
fn what_is_refused_is_not_kept() {
    let kept = Kept::new();
    let cache = Some(&kept.cache);
    let refuse = |program: &Program| Err(format!("{} is of no use\n", program.name()));
    for _ in 0..2 {
        let failure = build("kernel void k() {}\n", &[], &destination(), cache, refuse);
        let failure = failure.expect_err("it is refused");
        assert_eq!(failure.log, "k is of no use\n");
    }
}

#[test]
fn options_for_other_programs_are_invalid() {
    for words in [
        "-Wp,-MD,stolen",
        "-Wp,-load,evil.so",
        "-MMD",
        "-D @words",
        "-o stolen",
    ] {
        let failure = build(SOURCE, &options(words), &destination(), None, anything);
        let failure = failure.expect_err(words);
        assert_eq!(failure.kind, FailureKind::InvalidOptions, "{words}");
    }
    assert!(!Path::new("stolen").exists());
}

#[test]
fn unroll_hints_beyond_the_limit_are_warnings_in_the_log() {
    let source = "kernel void k(global int *x) {\n\
        __attribute__((opencl_unroll_hint(30000)))\n\
        for (int i = 0; i < 30000; i++) x[x[i]] += i;\n}\n";
    let built = build(source, &[], &destination(), None, anything).expect("a hint is a hint");
    let warning =
        "<program source>:3:1: warning: this loop is not unrolled: with 30000 copies of its ";
    assert!(built.log.starts_with(warning), "{}", built.log);
}
