//! Programs: which kernels are of one, and what is read as optimised.

use sluice_circuit::target::Target;
use sluice_kernel::plan::Plan;
use sluice_kernel::prepare::prepare;
use sluice_kernel::{Optimised, Program};

fn kernel(name: &str, variables: &str) -> Optimised {
    let (param, object) = match variables {
        "" => ("", ""),
        _ => (
            "param \"v\" \"\" variables m0\n",
            "object m0 \"v\" buffer 0 global align 8\n",
        ),
    };
    let text = format!(
        "kernel \"{name}\"\nfile \"k.cl\"\n{param}{variables}{object}{{\nb0:\n  return\n}}\n"
    );
    Optimised::read(&text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

#[test]
fn kernels_of_a_program_have_the_same_variables() {
    let [first, second] = ["01", "02"].map(|byte| format!("variables size 8 x\"{byte}\"\n"));
    let same = vec![kernel("a", &first), kernel("none", ""), kernel("b", &first)];
    let program = Program::new(same).expect("they agree");
    assert_eq!(
        program.variables().map(|it| it.bytes.clone()),
        Some(vec![1])
    );
    let different = Program::new(vec![kernel("a", &first), kernel("b", &second)]);
    assert_eq!(
        different.expect_err("they differ").to_string(),
        "kernel `b` has other program-scope variables than the kernels before it"
    );
}

#[test]
fn kernels_are_selected_by_name_in_the_order_asked_for() {
    let kernels = ["a", "b", "c"].map(|name| kernel(name, "")).to_vec();
    let program = Program::new(kernels).expect("they have no variables");
    let names = |program: &Program| -> Vec<String> {
        let kernels = program.kernels().iter();
        kernels.map(|kernel| kernel.name.clone()).collect()
    };
    let two = program.select(["c", "a"]).expect("both are there");
    assert_eq!(
        (two.name(), names(&two)),
        ("c", vec!["c".into(), "a".into()])
    );
    assert_eq!(program.select(["a", "d"]), None);
    assert_eq!(names(&program.only("b").expect("it is there")), ["b"]);
}

#[test]
fn broken_ir_is_not_read_as_optimised() {
    let parse = Optimised::read("kernel").expect_err("it ends there");
    assert!(parse.to_string().contains("expected"), "{parse}");
    let text = "kernel \"k\"\nfile \"k.cl\"\n{\nb0:\n  v0: i32 = add v0, v0\n  return\n}\n";
    let verify = Optimised::read(text).expect_err("v0 is used before it is defined");
    assert!(verify.to_string().contains("V"), "{verify}");
}

#[test]
fn a_program_without_kernels_has_no_circuit() {
    let refused = prepare(&Program::default(), &Plan::default(), &Target::ECP5);
    assert_eq!(
        refused
            .expect_err("there is nothing to prepare")
            .to_string(),
        "a program without kernels cannot become a circuit yet"
    );
}
