//! The program's variables: global memory that all kernels of a program share, and that keeps its
//! contents from launch to launch.
//!
//! To a kernel they are one buffer, its last parameter, which the host does not pass: the
//! runtime has one such buffer for each program and device. The first executor that is
//! given it fills it, because what a pointer to a variable is depends on the executor.

/// The variables of a program, one behind the other.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Variables {
    /// Bytes of all of them.
    pub size: u64,
    /// What they hold at first; the rest are zeros.
    pub bytes: Vec<u8>,
    /// The pointers among them: their bits differ from executor to executor.
    pub pointers: Vec<VariablePointer>,
}

/// A pointer of 64 bits among the variables.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct VariablePointer {
    /// Where the pointer is, in bytes.
    pub at: u64,
    /// Where among the variables it points to at first, in bytes, if it does.
    pub target: Option<u64>,
}

impl Variables {
    /// What they hold at first if the first of them is at this address.
    pub fn contents(&self, address: u64) -> Vec<u8> {
        let mut contents = self.bytes.clone();
        contents.resize(self.size as usize, 0);
        for pointer in &self.pointers {
            let Some(target) = pointer.target else {
                continue;
            };
            let at = pointer.at as usize;
            let target = address.wrapping_add(target);
            contents[at..at + 8].copy_from_slice(&target.to_le_bytes());
        }
        contents
    }
}
