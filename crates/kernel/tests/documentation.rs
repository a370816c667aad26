//! The worked examples: `docs/adding-an-operation.md` quotes the files that it names and
//! `docs/adding-a-pass.md` the pass that is compiled here; their kernels run.

#[path = "../../../docs/examples/drop_repeated_fences.rs"]
mod drop_repeated_fences;

use std::path::{Path, PathBuf};

use drop_repeated_fences::drop_repeated_fences;
use sluice_circuit::arith::Subnormals;
use sluice_circuit::target::Target;
use sluice_circuit::units::segment::Inline;
use sluice_kernel::interp::{Options, run};
use sluice_kernel::ir::{BinaryOp, Hardware, Numbers, Site, TernaryOp, Type, UnaryOp, Widths};
use sluice_kernel::launch::{Argument, Buffer, Launch, Memory, NdRange};
use sluice_kernel::text::parse;
use sluice_kernel::verify::verify;

const OPERATION: &str = include_str!("../../../docs/adding-an-operation.md");
const PASS: &str = include_str!("../../../docs/adding-a-pass.md");

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The blocks of a language, each with the text before it.
fn blocks<'p>(page: &'p str, language: &str) -> Vec<(&'p str, &'p str)> {
    let fence = format!("```{language}\n");
    let starts: Vec<usize> = page.match_indices(&fence).map(|(start, _)| start).collect();
    let block = |start: usize| {
        let code = &page[start + fence.len()..];
        let code = code.split("```").next().expect("the block has an end");
        (&page[..start], code)
    };
    starts.into_iter().map(block).collect()
}

#[test]
fn the_operations_page_quotes_the_files_that_it_names() {
    let quotes = blocks(OPERATION, "rust");
    assert_eq!(quotes.len(), 2, "blocks");
    for (before, code) in quotes {
        let file = before.rfind("`crates/").expect("a file is named above");
        let file = before[file + 1..].split('`').next().expect("its end");
        let text = std::fs::read_to_string(root().join(file)).expect("the file is there");
        assert!(text.contains(code), "{file} does not contain\n{code}");
    }
}

#[test]
fn the_operations_kernel_stores_what_the_page_says() {
    let [(_, text)] = blocks(OPERATION, "ir")[..] else {
        panic!("the page has one kernel");
    };
    let kernel = parse(text).expect("the kernel is text");
    verify(&kernel).expect("the kernel is right");
    let mut memory = Memory::new();
    let out = memory.add(Buffer::from_bytes(&0xffff_fffe_u32.to_le_bytes()));
    let launch = Launch {
        range: NdRange {
            dims: 1,
            global: [1; 3],
            local: [1; 3],
            offset: [0; 3],
        },
        args: vec![Argument::Buffer(out)],
    };
    run(&kernel, &launch, &memory, &Options::default()).expect("no fault");
    let stored = memory.buffer(out).to_bytes();
    assert_eq!(stored, 0xffff_fffd_u32.to_le_bytes());
}

#[test]
fn the_pass_on_the_page_is_compiled_and_does_what_the_page_says() {
    let [(_, code)] = blocks(PASS, "rust")[..] else {
        panic!("the page has one pass");
    };
    let file = root().join("docs/examples/drop_repeated_fences.rs");
    assert_eq!(code, std::fs::read_to_string(file).expect("it is there"));
    let [(_, before), (_, after)] = blocks(PASS, "ir")[..] else {
        panic!("the page has a kernel before and after");
    };
    let mut kernel = parse(before).expect("the kernel is text");
    assert!(drop_repeated_fences(&mut kernel).is_yes());
    verify(&kernel).expect("the pass keeps a kernel right");
    assert_eq!(kernel.to_string(), after);
    assert!(!drop_repeated_fences(&mut kernel).is_yes());
}

/// Operands that cover signs, extremes and the everyday.
const OPERANDS: [u64; 8] = [
    0,
    1,
    0x3f80_0000,
    0x4049_0fdb,
    0x8000_0000,
    0xffff_ffff,
    0x8000_0000_0000_0000,
    0xc008_9abc_7fff_0123,
];

/// What the hardware of a row computes; nothing for shifts, which are chosen by their amounts.
fn computed(hardware: Hardware, ty: Type, args: &[u64]) -> Option<u64> {
    let site = Site {
        ty,
        tile: Target::ECP5.tile(),
        subnormals: Subnormals::Kept,
    };
    match hardware {
        Hardware::Inline(op) => {
            let width = site.width();
            let arg = |at: usize| args.get(at).copied().unwrap_or(0);
            Some(Inline { op, width }.evaluate(arg(0), arg(1), arg(2)))
        }
        Hardware::Operator { make, output } => {
            let operator = make(&site);
            let mut outputs = vec![0; operator.outputs().len()];
            operator.evaluate(args, &mut outputs);
            Some(outputs[output as usize])
        }
        Hardware::Shift(_) | Hardware::Funnel(_) => None,
    }
}

fn types(numbers: Numbers) -> &'static [Type] {
    match numbers {
        Numbers::Integers | Numbers::IntegersAndPointers => &[Type::I32, Type::I64, Type::Int(7)],
        Numbers::Floats => &[Type::F16, Type::F32, Type::F64],
    }
}

#[test]
fn the_hardware_of_every_row_computes_what_the_row_says() {
    let triples = (0..512).map(|at| [at % 8, at / 8 % 8, at / 64].map(|at| OPERANDS[at]));
    for args in triples {
        for &op in UnaryOp::ALL {
            for &ty in types(op.row().numbers) {
                if op.row().widths == Widths::PairsOfBytes && ty == Type::Int(7) {
                    continue;
                }
                let a = args[0] & ty.mask();
                let got = computed(op.row().hardware, ty, &[a]);
                assert_eq!(
                    got.unwrap_or(op.evaluate(ty, a)),
                    op.evaluate(ty, a),
                    "{op} {a:x}"
                );
            }
        }
        for &op in BinaryOp::ALL {
            for &ty in types(op.row().numbers) {
                let [a, b, _] = args.map(|arg| arg & ty.mask());
                let want = op.evaluate(ty, a, b);
                let got = computed(op.row().hardware, ty, &[a, b]);
                assert_eq!(got.unwrap_or(want), want, "{op} {ty} {a:x} {b:x}");
            }
        }
        for &op in TernaryOp::ALL {
            for &ty in types(op.row().numbers) {
                let [a, b, c] = args.map(|arg| arg & ty.mask());
                let want = op.evaluate(ty, a, b, c);
                let got = computed(op.row().hardware, ty, &[a, b, c]);
                assert_eq!(got.unwrap_or(want), want, "{op} {ty} {a:x} {b:x} {c:x}");
            }
        }
    }
}
