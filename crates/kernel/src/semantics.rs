//! What the operations compute.
