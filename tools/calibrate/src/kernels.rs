//! The kernels whose units are measured.

use std::collections::BTreeMap;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use sluice_circuit::family::Family;
use sluice_circuit::unit::UnitKind;
use sluice_driver::{Board, CompileArgs, Design, TestFile, compile};
use sluice_kernel::Program;

/// Kernels of `tools/bench/kernels` that no estimate is fitted to.
pub const HELD_OUT: [&str; 10] = [
    "vector_add",
    "dot_rows",
    "matrix_multiply",
    "stencil",
    "fir",
    "mandelbrot",
    "spmv",
    "histogram",
    "reduce",
    "saxpy",
];

/// The board that stands for a family.
pub fn board(family: &Family) -> Result<Board, Box<dyn Error>> {
    for name in Board::names() {
        let board = Board::find(name)?;
        if board.target.family == family {
            return Ok(board);
        }
    }
    let example = root().join("docs/examples/arty-a7-100t.toml");
    Ok(Board::find(&example.to_string_lossy())?)
}

/// The repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Kernels that estimates are fitted to, each a program, with what they are called: those of
/// `tests/run`.
pub fn fitted() -> Result<Vec<(String, Program)>, Box<dyn Error>> {
    let mut files: Vec<PathBuf> = Vec::new();
    for entry in fs::read_dir(root().join("tests/run"))? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "cl") {
            files.push(path);
        }
    }
    files.sort();
    let mut programs = Vec::new();
    for path in files {
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let file = TestFile::read(&path)?;
        let first = file.cases.first().ok_or("a kernel file has a launch")?;
        programs.push((name.into_owned(), first.program()?));
    }
    Ok(programs)
}

/// The kernels of [`HELD_OUT`].
pub fn held_out() -> Result<Vec<(String, Program)>, Box<dyn Error>> {
    let program = |name: &&str| {
        let args = CompileArgs {
            file: root().join(format!("tools/bench/kernels/{name}.cl")),
            kernel: None,
            clang: Vec::new(),
        };
        Ok((name.to_string(), compile(&args)?.program))
    };
    HELD_OUT.iter().map(program).collect()
}

/// The units of a program's circuit with its registers.
pub fn units(
    program: &Program,
    board: &Board,
    datapaths: u32,
) -> Result<Vec<Box<dyn UnitKind>>, Box<dyn Error>> {
    let plan = board.plan().with_datapaths(datapaths);
    let design = Design::of(program.clone(), &board.target, &plan);
    let design = design.map_err(|refusal| refusal.to_string())?;
    Ok(design.into_shell().circuit.into_kinds())
}

/// What a unit is, as text: equal units have the same.
pub fn text(kind: &dyn UnitKind) -> String {
    let mut text = kind.word().to_owned() + " ";
    kind.print_parameters(&mut text);
    text
}

/// The beginning of that text, in one line.
pub fn short_text(kind: &dyn UnitKind) -> String {
    let text = text(kind);
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ").chars().take(200).collect()
}

/// Different units of programs, with the number of times that each occurs.
pub fn distinct(
    programs: &[(String, Program)],
    board: &Board,
) -> BTreeMap<String, (Box<dyn UnitKind>, u32)> {
    let mut found: BTreeMap<String, (Box<dyn UnitKind>, u32)> = BTreeMap::new();
    for (at, (_, program)) in programs.iter().enumerate() {
        let datapaths = if at % 8 == 0 { 3 } else { 1 };
        // What a target has no room for does not matter here; what cannot be built is left out.
        let Ok(kinds) = units(program, board, datapaths) else {
            continue;
        };
        for kind in kinds {
            found.entry(text(&*kind)).or_insert((kind, 0)).1 += 1;
        }
    }
    found
}
