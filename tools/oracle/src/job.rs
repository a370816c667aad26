//! Jobs and their outcomes, as plain data that can cross a process boundary.

use serde::{Deserialize, Serialize};
use sluice_generator::ArgSpec;
use sluice_kernel::Kernel;
use sluice_kernel::ir::ParamKind;
use sluice_kernel::launch::{Argument, Launch, Memory};

/// One launch of one kernel.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Job {
    /// OpenCL C text.
    pub source: String,
    /// Options of the compiler.
    pub options: String,
    /// The kernel's name.
    pub kernel: String,
    /// Global size, one entry per dimension.
    pub global: Vec<u64>,
    /// Work-group size, or the implementation's choice.
    pub local: Option<Vec<u64>>,
    /// Global offset: empty, or one entry per dimension.
    pub offset: Vec<u64>,
    /// Memory before the launch.
    #[serde(with = "hex_list")]
    pub buffers: Vec<Vec<u8>>,
    /// The kernel's arguments in order.
    pub args: Vec<JobArg>,
}

/// One kernel argument.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum JobArg {
    /// A buffer, by its index in [`Job::buffers`]; the same index may be used twice.
    Buffer(usize),
    /// A value passed by copy: a scalar, a vector or a struct, as its bytes.
    Scalar(Vec<u8>),
    /// Local memory, by its size in bytes.
    Local(usize),
    /// A null pointer to global or constant memory.
    Null,
}

/// The outcome of a launch.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// Memory after the launch, in the order of [`Job::buffers`].
    #[serde(with = "hex_list")]
    pub buffers: Vec<Vec<u8>>,
    /// The compiler's messages.
    pub log: String,
    /// How long the launch took, from enqueueing it to its end.
    pub seconds: f64,
}

impl Job {
    /// The job for a launch that was prepared for Sluice's own executors.
    pub fn of_launch(
        program: Program<'_>,
        kernel: &Kernel,
        launch: &Launch,
        memory: &Memory,
    ) -> Job {
        let range = &launch.range;
        let dims = usize::from(range.dims);
        let args = launch.args.iter().zip(&kernel.params);
        Job {
            source: program.source.into(),
            options: program.options.join(" "),
            kernel: kernel.name.clone(),
            global: range.global[..dims].to_vec(),
            local: Some(range.local[..dims].to_vec()),
            offset: range.offset[..dims].to_vec(),
            buffers: memory
                .buffers()
                .map(|(_, buffer)| buffer.to_bytes())
                .collect(),
            args: args
                .map(|(arg, param)| JobArg::of_argument(arg, param.kind))
                .collect(),
        }
    }
}

/// OpenCL C with the options to compile it with.
#[derive(Debug, Clone, Copy)]
pub struct Program<'a> {
    /// The text.
    pub source: &'a str,
    /// The options.
    pub options: &'a [String],
}

impl JobArg {
    fn of_argument(arg: &Argument, kind: ParamKind) -> JobArg {
        match (arg, kind) {
            (Argument::Value(lanes), ParamKind::Value(element)) => {
                let size = element.scalar.bytes() as usize;
                let lanes = lanes.iter().map(|lane| lane.to_le_bytes());
                let mut bytes: Vec<u8> =
                    lanes.flat_map(|lane| lane.into_iter().take(size)).collect();
                bytes.resize(element.bytes() as usize, 0);
                JobArg::Scalar(bytes)
            }
            (Argument::Value(_), _) => unreachable!("Launch::check: values go to value parameters"),
            (Argument::Buffer(id), _) => JobArg::Buffer(id.as_u32() as usize),
            (Argument::Null, _) => JobArg::Null,
            (Argument::Local(bytes), _) => JobArg::Local(*bytes as usize),
            (Argument::Struct(bytes), _) => JobArg::Scalar(bytes.clone()),
        }
    }
}

impl From<&sluice_generator::Program> for Job {
    fn from(program: &sluice_generator::Program) -> Self {
        let dim = program.work_dim as usize;
        Job {
            source: program.source.clone(),
            options: "-cl-std=CL1.2".into(),
            kernel: program.kernel.clone(),
            global: program.global[..dim].to_vec(),
            local: Some(program.local[..dim].to_vec()),
            offset: program.offset[..dim].to_vec(),
            buffers: program
                .buffers
                .iter()
                .map(|buffer| buffer.bytes.clone())
                .collect(),
            args: program.args.iter().map(JobArg::from).collect(),
        }
    }
}

impl From<&ArgSpec> for JobArg {
    fn from(arg: &ArgSpec) -> Self {
        match arg {
            ArgSpec::Buffer(index) => JobArg::Buffer(*index),
            ArgSpec::Value(bytes) => JobArg::Scalar(bytes.clone()),
            ArgSpec::Local(bytes) => JobArg::Local(*bytes),
        }
    }
}

/// Buffers as hexadecimal text: a JSON array of numbers would be several times as long.
mod hex_list {
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub fn serialize<S: Serializer>(buffers: &[Vec<u8>], out: S) -> Result<S::Ok, S::Error> {
        let digit = |nibble: u8| char::from(b"0123456789abcdef"[usize::from(nibble)]);
        let text = |bytes: &Vec<u8>| {
            bytes
                .iter()
                .flat_map(|b| [digit(b >> 4), digit(b & 15)])
                .collect::<String>()
        };
        buffers
            .iter()
            .map(text)
            .collect::<Vec<String>>()
            .serialize(out)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(input: D) -> Result<Vec<Vec<u8>>, D::Error> {
        let texts = Vec::<String>::deserialize(input)?;
        texts
            .iter()
            .map(|text| parse(text).ok_or_else(|| D::Error::custom("not hexadecimal")))
            .collect()
    }

    fn parse(text: &str) -> Option<Vec<u8>> {
        let digit = |c: u8| char::from(c).to_digit(16);
        let pairs = text.as_bytes().chunks(2);
        pairs
            .map(|pair| Some((digit(pair[0])? * 16 + digit(*pair.get(1)?)?) as u8))
            .collect()
    }
}
