//! Counts of leading zeros, trailing zeros and ones.

use super::{Operator, Port, Step, parts};
use crate::area::Area;
use crate::arith;
use crate::family::Delays;
use crate::text::{choices, parameters};
use crate::unit::require;
use crate::verilog::Source;

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Counted {
    /// Zeros above the highest one.
    LeadingZeros,
    /// Zeros below the lowest one.
    TrailingZeros,
    /// Ones.
    Ones,
}

impl Counted {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::LeadingZeros, Self::TrailingZeros, Self::Ones];
}

/// The operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Count {
    /// The operand's and the result's width, 1 to 64.
    pub width: u32,
    /// What is counted.
    pub counted: Counted,
}

const SOURCES: &[Source] = &[
    parts::STAGE,
    parts::LZC,
    Source {
        file: "sluice_count.v",
        text: include_str!("count.v"),
    },
];

impl Count {
    fn kind(&self) -> u64 {
        match self.counted {
            Counted::LeadingZeros => 0,
            Counted::TrailingZeros => 1,
            Counted::Ones => 2,
        }
    }
}

parameters! { Operator Count { width, counted } }
choices! { Counted { LeadingZeros = "leading_zeros", TrailingZeros = "trailing_zeros", Ones = "ones" } }

impl Operator for Count {
    fn check(&self) -> Result<(), String> {
        require((1..=64).contains(&self.width), "a width is 1 to 64 bits")
    }

    fn module(&self) -> &'static str {
        "sluice_count"
    }

    fn sources(&self) -> &'static [Source] {
        SOURCES
    }

    fn parameters(&self) -> Vec<(&'static str, u64)> {
        vec![("WIDTH", self.width.into()), ("KIND", self.kind())]
    }

    fn inputs(&self) -> Vec<Port> {
        vec![Port::bits("a", self.width)]
    }

    fn outputs(&self) -> Vec<Port> {
        vec![Port::bits("y", self.width)]
    }

    fn steps(&self, ns: &Delays) -> Vec<Step> {
        let bits = parts::clog2(self.width + 1);
        match self.counted {
            Counted::LeadingZeros | Counted::TrailingZeros => vec![
                Step::new("count", ns.lzc(self.width), bits + 1),
                Step::new("all zeros", ns.lut, bits),
            ],
            Counted::Ones => {
                let groups = self.width.div_ceil(8);
                let additions = groups.next_power_of_two().ilog2();
                vec![
                    Step::new("count groups", 4.0 * ns.lut, 4 * groups),
                    Step::new("add", f64::from(additions) * ns.lut + ns.carry(bits), bits),
                ]
            }
        }
    }

    fn logic(&self) -> Area {
        let kind = match self.counted {
            Counted::LeadingZeros | Counted::TrailingZeros => "bits of zeros",
            Counted::Ones => "bits of ones",
        };
        Area::of("count", [(kind, self.width)])
    }

    fn evaluate(&self, inputs: &[u64], outputs: &mut [u64]) {
        outputs[0] = match self.counted {
            Counted::LeadingZeros => arith::leading_zeros(self.width, inputs[0]),
            Counted::TrailingZeros => arith::trailing_zeros(self.width, inputs[0]),
            Counted::Ones => arith::count_ones(inputs[0]),
        };
    }
}

/// The choices for tests and measurements.
pub fn samples() -> Vec<Box<dyn Operator>> {
    let mut samples: Vec<Box<dyn Operator>> = Vec::new();
    for counted in Counted::ALL {
        for width in [1, 8, 16, 32, 37, 64] {
            samples.push(Box::new(Count { width, counted }));
        }
    }
    samples
}
