//! The kernels as every program runs them: through the interpreter, which defines what they mean.

use sluice_frontend::{Options, Source, compile};
use sluice_kernel::Kernel;
use sluice_kernel::interp::{self, Fault};
use sluice_kernel::launch::{Argument, Buffer, Launch, Memory, NdRange};

/// A program of [`crate::program`] as kernel IR.
pub struct Interpreted {
    kernels: Vec<Kernel>,
}

impl Interpreted {
    /// Compiles a program.
    pub fn compile(source: &Source) -> Result<Interpreted, sluice_frontend::Error> {
        let kernels = compile(source, &Options::default())?.kernels;
        Ok(Interpreted { kernels })
    }

    /// Applies a kernel to every argument.
    pub fn run(&self, name: &str, arguments: &[Vec<u64>; 3]) -> Result<[Vec<u64>; 2], Fault> {
        let mut kernels = self.kernels.iter();
        let kernel = kernels
            .find(|kernel| kernel.name == name)
            .expect("the program has a kernel per function");
        let count = arguments[0].len();
        let mut memory = Memory::new();
        let nothing = vec![0; count];
        let inputs = arguments.iter().chain([&nothing, &nothing]);
        let buffers: Vec<_> = inputs
            .map(|numbers| memory.add(Buffer::from_bytes(&to_bytes(numbers))))
            .collect();
        let mut args: Vec<Argument> = buffers.iter().map(|&id| Argument::Buffer(id)).collect();
        args.push(Argument::Value([count as u64].into_iter().collect()));
        let launch = Launch {
            range: NdRange::new(kernel, &[1]),
            args,
        };
        interp::run(kernel, &launch, &memory, &interp::Options::default())?;
        let result = |at: usize| from_bytes(&memory.buffer(buffers[at]).to_bytes());
        Ok([result(3), result(4)])
    }
}

fn to_bytes(numbers: &[u64]) -> Vec<u8> {
    numbers
        .iter()
        .flat_map(|number| number.to_le_bytes())
        .collect()
}

fn from_bytes(bytes: &[u8]) -> Vec<u64> {
    let (numbers, _) = bytes.as_chunks::<8>();
    numbers
        .iter()
        .map(|&bytes| u64::from_le_bytes(bytes))
        .collect()
}
