//! Launches of small kernels.

use sluice_kernel::{
    Kernel,
    interp::{self, Checks, Fault, Options, Outcome},
    launch::{Argument, Buffer, BufferId, Launch, Memory, NdRange},
    text, verify,
};

/// A kernel with memory and arguments, ready to be launched.
pub struct Setup {
    pub kernel: Kernel,
    pub memory: Memory,
    pub args: Vec<Argument>,
    pub options: Options<'static>,
}

/// Parses and verifies a kernel.
pub fn setup(source: &str) -> Setup {
    let kernel = text::parse(source).unwrap_or_else(|error| panic!("{error}"));
    verify::verify(&kernel).unwrap_or_else(|errors| panic!("{errors}"));
    Setup {
        kernel,
        memory: Memory::new(),
        args: Vec::new(),
        options: Options::default(),
    }
}

impl Setup {
    /// Passes a buffer.
    pub fn buffer(&mut self, bytes: &[u8]) -> BufferId {
        let id = self.memory.add(Buffer::from_bytes(bytes));
        self.args.push(Argument::Buffer(id));
        id
    }

    /// Passes a buffer of words.
    pub fn words(&mut self, words: impl IntoIterator<Item = u32>) -> BufferId {
        let bytes: Vec<u8> = words.into_iter().flat_map(u32::to_le_bytes).collect();
        self.buffer(&bytes)
    }

    /// Asks for every check.
    pub fn checked(mut self) -> Setup {
        self.options.checks = Checks::ALL;
        self
    }

    /// Launches a one-dimensional range.
    pub fn run(&self, global: u64, local: u64) -> Result<Outcome, Fault> {
        self.run_range(NdRange {
            dims: 1,
            global: [global, 1, 1],
            local: [local, 1, 1],
            offset: [0; 3],
        })
    }

    /// Launches a range.
    pub fn run_range(&self, range: NdRange) -> Result<Outcome, Fault> {
        let args = self.args.clone();
        interp::run(
            &self.kernel,
            &Launch { range, args },
            &self.memory,
            &self.options,
        )
    }

    /// A buffer's words.
    pub fn read(&self, id: BufferId) -> Vec<u32> {
        let bytes = self.memory.buffer(id).to_bytes();
        let words = bytes.chunks_exact(4);
        words
            .map(|word| u32::from_le_bytes(word.try_into().expect("4 bytes")))
            .collect()
    }
}

/// A kernel whose only parameter is the buffer `out` of words; `body` ends by storing.
pub fn with_out(objects: &str, body: &str) -> String {
    format!(
        r#"kernel "k"
file "k.cl"
param "out" "uint*" buffer m0 uint
object m0 "out" buffer 0 global align 4
{objects}
{{
{body}
}}"#
    )
}

/// The address `vN` of the work-item's own word of `out`, in an entry block that begins with it:
/// `v0` is the global id as `i64`, `v1` as `i32`, `v2` the address.
pub const OWN_WORD: &str = "b0:
  v0: i64 = global_id 0
  v1: i32 = trunc v0
  v900: i64 = const 2
  v901: i64 = shl v0, v900
  v902: ptr.global = addr m0
  v2: ptr.global = ptradd v902, v901
";
