//! The units. Adding one is a `.rs`, a `.v` beside it, and its name in the list below.

use crate::unit::UnitKind;

macro_rules! units {
    ($($name:ident)*) => {
        $(pub mod $name;)*

        /// Every unit's name and the parameter choices that stand for all of them in tests and
        /// documentation.
        pub fn catalog() -> Vec<(&'static str, Vec<Box<dyn UnitKind>>)> {
            vec![$((stringify!($name), $name::samples())),*]
        }
    };
}

units! {
    arbiter branch buffer cache counter dispatcher fifo fork join load loop_gate memory_port
    private_memory rom segment select slots store
}
