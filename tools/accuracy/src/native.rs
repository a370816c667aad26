//! Kernels as machine code of the host: the same LLVM module that the kernel IR is read from, compiled with strict
//! floating-point arithmetic. Operations on which host and IR differ, and primitives, call back.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fmt::Write;
use std::io;
use std::path::Path;
use std::process::Command;

use libloading::Library;
use sluice_frontend::{Options, Source, clang_program, llvm_ir};
use sluice_kernel::ir::{self, BinaryOp, Elementary, Function, Function2, Grade, TernaryOp};
use thiserror::Error;

/// Why there is no machine code.
#[derive(Debug, Error)]
pub enum Error {
    /// The front end refuses the program.
    #[error("the kernels do not compile: {0}")]
    Program(#[from] sluice_frontend::Error),
    /// The host's processor lacks what the comparison needs.
    #[error("this needs an x86-64 processor with AVX2, FMA and F16C")]
    Processor,
    /// A file could not be written, or clang not be run.
    #[error("cannot run {program:?}: {reason}: apt install clang-19")]
    Start {
        /// The clang.
        program: OsString,
        /// The system's message.
        reason: io::Error,
    },
    /// A temporary file could not be written.
    #[error("cannot write a temporary file: {0}")]
    File(#[from] io::Error),
    /// clang has refused the module.
    #[error("clang does not compile the module for the host:\n{0}")]
    Clang(String),
    /// The result could not be loaded.
    #[error("cannot load the machine code: {0}")]
    Load(#[from] libloading::Error),
}

/// What a symbol computes, on bits.
type Callback = extern "C" fn(u64, u64, u64) -> u64;

/// A function outside of the module.
struct ExternalFunction {
    /// As the module calls it.
    symbol: &'static str,
    /// The letter of the type of all arguments and of the result.
    ty: Number,
    arguments: usize,
    callback: Callback,
}

#[derive(Clone, Copy)]
enum Number {
    F16,
    F32,
    F64,
}

/// The operations whose results differ between the host and the IR: the order of zeros, and a fused half operation
/// that is rounded once. A new primitive that computes is one more row.
const EXTERNAL: &[ExternalFunction] = &[
    ExternalFunction::binary("sluice.minnum.f16", Number::F16, fmin16),
    ExternalFunction::binary("sluice.minnum.f32", Number::F32, fmin32),
    ExternalFunction::binary("sluice.minnum.f64", Number::F64, fmin64),
    ExternalFunction::binary("sluice.maxnum.f16", Number::F16, fmax16),
    ExternalFunction::binary("sluice.maxnum.f32", Number::F32, fmax32),
    ExternalFunction::binary("sluice.maxnum.f64", Number::F64, fmax64),
    ExternalFunction {
        symbol: "sluice.fma.f16",
        ty: Number::F16,
        arguments: 3,
        callback: fma16,
    },
];

/// The cores of elementary functions, of floats.
macro_rules! cores {
    ($(($kind:ident, $enum:ident, $arguments:literal): $($function:ident = $name:literal)*;)*) => {
        &[$($(
            core!("__sluice_f32_", $name, $arguments, Elementary::$kind($enum::$function, Grade::Full)),
            core!("__sluice_f32_native_", $name, $arguments, Elementary::$kind($enum::$function, Grade::Native)),
        )*)*]
    };
}
macro_rules! core {
    ($prefix:literal, $name:literal, $arguments:literal, $function:expr) => {
        ExternalFunction {
            symbol: concat!($prefix, $name),
            ty: Number::F32,
            arguments: $arguments,
            callback: {
                extern "C" fn core(a: u64, b: u64, _: u64) -> u64 {
                    $function.evaluate(&[a, b])
                }
                core
            },
        }
    };
}
const CORES: &[ExternalFunction] = cores! {
    (One, Function, 1):
        Exp = "exp" Exp2 = "exp2" Exp10 = "exp10" Log = "log" Log2 = "log2" Log10 = "log10"
        Sin = "sin" Cos = "cos" Rsqrt = "rsqrt" Recip = "recip";
    (Two, Function2, 2): Divide = "divide" Pow = "pow";
};

/// Everything that modules may call.
fn external_functions() -> impl Iterator<Item = (usize, &'static ExternalFunction)> {
    EXTERNAL.iter().chain(CORES).enumerate()
}

/// Intrinsics that call back instead.
const RENAMED: &[(&str, &str)] = &[
    ("@llvm.minnum.", "@sluice.minnum."),
    ("@llvm.maxnum.", "@sluice.maxnum."),
    ("@llvm.fma.f16", "@sluice.fma.f16"),
];

extern "C" fn fmin16(a: u64, b: u64, _: u64) -> u64 {
    BinaryOp::FMin.evaluate(ir::Type::F16, a, b)
}
extern "C" fn fmin32(a: u64, b: u64, _: u64) -> u64 {
    BinaryOp::FMin.evaluate(ir::Type::F32, a, b)
}
extern "C" fn fmin64(a: u64, b: u64, _: u64) -> u64 {
    BinaryOp::FMin.evaluate(ir::Type::F64, a, b)
}
extern "C" fn fmax16(a: u64, b: u64, _: u64) -> u64 {
    BinaryOp::FMax.evaluate(ir::Type::F16, a, b)
}
extern "C" fn fmax32(a: u64, b: u64, _: u64) -> u64 {
    BinaryOp::FMax.evaluate(ir::Type::F32, a, b)
}
extern "C" fn fmax64(a: u64, b: u64, _: u64) -> u64 {
    BinaryOp::FMax.evaluate(ir::Type::F64, a, b)
}
extern "C" fn fma16(a: u64, b: u64, c: u64) -> u64 {
    TernaryOp::Fma.evaluate(ir::Type::F16, a, b, c)
}

impl ExternalFunction {
    const fn binary(symbol: &'static str, ty: Number, callback: Callback) -> ExternalFunction {
        ExternalFunction {
            symbol,
            ty,
            arguments: 2,
            callback,
        }
    }

    /// The C function under the symbol, which calls through entry `at` of the table.
    fn definition(&self, at: usize) -> String {
        let (number, bits) = match self.ty {
            Number::F16 => ("_Float16", "unsigned short"),
            Number::F32 => ("float", "unsigned int"),
            Number::F64 => ("double", "unsigned long"),
        };
        let names = &["x", "y", "z"][..self.arguments];
        let list: Vec<String> = names
            .iter()
            .map(|name| format!("{number} {name}"))
            .collect();
        let given = |at: usize| match names.get(at) {
            Some(name) => format!("BITS({bits}, {number}, {name})"),
            None => "0".to_owned(),
        };
        format!(
            "{number} sluice_external_{at}({}) __asm__(\"{}\");\n\
             {number} sluice_external_{at}({}) {{\n  {bits} result = ({bits})sluice_callbacks[{at}]({}, {}, {});\n  \
             return BITS({number}, {bits}, result);\n}}\n",
            list.join(", "),
            self.symbol,
            list.join(", "),
            given(0),
            given(1),
            given(2)
        )
    }
}

/// Lets loops that call cores be vectorised: four calls at once.
impl ExternalFunction {
    /// The function on vectors of four.
    fn vector(&self) -> String {
        format!("sluice_four{}", self.symbol)
    }

    fn is_declared_by(&self, line: &str) -> bool {
        line.contains(&format!("@{}(", self.symbol))
    }

    /// What the declaration of the function says of the one on vectors.
    fn vector_attribute(&self) -> String {
        let arguments = "v".repeat(self.arguments);
        format!(
            " \"vector-function-abi-variant\"=\"_ZGV_LLVM_N4{arguments}_{}({})\"",
            self.symbol,
            self.vector()
        )
    }

    fn vector_declaration(&self) -> String {
        let arguments = vec!["<4 x float>"; self.arguments].join(", ");
        format!("declare <4 x float> @{}({arguments})\n", self.vector())
    }

    /// The C function on vectors of four, where `at` is its entry of the table.
    fn vector_definition(&self, at: usize) -> String {
        let names = &["x", "y"][..self.arguments];
        let parameters: Vec<String> = names.iter().map(|name| format!("four {name}")).collect();
        let lanes: Vec<String> = names.iter().map(|name| format!("{name}[lane]")).collect();
        format!(
            "four {}({}) {{\n  four result;\n  for (int lane = 0; lane < 4; lane++) \
             result[lane] = sluice_external_{at}({});\n  return result;\n}}\n",
            self.vector(),
            parameters.join(", "),
            lanes.join(", ")
        )
    }
}

/// The high products, and the calls back.
fn support() -> String {
    let mut text = String::from(
        "#define BITS(to, from, value) ({ union { from a; to b; } u; u.a = (value); u.b; })\n\
         typedef float four __attribute__((vector_size(16)));\n\
         unsigned long (*sluice_callbacks[64])(unsigned long, unsigned long, unsigned long);\n\
         unsigned long __sluice_mul_hi_u64(unsigned long a, unsigned long b) {\n  \
         return (unsigned long)((unsigned __int128)a * b >> 64);\n}\n\
         long __sluice_mul_hi_s64(long a, long b) { return (long)((__int128)a * b >> 64); }\n",
    );
    for (at, function) in external_functions() {
        text.push_str(&function.definition(at));
    }
    for (at, core) in external_functions().skip(EXTERNAL.len()) {
        text.push_str(&core.vector_definition(at));
    }
    text
}

/// The arguments of a kernel of [`crate::program`].
type Entry = unsafe extern "C" fn(*const u64, *const u64, *const u64, *mut u64, *mut u64, u64);

/// A program as machine code.
pub struct Native {
    library: Library,
}

/// One of its kernels.
#[derive(Clone, Copy)]
pub struct Kernel<'n> {
    entry: Entry,
    // The code must stay loaded.
    _native: &'n Native,
}

impl Native {
    /// Compiles a program of [`crate::program`].
    pub fn compile(source: &Source) -> Result<Native, Error> {
        if !processor_suits() {
            return Err(Error::Processor);
        }
        let folder = tempfile::tempdir()?;
        let [module, support_file, library] =
            ["module.ll", "support.c", "kernels.so"].map(|name| folder.path().join(name));
        std::fs::write(&module, for_host(llvm_ir(source, &Options::default())?))?;
        std::fs::write(&support_file, support())?;
        build(&module, &support_file, &library)?;
        // SAFETY: the code has no constructors; its kernels are called as they are declared.
        let library = unsafe { Library::new(&library)? };
        let native = Native { library };
        native.connect()?;
        Ok(native)
    }

    /// Fills the table of calls back.
    fn connect(&self) -> Result<(), Error> {
        // SAFETY: the symbol is the table of the support code, with 64 entries; no code calls through it yet.
        unsafe {
            let table = self.library.get::<*mut Callback>(b"sluice_callbacks\0")?;
            let table: *mut Callback = (*table).cast();
            for (at, function) in external_functions() {
                table.add(at).write(function.callback);
            }
        }
        Ok(())
    }

    /// The kernel of this name.
    pub fn kernel(&self, name: &str) -> Result<Kernel<'_>, Error> {
        // SAFETY: every kernel of these programs has the same parameters.
        let entry = unsafe { *self.library.get::<Entry>(name.as_bytes())? };
        Ok(Kernel {
            entry,
            _native: self,
        })
    }
}

impl Kernel<'_> {
    /// Applies the function to every argument.
    pub fn run(&self, arguments: &[Vec<u64>; 3], results: &mut [Vec<u64>; 2]) {
        let count = arguments[0].len();
        assert!(arguments.iter().all(|buffer| buffer.len() == count));
        assert!(results.iter().all(|buffer| buffer.len() == count));
        let [a, b, c] = arguments;
        let [r, s] = results;
        // SAFETY: the kernel reads and writes `count` elements of buffers that are that long and disjoint.
        unsafe {
            (self.entry)(
                a.as_ptr(),
                b.as_ptr(),
                c.as_ptr(),
                r.as_mut_ptr(),
                s.as_mut_ptr(),
                count as u64,
            )
        }
    }
}

#[cfg(target_arch = "x86_64")]
fn processor_suits() -> bool {
    is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("fma")
        && is_x86_feature_detected!("f16c")
}

#[cfg(not(target_arch = "x86_64"))]
fn processor_suits() -> bool {
    false
}

/// The module with the host's conventions instead of SPIR's.
fn for_host(module: String) -> String {
    let mut text = String::with_capacity(module.len());
    let mut declarations = BTreeSet::new();
    let mut vectors = Vec::new();
    for line in module.lines() {
        if line.starts_with("target ") {
            continue;
        }
        let line = line
            .replace(" spir_kernel ", " ")
            .replace(" spir_func ", " ");
        let line = RENAMED
            .iter()
            .fold(line, |line, (from, to)| line.replace(from, to));
        let line = saturating(&line, &mut declarations).unwrap_or(line);
        text.push_str(&line);
        if line.starts_with("declare ")
            && let Some(core) = CORES.iter().find(|core| core.is_declared_by(&line))
        {
            text.push_str(&core.vector_attribute());
            declarations.insert(core.vector_declaration());
            vectors.push(format!("ptr @{}", core.vector()));
        }
        text.push('\n');
    }
    text.extend(declarations);
    if !vectors.is_empty() {
        // They have no callers until loops are vectorised.
        let (count, list) = (vectors.len(), vectors.join(", "));
        writeln!(
            text,
            "@llvm.compiler.used = appending global [{count} x ptr] [{list}], section \"llvm.metadata\""
        )
        .expect("writing to a string");
    }
    text
}

/// A conversion from float to integer as the IR does it, where LLVM leaves open what becomes of numbers that do not
/// fit: a table would be read anywhere.
fn saturating(line: &str, declarations: &mut BTreeSet<String>) -> Option<String> {
    let (result, operation) = line.split_once(" = ")?;
    let (name, rest) = operation.split_once(' ')?;
    if !["fptosi", "fptoui"].contains(&name) {
        return None;
    }
    let (operand, to) = rest.split_once(" to ")?;
    let (from, value) = operand.split_once(' ')?;
    // Debug information follows.
    let to = to.split(',').next()?;
    let suffix = match from {
        "half" => "f16",
        "float" => "f32",
        "double" => "f64",
        _ => return None,
    };
    let intrinsic = format!("@llvm.{name}.sat.{to}.{suffix}");
    declarations.insert(format!("declare {to} {intrinsic}({from})\n"));
    Some(format!("{result} = call {to} {intrinsic}({from} {value})"))
}

fn build(module: &Path, support: &Path, library: &Path) -> Result<(), Error> {
    let program = clang_program();
    let mut command = Command::new(&program);
    command
        .args([
            "--target=x86_64-linux-gnu",
            "-O2",
            "-g0",
            "-fPIC",
            "-shared",
        ])
        .args(["-mavx2", "-mfma", "-mf16c"])
        // A product and a sum are rounded each, as in the IR.
        .args(["-ffp-contract=off", "-Wno-override-module"])
        .args(["-x", "ir"])
        .arg(module)
        .args(["-x", "c"])
        .arg(support)
        .args(["-lm", "-o"])
        .arg(library);
    let output = command
        .output()
        .map_err(|reason| Error::Start { program, reason })?;
    match output.status.success() {
        true => Ok(()),
        false => Err(Error::Clang(
            String::from_utf8_lossy(&output.stderr).into_owned(),
        )),
    }
}
