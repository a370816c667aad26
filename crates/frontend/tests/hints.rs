//! Loop hints that clang does not know: their way through objects, and warnings about those without a loop.

use sluice_frontend::{Object, Options, Source, compile, compile_object, link};

const HINTED: &str = "kernel void k(global int *a, int n) {
    __attribute__((xcl_pipeline_loop))
    #pragma ivdep array(a) safelen(3)
    for (int i = 0; i < n; i++)
        a[i] = a[i + n] + 1;
}
";

#[test]
fn hints_survive_objects() {
    let options = Options::default();
    let source = Source::from_text("kernel.cl", HINTED);
    let object = compile_object(&source, &[], &options).expect("the source is valid");
    assert_eq!(object.warnings(), "");
    let read = Object::from_bytes(&object.to_bytes()).expect("the bytes are intact");
    assert_eq!(read, object);
    let linked = link(&[&read], &options).expect("the object is complete");
    let text = linked.kernels[0].to_string();
    assert!(
        text.contains(" ivdep \"a\" safelen 3 pipeline:\n"),
        "{text}"
    );
}

#[test]
fn hints_of_no_use_are_reported_with_their_line() {
    let text = "kernel void k(global int *a, int n) {
    #pragma ivdep array(c)
    for (int i = 0; i < n; i++) {
        #pragma ii 2
        a[i] = a[i + n] + 1;
    }
    #pragma max_concurrency MANY
    while (a[n]) n--;
}
";
    let compiled = compile(&Source::from_text("kernel.cl", text), &Options::default());
    let warnings = compiled.expect("the source is valid").warnings;
    assert_eq!(
        warnings,
        "kernel.cl:2:5: warning: there is no `c`: the hint is ignored
help: `array` takes the name of a buffer or an array
kernel.cl:4:9: warning: no loop follows `ii 2`: the hint is ignored
help: it stands directly before `for`, `while` or `do`
kernel.cl:7:5: warning: `max_concurrency` needs a number of at least 0: the hint is ignored
help: hints take numbers as digits, not as macros
"
    );
}
