//! A wrong result is reported with everything that is needed to reproduce it.

use sluice_conformance::check::{Check, Expected};
use sluice_conformance::types::Type;
use sluice_conformance::{Executor, failures};

fn wrong_in_one_place() -> Check {
    Check::lanewise("max", &[Type::Char; 2], Type::Char, |x| {
        let larger = (x[0] as i8).max(x[1] as i8);
        let is_special = (x[0] as i8, x[1] as i8) == (-127, -128);
        Expected::Bits(if is_special {
            5
        } else {
            u64::from(larger as u8)
        })
    })
    .up_to(1)
}

#[test]
fn a_wrong_lane_is_shown_with_its_operands() {
    for executor in [Executor::Interpreter, Executor::Circuit] {
        let report = failures(vec![wrong_in_one_place()], executor).join("\n");
        let line = "max(char, char) as (char, char), operands [-127], [-128]: lane 0 is -127, expected exactly 5";
        assert!(report.contains(line), "{executor:?}: {report}");
    }
}

#[test]
fn a_right_reference_is_not_reported() {
    let right = Check::lanewise("max", &[Type::Char; 2], Type::Char, |x| {
        Expected::Bits(u64::from((x[0] as i8).max(x[1] as i8) as u8))
    });
    assert_eq!(failures(vec![right], Executor::Interpreter), [""; 0]);
}
