//! A check: a builtin, the forms in which it is called, and the expected results.

use std::sync::Arc;

use crate::types::{Type, WIDTHS};

/// A builtin with its operands and its reference.
pub struct Check {
    /// The builtin and its types, for messages: `convert_char_sat(float)`.
    pub name: String,
    /// The types of the operands, which the kernels call `a`, `b`, `c`.
    pub operands: Vec<Type>,
    /// The widths and mixtures of vectors and scalars.
    pub forms: Vec<Form>,
    /// Statements at the start of the kernel: local variables have to stand there.
    pub declarations: String,
    /// The distribution of the operands.
    pub domain: Domain,
    /// The version of the language that has it.
    pub standard: Standard,
}

/// The expected results of a form, lane by lane, for the lanes of its operands.
pub type Reference = Arc<dyn Fn(&[&[u64]]) -> Vec<Expected> + Send + Sync>;

/// The distribution of operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Domain {
    /// Any values, mostly edge cases.
    #[default]
    Any,
    /// Of floats, only numbers of moderate size and zeros: beside extreme values they would have no effect.
    Usual,
}

/// A version of OpenCL C.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum Standard {
    /// 1.2
    #[default]
    V12,
    /// 2.0, for the generic address space
    V20,
    /// 3.0
    V30,
}

impl Standard {
    /// clang's option for it.
    pub fn option(self) -> &'static str {
        match self {
            Standard::V12 => "-cl-std=CL1.2",
            Standard::V20 => "-cl-std=CL2.0",
            Standard::V30 => "-cl-std=CL3.0",
        }
    }
}

/// One way to call the builtin.
#[derive(Clone)]
pub struct Form {
    /// For messages: `float4, int`.
    pub name: String,
    /// The shape of each operand.
    pub operands: Vec<Shape>,
    /// The result's type.
    pub result: Type,
    /// The shape of the result.
    pub result_shape: Shape,
    /// Statements that assign to `result`, or write to it where it is a pointer.
    pub statements: String,
    /// Its expected results.
    pub reference: Reference,
}

/// The part of an operand or result that belongs to one work-item.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// A vector with this number of lanes; a scalar if it is one.
    Vector(usize),
    /// A pointer to this number of elements in global memory.
    Block(usize),
    /// A pointer to this number of elements in constant memory.
    Constant(usize),
}

impl Shape {
    /// How many elements it has.
    pub fn len(self) -> usize {
        match self {
            Shape::Vector(lanes) => lanes,
            Shape::Block(elements) | Shape::Constant(elements) => elements,
        }
    }

    /// Never: every shape has elements.
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }
}

/// The expected value of a lane of a result.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Expected {
    /// Exactly these bits.
    Bits(u64),
    /// This float; of a NaN, any.
    Number(u64),
    /// This float; of a NaN, any; of a zero, either.
    Value(u64),
    /// At most this many representable numbers away from this float; of a NaN, any; of a zero, either.
    Ulps(u64, u64),
    /// A number in this range, or the infinity that it rounds to.
    Between(f64, f64),
    /// Unspecified, also for constant folding; at run time, these bits.
    Open(u64),
    /// Unspecified.
    Anything,
}

/// Names of the operands in kernels.
pub const OPERANDS: [&str; 3] = ["a", "b", "c"];

impl Check {
    /// A function that is called on scalars and on vectors of every width, and works lane by lane.
    pub fn lanewise(
        function: &str,
        operands: &[Type],
        result: Type,
        lane: impl Fn(&[u64]) -> Expected + Send + Sync + 'static,
    ) -> Check {
        let arguments = OPERANDS[..operands.len()].join(", ");
        let call = format!("{function}({arguments})");
        Check::expression(function, &call, operands, result, lane)
    }

    /// As [`Check::lanewise`], for any expression in `a`, `b` and `c`.
    pub fn expression(
        function: &str,
        expression: &str,
        operands: &[Type],
        result: Type,
        lane: impl Fn(&[u64]) -> Expected + Send + Sync + 'static,
    ) -> Check {
        let reference: Reference = Arc::new(move |lanes| each_lane(lanes, &lane));
        let mut check = Check::without_forms(function, operands);
        check.forms = WIDTHS
            .map(|width| Form {
                name: arguments(operands, width),
                operands: vec![Shape::Vector(width); operands.len()],
                result,
                result_shape: Shape::Vector(width),
                statements: format!("result = {expression};"),
                reference: Arc::clone(&reference),
            })
            .to_vec();
        check
    }

    /// An expression that is true or false: 1 and 0 on scalars; on vectors, lanes of the operand's size with
    /// all bits or none.
    pub fn predicate(
        function: &str,
        expression: &str,
        operands: &[Type],
        holds: impl Fn(&[u64]) -> bool + Send + Sync + 'static,
    ) -> Check {
        let holds = Arc::new(holds);
        let signed = operands[0].signed();
        let mut check = Check::expression(function, expression, operands, signed, |_| {
            Expected::Anything
        });
        check.forms[0].result = Type::Int;
        for form in &mut check.forms {
            let yes = match form.result_shape.len() {
                1 => 1,
                _ => form.result.mask(),
            };
            let holds = Arc::clone(&holds);
            form.reference = Arc::new(move |lanes| {
                each_lane(lanes, |x| Expected::Bits(if holds(x) { yes } else { 0 }))
            });
        }
        check
    }

    /// An expression that gives `b` where `c` holds and `a` elsewhere: a scalar condition holds when it is
    /// not zero, a lane's when its top bit is set.
    pub fn selection(function: &str, expression: &str, type_: Type, condition: Type) -> Check {
        let operands = [type_, type_, condition];
        let mut check = Check::expression(function, expression, &operands, type_, |_| {
            Expected::Anything
        });
        for form in &mut check.forms {
            let counts = match form.result_shape.len() {
                1 => condition.mask(),
                _ => condition.top(),
            };
            form.reference = Arc::new(move |lanes| {
                each_lane(lanes, |x| {
                    Expected::Bits(if x[2] & counts != 0 { x[1] } else { x[0] })
                })
            });
        }
        check
    }

    /// A check without forms yet.
    pub fn without_forms(function: &str, operands: &[Type]) -> Check {
        Check {
            name: format!("{function}({})", arguments(operands, 1)),
            operands: operands.to_vec(),
            forms: Vec::new(),
            declarations: String::new(),
            domain: Domain::Any,
            standard: Standard::V12,
        }
    }

    /// With these statements at the start of the kernel.
    pub fn with_declarations(mut self, declarations: impl Into<String>) -> Check {
        self.declarations = declarations.into();
        self
    }

    /// With operands of moderate size.
    pub fn of_usual_size(mut self) -> Check {
        self.domain = Domain::Usual;
        self
    }

    /// Of a later version of the language.
    pub fn since(mut self, standard: Standard) -> Check {
        self.standard = standard;
        self
    }

    /// Also with vectors for the other operands and scalars for these.
    pub fn with_shared(mut self, shared: &[usize]) -> Check {
        let vectors: Vec<Form> = self.forms.iter().skip(1).cloned().collect();
        for mut form in vectors {
            for &at in shared {
                form.operands[at] = Shape::Vector(1);
            }
            form.name = form
                .operands
                .iter()
                .zip(&self.operands)
                .map(|(shape, type_)| type_.vector(shape.len()))
                .collect::<Vec<_>>()
                .join(", ");
            self.forms.push(form);
        }
        self
    }

    /// Only the forms in which no operand or result has more lanes.
    pub fn up_to(mut self, width: usize) -> Check {
        self.forms
            .retain(|form| form.operands.iter().all(|shape| shape.len() <= width));
        self
    }
}

/// The types of the arguments of a form in which all have the same width.
fn arguments(operands: &[Type], width: usize) -> String {
    let names: Vec<String> = operands.iter().map(|type_| type_.vector(width)).collect();
    names.join(", ")
}

/// Applies a function to each lane; operands with a single lane are the same for all.
pub fn each_lane<R>(operands: &[&[u64]], lane: impl Fn(&[u64]) -> R) -> Vec<R> {
    let width = operands.iter().map(|lanes| lanes.len()).max().unwrap_or(0);
    let mut values = [0; OPERANDS.len()];
    (0..width)
        .map(|at| {
            for (value, lanes) in values.iter_mut().zip(operands) {
                *value = lanes[if lanes.len() == 1 { 0 } else { at }];
            }
            lane(&values[..operands.len()])
        })
        .collect()
}
