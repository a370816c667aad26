//! Semantic choices that build options make, carried from compilation to the kernels.

use sluice_kernel::ir::{Reassociation, Subnormals};

/// Whether `a * b + c` may be rounded once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Contraction {
    /// Every operation rounds.
    Off,
    /// The compiler may choose.
    Allowed,
}

/// How exact the elementary functions of `float` are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Functions {
    /// Within the bounds that OpenCL sets.
    Full,
    /// As their `native_` forms (`-cl-fast-relaxed-math`).
    Native,
}

/// How much is done to make circuits small and fast.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Optimization {
    /// Everything.
    Full,
    /// What reading the kernels needs (`-cl-opt-disable`).
    Least,
}

/// The choices of a source, or of all the objects that were linked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Choices {
    pub contraction: Contraction,
    pub subnormals: Subnormals,
    pub reassociation: Reassociation,
    pub functions: Functions,
    pub optimization: Optimization,
}

impl Choices {
    /// The choices without any options.
    pub const DEFAULT: Choices = Choices {
        contraction: Contraction::Off,
        subnormals: Subnormals::Kept,
        reassociation: Reassociation::Forbidden,
        functions: Functions::Full,
        optimization: Optimization::Full,
    };

    /// The choices for a program linked from two parts: a relaxation holds only if both parts allow it.
    pub fn and(self, other: Choices) -> Choices {
        fn common<T: PartialEq>(a: T, b: T, strict: T) -> T {
            if a == b { a } else { strict }
        }
        Choices {
            contraction: common(self.contraction, other.contraction, Contraction::Off),
            subnormals: common(self.subnormals, other.subnormals, Subnormals::Kept),
            reassociation: common(
                self.reassociation,
                other.reassociation,
                Reassociation::Forbidden,
            ),
            functions: common(self.functions, other.functions, Functions::Full),
            optimization: common(self.optimization, other.optimization, Optimization::Least),
        }
    }

    /// The choices as a number, for files.
    pub fn to_number(self) -> u32 {
        u32::from(self.contraction == Contraction::Allowed)
            | u32::from(self.subnormals == Subnormals::Flushed) << 1
            | u32::from(self.functions == Functions::Native) << 2
            | u32::from(self.optimization == Optimization::Least) << 3
            | u32::from(self.reassociation == Reassociation::Allowed) << 4
    }

    /// The choices that [`Choices::to_number`] gave.
    pub fn from_number(number: u32) -> Option<Choices> {
        let is_set = |bit: u32| number >> bit & 1 == 1;
        let choices = Choices {
            contraction: if is_set(0) {
                Contraction::Allowed
            } else {
                Contraction::Off
            },
            subnormals: if is_set(1) {
                Subnormals::Flushed
            } else {
                Subnormals::Kept
            },
            functions: if is_set(2) {
                Functions::Native
            } else {
                Functions::Full
            },
            optimization: if is_set(3) {
                Optimization::Least
            } else {
                Optimization::Full
            },
            reassociation: if is_set(4) {
                Reassociation::Allowed
            } else {
                Reassociation::Forbidden
            },
        };
        (number < 32).then_some(choices)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_choices_and_back() {
        for number in 0..32 {
            let choices = Choices::from_number(number).expect("it is one");
            assert_eq!(choices.to_number(), number);
        }
        assert_eq!(Choices::from_number(32), None);
    }

    #[test]
    fn a_program_does_what_all_its_parts_allow() {
        let loose = Choices::from_number(0b10111).expect("it is one");
        assert_eq!(loose.and(loose), loose);
        assert_eq!(loose.and(Choices::DEFAULT), Choices::DEFAULT);
        let plain = Choices::from_number(0b1000).expect("it is one");
        assert_eq!(plain.and(Choices::DEFAULT), plain);
    }
}
