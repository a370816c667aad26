//! Lanes of vectors: `shuffle`, `shuffle2`, `vec_step` (OpenCL C 1.2, 6.12.12 and 6.11) and component
//! selections on both sides of an assignment (6.1.7).

use std::sync::Arc;

use crate::check::{Check, Expected, Form, OPERANDS, Shape};
use crate::types::{Type, WIDTHS};

/// The widths that can be shuffled.
const SHUFFLED: [usize; 4] = [2, 4, 8, 16];

/// `shuffle` and `shuffle2` with masks of any value: only their low bits count.
pub fn shuffles(type_: Type) -> Vec<Check> {
    let shuffle = |name: &str, sources: usize| {
        let mut operands = vec![type_; sources];
        operands.push(type_.unsigned());
        let mut check = Check::without_forms(name, &operands);
        for width in SHUFFLED {
            for picked in SHUFFLED {
                let mut shapes = vec![Shape::Vector(width); sources];
                shapes.push(Shape::Vector(picked));
                check.forms.push(Form {
                    name: format!("{}, mask of {picked}", type_.vector(width)),
                    operands: shapes,
                    result: type_,
                    result_shape: Shape::Vector(picked),
                    statements: format!("result = {name}({});", OPERANDS[..=sources].join(", ")),
                    reference: Arc::new(move |lanes| {
                        let (mask, sources) = lanes.split_last().expect("the mask is last");
                        let from: Vec<u64> = sources.concat();
                        let pick = |&at: &u64| from[at as usize % from.len()];
                        mask.iter().map(pick).map(Expected::Bits).collect()
                    }),
                });
            }
        }
        check
    };
    vec![shuffle("shuffle", 1), shuffle("shuffle2", 2)]
}

/// `vec_step` of vectors and of types: three count as four.
pub fn steps(type_: Type) -> Check {
    let mut check = Check::without_forms("vec_step", &[type_]);
    for width in WIDTHS {
        let step = width.next_power_of_two() as u64;
        check.forms.push(Form {
            name: type_.vector(width),
            operands: vec![Shape::Vector(width)],
            result: Type::Int,
            result_shape: Shape::Vector(2),
            statements: format!(
                "result = (int2)(vec_step(a), vec_step({}));",
                type_.vector(width)
            ),
            reference: Arc::new(move |_| vec![Expected::Bits(step); 2]),
        });
    }
    check
}

/// Vectors made of scalars and other vectors, and of one scalar for all lanes.
pub fn literals(type_: Type) -> Check {
    let parts: [(usize, &str, &[usize]); 7] = [
        (2, "a, b.x", &[0, 2]),
        (3, "b, a", &[2, 3, 0]),
        (4, "b.y, a, b", &[3, 0, 2, 3]),
        (4, "a", &[0; 4]),
        (8, "b, b.yx, a, b, a", &[2, 3, 3, 2, 0, 2, 3, 0]),
        (16, "a", &[0; 16]),
        (
            16,
            "b.xxyy, b, a, a, b.yyyyyyyy",
            &[2, 2, 3, 3, 2, 3, 0, 0, 3, 3, 3, 3, 3, 3, 3, 3],
        ),
    ];
    let mut check = Check::without_forms("vector literal", &[type_; 2]);
    check.forms.extend(parts.map(|(width, parts, lanes)| Form {
        name: format!("({})({parts})", type_.vector(width)),
        operands: vec![Shape::Vector(1), Shape::Vector(2)],
        result: type_,
        result_shape: Shape::Vector(width),
        statements: format!("result = ({})({parts});", type_.vector(width)),
        // Lane 0 is the scalar, lanes 2 and 3 are the vector's.
        reference: Arc::new(move |operands| {
            let all = [operands[0], operands[0], operands[1]].concat();
            lanes
                .iter()
                .map(|&lane| Expected::Bits(all[lane]))
                .collect()
        }),
    }));
    check
}

/// Selections of each width. The first lanes of the operand are assigned to them.
const SELECTIONS: &[(usize, &[&str])] = &[
    (
        2,
        &[
            "x", "y", "xy", "yx", "lo", "hi", "even", "odd", "s1", "s10", "S01",
        ],
    ),
    (
        3,
        &[
            "z", "zxy", "zy", "lo", "s2", "s201", "S12", "even.lo", "xyz",
        ],
    ),
    (
        4,
        &[
            "w", "wzyx", "xz", "ywx", "lo", "hi", "even", "odd", "lo.hi", "hi.even", "s3", "s3210",
            "S02", "wzyx.odd", "hi.yx",
        ],
    ),
    (
        8,
        &[
            "lo",
            "hi",
            "even",
            "odd",
            "s7",
            "s76543210",
            "s0246",
            "hi.lo",
            "odd.even",
            "even.s31",
            "s7531.odd",
            "s52",
            "xw",
        ],
    ),
    (
        16,
        &[
            "lo",
            "hi",
            "even",
            "odd",
            "s0F",
            "s0f",
            "sfedcba9876543210",
            "SFEDCBA9876543210",
            "sAbCd",
            "hi.hi.hi",
            "odd.odd.odd",
            "even.hi.lo",
            "s048c",
            "lo.s7531",
            "s89abCDEF.lo",
            "wy",
        ],
    ),
];

/// Selections that only a value can have: of lanes more than once.
const REPEATED: &[(usize, &[&str])] = &[
    (2, &["xxxx", "yyx", "s1111", "s0000000011111111"]),
    (3, &["zz", "xxyz.hi", "s2222"]),
    (4, &["wwww", "xxyy", "s33333333"]),
    (8, &["s7777", "hi.xxzz"]),
    (16, &["sffff", "sFfFf.lo", "s0101010101010101"]),
];

/// The lanes that a selection names.
fn selected(selection: &str, width: usize) -> Vec<usize> {
    let mut lanes: Vec<usize> = (0..width).collect();
    for part in selection.split('.') {
        // The upper half of three lanes would include a fourth; no selection here asks for it.
        let half = lanes.len().div_ceil(2);
        let picks: Vec<usize> = match part {
            "lo" => (0..half).collect(),
            "hi" => (half..lanes.len()).collect(),
            "even" => (0..lanes.len()).step_by(2).collect(),
            "odd" => (1..lanes.len()).step_by(2).collect(),
            _ => named(part),
        };
        lanes = picks.into_iter().map(|pick| lanes[pick]).collect();
    }
    lanes
}

/// Lanes by letter or by hexadecimal digit.
fn named(part: &str) -> Vec<usize> {
    match part.strip_prefix(['s', 'S']) {
        Some(digits) => digits
            .chars()
            .map(|digit| digit.to_digit(16).expect("a digit") as usize)
            .collect(),
        None => part
            .chars()
            .map(|letter| "xyzw".find(letter).expect("a letter of four"))
            .collect(),
    }
}

/// Every selection of a type's vectors, read and, where it names each lane once, written.
pub fn selections(type_: Type) -> Vec<Check> {
    let mut checks = Vec::new();
    for &(width, selections) in SELECTIONS.iter().chain(REPEATED) {
        let mut read = Check::without_forms("read of a selection", &[type_]);
        let forms = selections
            .iter()
            .map(|selection| reading(type_, width, selection));
        read.forms.extend(forms);
        checks.push(read);
    }
    for &(width, selections) in SELECTIONS {
        let mut write = Check::without_forms("write to a selection", &[type_; 2]);
        let forms = selections
            .iter()
            .map(|selection| writing(type_, width, selection));
        write.forms.extend(forms);
        checks.push(write);
    }
    checks
}

fn reading(type_: Type, width: usize, selection: &'static str) -> Form {
    let lanes = selected(selection, width);
    Form {
        name: format!("{} .{selection}", type_.vector(width)),
        operands: vec![Shape::Vector(width)],
        result: type_,
        result_shape: Shape::Vector(lanes.len()),
        statements: format!("result = a.{selection};"),
        reference: Arc::new(move |operands| {
            let picked = lanes.iter().map(|&lane| operands[0][lane]);
            picked.map(Expected::Bits).collect()
        }),
    }
}

fn writing(type_: Type, width: usize, selection: &'static str) -> Form {
    let lanes = selected(selection, width);
    Form {
        name: format!("{} .{selection}", type_.vector(width)),
        operands: vec![Shape::Vector(width), Shape::Vector(lanes.len())],
        result: type_,
        result_shape: Shape::Vector(width),
        statements: format!("result = a; result.{selection} = b;"),
        reference: Arc::new(move |operands| {
            let mut result = operands[0].to_vec();
            for (&lane, &value) in lanes.iter().zip(operands[1]) {
                result[lane] = value;
            }
            result.into_iter().map(Expected::Bits).collect()
        }),
    }
}
