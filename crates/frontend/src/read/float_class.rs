//! `llvm.is.fpclass`: whether a float is in any of the named classes, by its bits.

use sluice_kernel::ir::{self, BinaryOp, Predicate, Type};

use super::body::Reader;
use super::llvm::Value;
use super::refusal::{Code, Refusal};
use super::{Lanes, Result};

/// The bits of one float format that delimit the classes.
#[derive(Clone, Copy)]
struct Format {
    /// The sign bit.
    sign: u64,
    /// The bits of infinity: an exponent of all ones.
    infinity: u64,
    /// The highest bit of the fraction, set in quiet NaNs.
    quiet: u64,
    /// The bits of the smallest normal number.
    smallest_normal: u64,
}

/// The classes of LLVM's mask that differ in sign only: their bits and the range of magnitudes.
struct Class {
    negative: u32,
    positive: u32,
    first: u64,
    last: u64,
}

impl<'m> Reader<'m> {
    /// A test of a float's class.
    pub fn read_float_class(&mut self, call: Value<'m>) -> Result<Lanes> {
        let Some(mask) = call.operand(1).as_int() else {
            return Err(Refusal::new(
                Code::UnsupportedOperation,
                "the class of a floating-point test is not a constant",
            ));
        };
        let mask = mask as u32;
        self.map_lanes(call, |reader, [x]| reader.is_in_class(x, mask))
    }

    fn is_in_class(&mut self, x: ir::Value, mask: u32) -> ir::Value {
        let format = Format::of(self.b.kernel.ty(x));
        let bits = self.b.as_int(x);
        let magnitude = self.b.binary_constant(BinaryOp::And, bits, format.sign - 1);
        let negative = self.b.compare_constant(Predicate::Slt, bits, 0);
        let mut answer = None;
        for class in format.classes() {
            let signs = (mask & class.negative != 0, mask & class.positive != 0);
            if signs == (false, false) {
                continue;
            }
            let mut is_member = self.is_between(magnitude, class.first, class.last);
            if signs.0 != signs.1 {
                let sign = match signs.0 {
                    true => negative,
                    false => self.b.not(negative),
                };
                is_member = self.b.binary(BinaryOp::And, is_member, sign);
            }
            answer = Some(match answer {
                None => is_member,
                Some(others) => self.b.binary(BinaryOp::Or, others, is_member),
            });
        }
        answer.unwrap_or_else(|| self.b.constant(Type::BOOL, 0))
    }

    fn is_between(&mut self, x: ir::Value, first: u64, last: u64) -> ir::Value {
        if first == last {
            return self.b.compare_constant(Predicate::Eq, x, first);
        }
        let distance = self.b.binary_constant(BinaryOp::Sub, x, first);
        self.b
            .compare_constant(Predicate::Ule, distance, last - first)
    }
}

impl Format {
    fn of(ty: Type) -> Format {
        let fraction = match ty {
            Type::F16 => 10,
            Type::F32 => 23,
            Type::F64 => 52,
            Type::Int(_) | Type::Ptr(_) => unreachable!("the module was verified: a float"),
        };
        let sign = 1 << (ty.bits() - 1);
        let smallest_normal = 1 << fraction;
        Format {
            sign,
            infinity: sign - smallest_normal,
            quiet: smallest_normal >> 1,
            smallest_normal,
        }
    }

    /// LLVM's mask, from its lowest bit: signalling and quiet NaN, negative infinity, normal,
    /// subnormal and zero, positive zero, subnormal, normal and infinity.
    fn classes(self) -> [Class; 6] {
        let class = |negative, positive, first, last| Class {
            negative,
            positive,
            first,
            last,
        };
        let quiet = self.infinity + self.quiet;
        [
            class(1 << 0, 1 << 0, self.infinity + 1, quiet - 1),
            class(1 << 1, 1 << 1, quiet, self.sign - 1),
            class(1 << 2, 1 << 9, self.infinity, self.infinity),
            class(1 << 3, 1 << 8, self.smallest_normal, self.infinity - 1),
            class(1 << 4, 1 << 7, 1, self.smallest_normal - 1),
            class(1 << 5, 1 << 6, 0, 0),
        ]
    }
}
