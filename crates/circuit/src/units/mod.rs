//! The units. Adding one is a `.rs`, a `.v` beside it, its `pub mod` and its name in the list
//! below; one that is declared but not listed leaves its `parse` unused, which the compiler reports.

use crate::text::{Cursor, ParseError};
use crate::unit::UnitKind;

pub mod arbiter;
pub mod atomics;
pub mod barrier;
pub mod branch;
pub mod buffer;
pub mod cache;
pub mod copy;
pub mod counter;
pub mod credits;
pub mod fifo;
pub mod fork;
pub mod group_slots;
pub mod groups;
pub mod items;
pub mod join;
pub mod line_arbiter;
pub mod load;
pub mod local_memory;
pub mod loop_gate;
pub mod memory_port;
pub mod private_memory;
pub mod reader;
pub mod registers;
pub mod rejoin;
pub mod rom;
pub mod runahead;
pub mod segment;
pub mod select;
pub mod slots;
pub mod store;
pub mod turns;
pub mod writer;

/// Reads a unit's parameters.
pub(crate) type Parser = fn(&mut Cursor<'_>) -> Result<Box<dyn UnitKind>, ParseError>;

macro_rules! units {
    ($($name:ident)*) => {
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
    arbiter atomics barrier branch buffer cache copy counter credits fifo fork group_slots groups items
    join line_arbiter load local_memory loop_gate memory_port private_memory reader registers rejoin rom runahead segment
    select slots store turns writer
}
