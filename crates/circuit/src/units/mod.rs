//! The units. Adding one is a `.rs`, a `.v` beside it, and its name in the list below.

use crate::text::{Cursor, ParseError};
use crate::unit::UnitKind;

/// Reads a unit's parameters.
pub(crate) type Parser = fn(&mut Cursor<'_>) -> Result<Box<dyn UnitKind>, ParseError>;

macro_rules! units {
    ($($name:ident)*) => {
        $(pub mod $name;)*

        /// Every unit's name and the parameter choices that stand for all of them in tests and
        /// documentation.
        pub fn catalog() -> Vec<(&'static str, Vec<Box<dyn UnitKind>>)> {
            vec![$((stringify!($name), $name::samples())),*]
        }

        /// What reads the parameters of the unit of that name.
        pub(crate) fn parser(name: &str) -> Option<Parser> {
            match name {
                $(stringify!($name) => Some($name::parse),)*
                _ => None,
            }
        }
    };
}

units! {
    arbiter atomics barrier branch buffer cache counter fifo fork group_slots groups items
    join load local_memory loop_gate memory_port private_memory registers rom segment select slots
    store turns
}
