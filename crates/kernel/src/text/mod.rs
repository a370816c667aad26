//! The text form of the IR: a printer and a parser that undo each other.
