//! Random mutations of everything that is read from files, with fixed seeds: kernel IR, target files,
//! program binaries. What is read gets a message or is as good as what was never changed: it goes on
//! through the passes, onto the interpreter and into a circuit. Nothing panics.
//!
//! `SLUICE_MUTATIONS=N` tries N times as many; `make hostile` does.

use std::panic::catch_unwind;
use std::path::{Path, PathBuf};

use sluice_circuit::target::Target;
use sluice_driver::program::{Binary, Contents};
use sluice_driver::{Board, CompileArgs, compile};
use sluice_kernel::interp::{self, Options};
use sluice_kernel::ir::ParamKind;
use sluice_kernel::launch::{Argument, Buffer, Launch, Memory, NdRange};
use sluice_kernel::lower::lower;
use sluice_kernel::plan::Plan;
use sluice_kernel::prepare::prepare;
use sluice_kernel::{Kernel, Optimised, Program, passes, text, verify};

/// A small generator of random numbers.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((bits ^ (bits >> 31)) % bound.max(1) as u64) as usize
    }

    fn pick<'a>(&mut self, texts: &[&'a str]) -> &'a str {
        texts[self.below(texts.len())]
    }
}

/// How many mutations to try where `usual` are tried in every run of the tests.
fn count(usual: u64) -> u64 {
    let factor = std::env::var("SLUICE_MUTATIONS").map_or(1, |it| it.parse().expect("a number"));
    usual * factor
}

/// What stands for numbers, names and marks.
const WORDS: [&str; 24] = [
    "0",
    "1",
    "-1",
    "64",
    "65",
    "255",
    "4294967295",
    "18446744073709551615",
    "99999999999999999999",
    "nan",
    "inf",
    "1e300",
    "-0.0",
    "\"",
    "{",
    "}",
    ",",
    "=",
    "[",
    "é",
    "\0",
    "v0",
    "b0",
    "m0",
];

/// Some changes to a text: words and lines go, come, change, or change places.
fn mutate(text: &str, random: &mut Random) -> String {
    let mut text = text.to_owned();
    for _ in 0..=random.below(3) {
        text = mutate_once(&text, random);
    }
    text
}

fn mutate_once(text: &str, random: &mut Random) -> String {
    let mut lines: Vec<String> = text.lines().map(String::from).collect();
    if lines.is_empty() {
        return random.pick(&WORDS).to_owned();
    }
    let (one, two) = (random.below(lines.len()), random.below(lines.len()));
    let mut words: Vec<String> = lines[one].split(' ').map(String::from).collect();
    let others: Vec<String> = lines[two].split(' ').map(String::from).collect();
    let at = random.below(words.len());
    match random.below(9) {
        0 => drop(words.remove(at)),
        1 | 2 => words[at] = random.pick(&WORDS).to_owned(),
        3 | 4 => words[at] = others[random.below(others.len())].clone(),
        5 => words.insert(at, others[random.below(others.len())].clone()),
        6 => drop(words.drain(..)),
        7 => {
            words = others;
        }
        _ => {
            let mut characters: Vec<char> = words[at].chars().collect();
            if !characters.is_empty() {
                let place = random.below(characters.len());
                characters[place] = char::from(b' ' + random.below(95) as u8);
            }
            words[at] = characters.into_iter().collect();
        }
    }
    lines[one] = words.join(" ");
    lines.join("\n") + "\n"
}

/// Tries mutations of texts and panics with the first that makes `check` panic.
fn try_all(texts: &[String], usual: u64, check: impl Fn(&str) + std::panic::RefUnwindSafe) {
    for seed in 0..count(usual) {
        let original = &texts[(seed % texts.len() as u64) as usize];
        let mutant = mutate(original, &mut Random(seed));
        if catch_unwind(|| check(&mutant)).is_err() {
            panic!("seed {seed} panics:\n{mutant}");
        }
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Kernels with barriers, atomics, tables, structs, private arrays, prints and odd control flow.
fn kernels() -> Vec<Optimised> {
    let files = [
        "barrier_private_arrays",
        "atomics_cmpxchg",
        "constant_tables",
        "struct_by_value",
        "goto_state_machine",
        "printf_formats",
        "vector_swizzles",
        "early_return_divergent",
    ];
    let kernels = files.iter().flat_map(|name| {
        let args = CompileArgs {
            file: root().join(format!("tests/run/{name}.cl")),
            kernel: None,
            clang: Vec::new(),
        };
        compile(&args)
            .unwrap_or_else(|failure| panic!("{name}: {failure}"))
            .program
            .kernels()
            .to_vec()
    });
    kernels.collect()
}

/// A launch of a kernel of any parameters.
fn launch(kernel: &Kernel) -> (Launch, Memory) {
    let mut memory = Memory::new();
    let argument = |kind: &ParamKind| match kind {
        ParamKind::Value(element) => Argument::Value(vec![3; element.lanes.into()].into()),
        ParamKind::Buffer { .. } => Argument::Buffer(memory.add(Buffer::uninitialised(256))),
        ParamKind::Variables { .. } => {
            let size = kernel.variables.as_ref().map_or(0, |it| it.size.min(4096));
            Argument::Buffer(memory.add(Buffer::uninitialised(size as usize)))
        }
        ParamKind::Local { .. } => Argument::Local(256),
        ParamKind::Struct { object } => {
            let size = kernel.objects[*object].size().unwrap_or_default();
            Argument::Struct(vec![1; size.min(4096) as usize])
        }
    };
    let args = kernel
        .params
        .iter()
        .map(|param| param.kind)
        .collect::<Vec<_>>();
    let args = args.iter().map(argument).collect();
    let range = NdRange::new(kernel, &[8]);
    (Launch { range, args }, memory)
}

/// What commands and the runtime do with a kernel that was read from a file.
fn use_kernel(kernel: Kernel) {
    let kernel = passes::optimise(kernel);
    let (launch, memory) = launch(&kernel);
    let options = Options {
        step_limit: 2000,
        ..Options::default()
    };
    let _ = interp::run(&kernel, &launch, &memory, &options);
    if let Ok(lowered) =
        prepare(&Program::of(kernel), &Plan::default(), &Target::ECP5).and_then(|it| lower(&it))
    {
        sluice_circuit::verify::verify(lowered.circuit()).expect("lowering keeps the invariants");
    }
}

#[test]
fn kernel_ir_is_read_or_refused() {
    let texts: Vec<String> = kernels().iter().map(ToString::to_string).collect();
    try_all(&texts, 1500, |mutant| {
        if let Ok(kernel) = text::parse(mutant)
            && verify::verify(&kernel).is_ok()
        {
            use_kernel(kernel);
        }
    });
}

#[test]
fn target_files_are_read_or_refused() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("mutant.toml");
    let texts: Vec<String> = Board::names()
        .map(|name| root().join(format!("crates/driver/targets/{name}.toml")))
        .map(|path| std::fs::read_to_string(path).expect("a target"))
        .collect();
    let program = Program::of(kernels().swap_remove(0));
    let mut read = 0;
    for seed in 0..count(600) {
        let mutant = mutate(&texts[seed as usize % texts.len()], &mut Random(seed));
        std::fs::write(&path, &mutant).expect("the folder is there");
        let Ok(board) = Board::find(&path.display().to_string()) else {
            continue;
        };
        read += 1;
        // Building for it costs more than reading it.
        if read % 20 == 0
            && catch_unwind(|| {
                prepare(&program, &Plan::default(), &board.target).and_then(|it| lower(&it))
            })
            .is_err()
        {
            panic!("seed {seed} panics:\n{mutant}");
        }
    }
    assert!(read > 0, "some changes mean nothing");
}

#[test]
fn program_binaries_are_read_or_refused() {
    let binary = Binary {
        target: "ecp5-85".into(),
        datapaths: 1,
        options: "-w".into(),
        contents: Contents::Executable(Program::new(kernels()).expect("one kernel has variables")),
    };
    let bytes = binary.to_bytes();
    for seed in 0..count(300) {
        let mut random = Random(seed);
        let mut mutant = bytes.clone();
        match random.below(3) {
            0 => mutant.truncate(random.below(mutant.len())),
            1 => mutant.extend_from_slice(&bytes[..random.below(100)]),
            _ => {
                for _ in 0..=random.below(4) {
                    let at = random.below(mutant.len());
                    mutant[at] ^= 1 << random.below(8);
                }
            }
        }
        match catch_unwind(|| Binary::from_bytes(&mutant)) {
            Ok(read) => assert!(read.is_err() || mutant == bytes, "seed {seed} is read"),
            Err(_) => panic!("seed {seed} panics"),
        }
    }
}
