//! The launch as the command line gives it: index space and arguments.

use std::num::{IntErrorKind, ParseIntError};

use clap::{Args, Parser};
use sluice_kernel::ir::{Param, ParamKind, Pointee};
use sluice_kernel::launch::{Argument, Buffer, BufferId, Launch, Memory, NdRange};
use sluice_kernel::{Kernel, Program};

use crate::board::Board;
use crate::contents::{Mistake, Room, contents, read_file, word_bytes};
use crate::element::parse_scalar;
use crate::failure::Failure;

/// Index space and arguments.
#[derive(Args, Clone, Debug)]
pub struct LaunchArgs {
    /// Work-items in each dimension
    #[arg(short, long, value_name = "X[,Y[,Z]]", value_parser = parse_sizes)]
    pub global: Sizes,

    /// Work-items of a work-group in each dimension [default: chosen to suit]
    #[arg(short, long, value_name = "X[,Y[,Z]]", value_parser = parse_sizes)]
    pub local: Option<Sizes>,

    /// First global id in each dimension [default: 0]
    #[arg(long, value_name = "X[,Y[,Z]]", value_parser = parse_sizes)]
    pub offset: Option<Sizes>,

    /// A kernel argument; once per parameter, in order (see below)
    #[arg(
        short = 'a',
        long = "arg",
        value_name = "ARG",
        allow_hyphen_values = true
    )]
    pub args: Vec<String>,
}

impl LaunchArgs {
    /// Reads index space and arguments from one line, as on the command line.
    pub fn parse_line(line: &str) -> Result<LaunchArgs, clap::Error> {
        #[derive(Parser)]
        #[command(no_binary_name = true)]
        struct Line {
            #[command(flatten)]
            launch: LaunchArgs,
        }
        Ok(Line::try_parse_from(line.split_whitespace())?.launch)
    }
}

/// The largest local memory: README.md, "Limits".
pub(crate) const MOST_LOCAL_BYTES: u64 = 16 << 20;

/// How arguments are written, for `--help`.
pub(crate) const ARGUMENT_HELP: &str = "\
Arguments (-a), by the kernel's signature:
  2.5, -3, 0x10        a scalar; a vector as 1,2,3,4
  zero:N iota:N        a buffer of N elements: zeros; 0, 1, 2, ...
  fill:N:V             N elements of value V
  rand:N[:SEED[:LO:HI]]  random elements; integers over their whole range, floats in [0, 1)
  values:V,V,...       these elements, component by component
  words:W,W,...        these 32-bit words: for structs, in buffers or by value
  file:PATH            the bytes of a file
  undef:N              N uninitialised elements (see --checks)
  same:K               the buffer of argument K once more
  null                 a null pointer
  local:BYTES          local memory";

/// One to three sizes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sizes(pub Vec<u64>);

fn parse_sizes(text: &str) -> Result<Sizes, String> {
    let sizes: Result<Vec<u64>, ParseIntError> = text.split(',').map(str::parse).collect();
    match sizes {
        Ok(sizes) if sizes.len() <= 3 => Ok(Sizes(sizes)),
        Ok(_) => Err("at most three dimensions".into()),
        Err(error) if *error.kind() == IntErrorKind::PosOverflow => {
            Err(format!("sizes are at most {}", u32::MAX))
        }
        Err(_) => Err("sizes are written X, X,Y or X,Y,Z".into()),
    }
}

/// Launches of a program's kernels, one of each, with the memory that they work on. Those of several
/// kernels run at the same time.
#[derive(Debug)]
pub struct Session {
    /// Index space and arguments, by kernel; at least one.
    pub launches: Vec<Launch>,
    /// The buffers.
    pub memory: Memory,
    /// The buffer of the program's variables.
    pub variables: Option<BufferId>,
}

impl Session {
    /// The launches that `args` describe for the kernels of a program, on the default board. Arguments
    /// are counted on: the first one of a kernel comes after the last one of the kernel before.
    pub fn bind<'a>(
        program: &Program,
        args: impl IntoIterator<Item = &'a LaunchArgs>,
    ) -> Result<Session, Failure> {
        Session::bind_on(&Board::default(), program, args)
    }

    /// As [`Session::bind`], on a board, whose memory must have room for the buffers.
    pub(crate) fn bind_on<'a>(
        board: &Board,
        program: &Program,
        args: impl IntoIterator<Item = &'a LaunchArgs>,
    ) -> Result<Session, Failure> {
        let mut binder = Binder {
            memory: Memory::new(),
            bound: Vec::new(),
            room: room(board),
            variables: None,
        };
        let launches = program.kernels().iter().zip(args);
        let launches = launches.map(|(kernel, args)| bind_launch(&mut binder, kernel, args));
        Ok(Session {
            launches: launches.collect::<Result<_, _>>()?,
            memory: binder.memory,
            variables: binder.variables,
        })
    }

    /// The launch of the first kernel: the only one, if there is one kernel.
    pub fn launch(&self) -> &Launch {
        &self.launches[0]
    }

    /// The buffers of all launches, each once, by argument: an aliased one belongs to its first.
    /// Arguments are counted on from kernel to kernel.
    pub fn buffers(&self, program: &Program) -> Vec<(usize, BufferId, Pointee)> {
        let mut seen: Vec<(usize, BufferId, Pointee)> = Vec::new();
        let launches = program.kernels().iter().zip(&self.launches);
        let args =
            launches.flat_map(|(kernel, launch)| kernel.host_params().iter().zip(&launch.args));
        for (index, (param, arg)) in args.enumerate() {
            if let (ParamKind::Buffer { pointee, .. }, Argument::Buffer(id)) = (param.kind, arg)
                && seen.iter().all(|(_, other, _)| other != id)
            {
                seen.push((index, *id, pointee));
            }
        }
        seen
    }

    /// The buffer of a parameter of the first kernel, with what it is an array of.
    pub fn buffer(&self, kernel: &Kernel, param: usize) -> Option<(&Buffer, Pointee)> {
        match (self.launch().args.get(param)?, kernel.params[param].kind) {
            (Argument::Buffer(id), ParamKind::Buffer { pointee, .. }) => {
                Some((self.memory.buffer(*id), pointee))
            }
            _ => None,
        }
    }
}

/// What there is for buffers: what the board has, and at most half of what this machine has left, as
/// contents are made before they are moved into buffers.
fn room(board: &Board) -> Room {
    let target = Room {
        bytes: board.memory_bytes,
        limit: format!(
            "the memory of {} has {} for all buffers",
            board.name, board.memory_bytes
        ),
    };
    match available_memory().map(|bytes| bytes / 2) {
        Some(bytes) if bytes < target.bytes => Room {
            bytes,
            limit: format!("this machine has {bytes} to spare for all buffers"),
        },
        Some(_) | None => target,
    }
}

/// The memory of this machine that programs can still have, where the system says so.
fn available_memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kibibytes: u64 = line.trim().strip_suffix(" kB")?.trim().parse().ok()?;
    kibibytes.checked_mul(1024)
}

fn bind_launch(binder: &mut Binder, kernel: &Kernel, args: &LaunchArgs) -> Result<Launch, Failure> {
    let range = index_space(kernel, args)?;
    let params = kernel.host_params();
    if args.args.len() != params.len() {
        return Err(Failure::usage(
            format!(
                "kernel `{}` takes {} arguments, {} were given",
                kernel.name,
                params.len(),
                args.args.len()
            ),
            format!("its parameters are: {}", signature(kernel)),
        ));
    }
    let first = binder.bound.len();
    for (index, (param, text)) in params.iter().zip(&args.args).enumerate() {
        let argument = binder.bind(kernel, param, text).map_err(|mistake| {
            let (why, help) = match mistake {
                Mistake::Form(why) => (why, expected(param)),
                Mistake::Size(why) => (why, "choose another --target or smaller buffers"),
            };
            let Param {
                type_name, name, ..
            } = param;
            Failure::usage(
                format!("argument {index} (`{type_name} {name}`): {why}"),
                help,
            )
        })?;
        binder.bound.push(argument);
    }
    let mut args = binder.bound[first..].to_vec();
    args.extend(binder.variables(kernel).map(Argument::Buffer));
    let launch = Launch { range, args };
    launch
        .check(kernel)
        .map_err(|error| Failure::usage(error.to_string(), launch_help(kernel)))?;
    Ok(launch)
}

fn index_space(kernel: &Kernel, args: &LaunchArgs) -> Result<NdRange, Failure> {
    let dims = args.global.0.len();
    let mut range = NdRange::new(kernel, &args.global.0);
    for (option, name) in [(&args.local, "--local"), (&args.offset, "--offset")] {
        if option.as_ref().is_some_and(|sizes| sizes.0.len() != dims) {
            return Err(Failure::usage(
                format!("{name} and --global differ in their number of dimensions"),
                format!("give {name} {dims} sizes"),
            ));
        }
    }
    if let Some(Sizes(local)) = &args.local {
        range.local = [1; 3];
        range.local[..dims].copy_from_slice(local);
    }
    if let Some(Sizes(offset)) = &args.offset {
        range.offset[..dims].copy_from_slice(offset);
    }
    for (sizes, what) in [(range.global, "the launch"), (range.local, "a work-group")] {
        let product = sizes
            .iter()
            .try_fold(1_u64, |all, &size| all.checked_mul(size));
        if product.is_none() {
            return Err(Failure::usage(
                format!("{what} has more than {} work-items in all", u64::MAX),
                "split the launch: --offset says where a part begins",
            ));
        }
    }
    Ok(range)
}

fn launch_help(kernel: &Kernel) -> String {
    match kernel.work_group_size.required {
        Some([x, y, z]) => format!("the kernel says reqd_work_group_size({x}, {y}, {z})"),
        None => "without --local a fitting work-group size is chosen".into(),
    }
}

fn signature(kernel: &Kernel) -> String {
    let params: Vec<String> = kernel
        .host_params()
        .iter()
        .map(|param| format!("{} {}", param.type_name, param.name))
        .collect();
    params.join(", ")
}

fn expected(param: &Param) -> &'static str {
    match param.kind {
        ParamKind::Value(element) if element.lanes > 1 => {
            "a vector is written as its components, such as 1,2,3,4"
        }
        ParamKind::Value(_) => "a scalar is written as a number",
        ParamKind::Buffer { .. } => {
            "a buffer is written as zero:N, iota:N, fill:N:V, rand:N[:SEED[:LO:HI]], values:V,..., \
             file:PATH, same:K or null"
        }
        ParamKind::Local { .. } => "local memory is written as local:BYTES",
        ParamKind::Struct { .. } => "a struct is written as words:W,W,... or file:PATH",
        ParamKind::Variables { .. } => "variables are not passed",
    }
}

/// Turns argument texts into arguments, buffers into memory.
struct Binder {
    memory: Memory,
    bound: Vec<Argument>,
    /// What is left for buffers.
    room: Room,
    /// The program's variables, once a kernel uses them: all kernels are of one program.
    variables: Option<BufferId>,
}

impl Binder {
    fn bind(&mut self, kernel: &Kernel, param: &Param, text: &str) -> Result<Argument, Mistake> {
        match param.kind {
            ParamKind::Value(element) => {
                let lanes: Result<_, _> = text
                    .split(',')
                    .map(|lane| parse_scalar(element.scalar, lane))
                    .collect();
                let lanes: smallvec::SmallVec<[u64; 4]> = lanes?;
                if lanes.len() != usize::from(element.lanes) {
                    return Err(format!("{} components are wanted", element.lanes).into());
                }
                Ok(Argument::Value(lanes))
            }
            ParamKind::Local { .. } => {
                let size = text.strip_prefix("local:").and_then(|n| n.parse().ok());
                let size: u64 = size.ok_or("local memory is wanted")?;
                match size > MOST_LOCAL_BYTES {
                    true => Err(format!(
                        "{size} bytes are more than the {MOST_LOCAL_BYTES} that local memory can have"
                    )
                    .into()),
                    false => Ok(Argument::Local(size)),
                }
            }
            ParamKind::Struct { object } => {
                let bytes = match text.split_once(':') {
                    Some(("words", words)) => word_bytes(words)?,
                    Some(("file", path)) => read_file(path, &self.room)?,
                    _ => return Err("a struct is wanted".into()),
                };
                let size = kernel.objects[object].size().unwrap_or_default();
                if bytes.len() as u64 != size {
                    return Err(format!("the struct has {size} bytes, not {}", bytes.len()).into());
                }
                Ok(Argument::Struct(bytes))
            }
            ParamKind::Buffer { pointee, .. } => self.bind_buffer(pointee, text),
            ParamKind::Variables { .. } => Err("the program's variables are not passed".into()),
        }
    }

    /// The buffer of the program's variables, if a kernel uses them.
    fn variables(&mut self, kernel: &Kernel) -> Option<BufferId> {
        let size = kernel.variables.as_ref()?.size as usize;
        let memory = &mut self.memory;
        let fresh = || memory.add(Buffer::uninitialised(size));
        Some(*self.variables.get_or_insert_with(fresh))
    }

    fn bind_buffer(&mut self, pointee: Pointee, text: &str) -> Result<Argument, Mistake> {
        let buffer = match text.split_once(':') {
            None if text == "null" => return Ok(Argument::Null),
            Some(("same", index)) => return self.same_buffer(index),
            Some(("undef", count)) => Buffer::uninitialised(self.room.bytes_of(pointee, count)?),
            Some((kind, rest)) => Buffer::from_bytes(&contents(pointee, kind, rest, &self.room)?),
            None => return Err("a buffer is wanted".into()),
        };
        let bytes = buffer.len() as u64;
        self.room.bytes = self.room.bytes.checked_sub(bytes).ok_or_else(|| {
            Mistake::Size(format!("it has {bytes} bytes, and {}", self.room.limit))
        })?;
        Ok(Argument::Buffer(self.memory.add(buffer)))
    }

    fn same_buffer(&self, index: &str) -> Result<Argument, Mistake> {
        let earlier = index.parse().ok().and_then(|i: usize| self.bound.get(i));
        match earlier {
            Some(Argument::Buffer(id)) => Ok(Argument::Buffer(*id)),
            _ => Err(format!("argument {index} is no buffer given before").into()),
        }
    }
}

/// The buffers that the host passes, by parameter, each once: an aliased one belongs to its first parameter.
pub(crate) fn distinct_buffers(session: &Session) -> Vec<(usize, BufferId)> {
    let mut seen: Vec<(usize, BufferId)> = Vec::new();
    for (index, arg) in session.launch().args.iter().enumerate() {
        if let Argument::Buffer(id) = arg
            && session.variables != Some(*id)
            && seen.iter().all(|(_, other)| other != id)
        {
            seen.push((index, *id));
        }
    }
    seen
}
