//! Memory units and banks that the source chooses by hand: their way through objects, and messages about those
//! that are of no use.

use sluice_frontend::{Object, Options, Source, compile, compile_object, link};

#[test]
fn choices_survive_objects() {
    let text = "kernel void k(global const int *a __attribute__((buffer_location(\"DDR\"))), global int *b) {
    local int l[8] __attribute__((numbanks(8)));
    l[get_local_id(0)] = __prefetching_load(a + get_global_id(0));
    barrier(CLK_LOCAL_MEM_FENCE);
    b[get_global_id(0)] = l[7 - get_local_id(0)];
}
";
    let options = Options::default();
    let source = Source::from_text("kernel.cl", text);
    let object = compile_object(&source, &[], &options).expect("the source is valid");
    assert_eq!(object.warnings(), "");
    let read = Object::from_bytes(&object.to_bytes()).expect("the bytes are intact");
    let linked = link(&[&read], &options).expect("the object is complete");
    assert_eq!(linked.warnings, "");
    let text = linked.kernels[0].to_string();
    for part in [
        "object m0 \"a\" buffer 0 global align 4 location \"DDR\"\n",
        " local size 32 align 4 banks 8\n",
        "= load stream i32 ",
    ] {
        assert!(text.contains(part), "{part} in\n{text}");
    }
}

#[test]
fn choices_of_no_use_are_reported_with_their_line() {
    let text = "kernel void k(global int *a __attribute__((numbanks(4))), local int *b) {
    local int l[8] __attribute__((numbanks(3), buffer_location(\"DDR\")));
    int p[4] __attribute__((numbanks(4), doublepump));
    p[a[1]] = a[2], p[a[2]] = 1;
    l[p[a[0]]] = b[0];
    a[0] = l[p[a[1]]];
}
";
    let compiled = compile(&Source::from_text("kernel.cl", text), &Options::default());
    let warnings = compiled.expect("the source is valid").warnings;
    assert_eq!(
        warnings,
        "kernel.cl:3:42: note: `doublepump` has no effect: memories have the clock of the circuit
    3 |     int p[4] __attribute__((numbanks(4), doublepump));
      |                                          ^~~~~~~~~~
kernel.cl:1: warning: `numbanks` is for local memory, and is ignored
kernel.cl:2: warning: `numbanks` takes a power of two, and is ignored
kernel.cl:2: warning: `buffer_location` is for parameters of kernels that are buffers, and is ignored
kernel.cl:3: warning: `numbanks` is for local memory, and is ignored
"
    );
}
