//! Builds the library of OpenCL builtins that the front end links into every program: our own functions
//! (`library/*.cl`), and behind them libclc's hard mathematics (sin, exp, pow, ...). The result is one bitcode
//! file in which every definition is `linkonce_odr`, so that linking takes only what a program uses.
#![allow(
    unsafe_code,
    reason = "LLVM's C interface; every block states why it is sound"
)]

use std::collections::BTreeSet;
use std::env;
use std::ffi::{CStr, CString};
use std::path::{Path, PathBuf};
use std::process::{Command, exit};
use std::ptr;

use llvm_sys::bit_reader::LLVMParseBitcodeInContext2;
use llvm_sys::bit_writer::LLVMWriteBitcodeToFile;
use llvm_sys::core::*;
use llvm_sys::debuginfo::LLVMStripModuleDebugInfo;
use llvm_sys::error::LLVMGetErrorMessage;
use llvm_sys::linker::LLVMLinkModules2;
use llvm_sys::prelude::*;
use llvm_sys::transforms::pass_builder::*;
use llvm_sys::{LLVMLinkage, LLVMUnnamedAddr};

const LIBCLC: &str = "/usr/lib/clc/spirv64-mesa3d-.spv";

/// What is taken from libclc, in its scalar form for float and double. Everything else is ours.
const HARD_MATHEMATICS: &[&str] = &[
    "acos", "acosh", "acospi", "asin", "asinh", "asinpi", "atan", "atan2", "atan2pi", "atanh",
    "atanpi", "cbrt", "cos", "cosh", "cospi", "erf", "erfc", "exp", "exp10", "exp2", "expm1",
    "frexp", "hypot", "ilogb", "ldexp", "lgamma", "lgamma_r", "log", "log10", "log1p", "log2",
    "logb", "pow", "pown", "powr", "rootn", "sin", "sincos", "sinh", "sinpi", "tan", "tanh",
    "tanpi",
];

/// Stays undefined: the primitives of `src/primitives.rs` that library code calls.
const PRIMITIVES: &[&str] = &[
    "_Z13get_global_idj",
    "_Z12get_local_idj",
    "_Z12get_group_idj",
    "_Z15get_global_sizej",
    "_Z14get_local_sizej",
    "_Z14get_num_groupsj",
    "_Z17get_global_offsetj",
    "_Z7barrierj",
    "_Z9mem_fencej",
    "__sluice_mul_hi_u64",
    "__sluice_mul_hi_s64",
    "__sluice_per_item",
    "__sluice_in_local",
    "__sluice_in_private",
];

/// The name prefix of libclc's float functions that have been replaced.
const CHAIN: &str = "__sluice_chain_";

/// The name prefix of further primitives: the elementary functions.
const ELEMENTARY: &str = "__sluice_f32_";

/// Simplifies the library once, instead of in every compilation.
const PASSES: &str = "globaldce,function(sroa<modify-cfg>,early-cse,instcombine<no-verify-fixpoint>,simplifycfg,adce),globaldce";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=library");
    println!("cargo::rerun-if-env-changed=SLUICE_CLANG");
    println!("cargo::rerun-if-changed={LIBCLC}");

    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR for build scripts"));
    let clang = env::var("SLUICE_CLANG").unwrap_or_else(|_| "clang-19".to_owned());
    let sources = library_sources();
    // SAFETY: a fresh context, used by this thread alone and for the rest of the process.
    let context = unsafe { LLVMContextCreate() };

    let library = Module::link(
        context,
        sources
            .iter()
            .map(|source| compile_library_file(&clang, source, &out)),
    );
    let ours: BTreeSet<String> = library
        .definitions()
        .into_iter()
        .filter(|global| global.is_public())
        .map(|global| global.name())
        .collect();
    let libclc = Module::parse(context, &translate_libclc(&out));
    libclc.replace_by_declarations(&ours);
    let public: BTreeSet<String> = libclc
        .definitions()
        .into_iter()
        .map(|global| global.name())
        .filter(|name| is_hard_mathematics(name) || name.starts_with(CHAIN))
        .chain(ours)
        .collect();
    library.absorb(libclc);
    library.hide_all_but(&public);
    library.simplify();
    library.assert_complete();
    library.link_only_what_is_used(&public);
    library.write(&out.join("builtins.bc"));
}

fn library_sources() -> Vec<PathBuf> {
    let mut sources: Vec<PathBuf> = std::fs::read_dir("library")
        .expect("the crate has a folder library")
        .map(|entry| entry.expect("library can be listed").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "cl"))
        .collect();
    sources.sort();
    sources
}

fn compile_library_file(clang: &str, source: &Path, out: &Path) -> PathBuf {
    let bitcode = out
        .join(source.file_name().expect("a listed file has a name"))
        .with_extension("bc");
    let mut command = Command::new(clang);
    command
        .args([
            "-x",
            "cl",
            "-cl-std=CL2.0",
            "--target=spir64",
            "-cl-no-stdinc",
        ])
        .args(["-include", "opencl-c-base.h", "-include"])
        .arg(Path::new("library").join("prelude.h"))
        .args([
            "-O2",
            "-Xclang",
            "-disable-llvm-passes",
            "-fno-builtin",
            "-fno-strict-aliasing",
        ])
        .args([
            "-ffp-contract=off",
            "-cl-fp32-correctly-rounded-divide-sqrt",
        ])
        .args([
            "-Wall",
            "-Werror",
            "-Wno-unused-function",
            "-Wno-atomic-alignment",
        ])
        .args(["-emit-llvm", "-c", "-o"])
        .arg(&bitcode)
        .arg(source);
    run(command, "clang-19");
    bitcode
}

fn translate_libclc(out: &Path) -> PathBuf {
    if !Path::new(LIBCLC).exists() {
        fail(&format!("{LIBCLC} is missing: apt install libclc-15"));
    }
    let bitcode = out.join("libclc.bc");
    let mut command = Command::new("llvm-spirv-15");
    command.arg("-r").arg(LIBCLC).arg("-o").arg(&bitcode);
    run(command, "llvm-spirv-15");
    bitcode
}

fn run(mut command: Command, package: &str) {
    match command.status() {
        Ok(status) if status.success() => {}
        Ok(status) => fail(&format!("{command:?} ended with {status}")),
        Err(error) => fail(&format!(
            "cannot run {:?} ({error}): apt install {package}",
            command.get_program()
        )),
    }
}

fn fail(message: &str) -> ! {
    eprintln!("error: {message}");
    exit(1);
}

/// Scalar float and double, results through private pointers: `_Z6sincosfPf`, not `_Z6sincosDv2_fPU3AS1S_`.
fn is_hard_mathematics(mangled: &str) -> bool {
    HARD_MATHEMATICS.iter().any(|name| {
        mangled
            .strip_prefix(&format!("_Z{}{name}", name.len()))
            .is_some_and(|parameters| {
                parameters.starts_with(['f', 'd'])
                    && !parameters.contains("Dv")
                    && !parameters.contains("U3AS")
            })
    })
}

/// The name of a libclc function that has been replaced. Those of floats are kept for comparison: the
/// hardware cores should be at least as accurate.
fn replaced(mangled: &str) -> String {
    let of_floats = |name: &&&str| {
        ["f", "ff"]
            .iter()
            .any(|parameters| mangled == format!("_Z{}{name}{parameters}", name.len()))
    };
    match HARD_MATHEMATICS.iter().find(of_floats) {
        Some(name) => format!("{CHAIN}{name}"),
        None => format!("{mangled}.replaced"),
    }
}

/// A function or variable of a module.
#[derive(Clone, Copy)]
struct Global(LLVMValueRef);

impl Global {
    fn name(self) -> String {
        let mut length = 0;
        // SAFETY: the value is a live global; LLVM's names are given with their length.
        let bytes = unsafe {
            let start = LLVMGetValueName2(self.0, &mut length);
            std::slice::from_raw_parts(start.cast::<u8>(), length)
        };
        String::from_utf8_lossy(bytes).into_owned()
    }

    fn rename(self, name: &str) {
        // SAFETY: the value is a live global; the name is given with its length.
        unsafe { LLVMSetValueName2(self.0, name.as_ptr().cast(), name.len()) }
    }

    fn is_public(self) -> bool {
        // SAFETY: the value is a live global.
        let linkage = unsafe { LLVMGetLinkage(self.0) };
        !matches!(
            linkage,
            LLVMLinkage::LLVMInternalLinkage | LLVMLinkage::LLVMPrivateLinkage
        )
    }

    fn set_linkage(self, linkage: LLVMLinkage) {
        // SAFETY: the value is a live global definition, which may have any of the linkages used here.
        unsafe { LLVMSetLinkage(self.0, linkage) }
    }
}

struct Module {
    module: LLVMModuleRef,
}

impl Module {
    fn parse(context: LLVMContextRef, path: &Path) -> Module {
        let path =
            CString::new(path.to_str().expect("OUT_DIR is UTF-8")).expect("a path holds no NUL");
        let mut buffer = ptr::null_mut();
        let mut message = ptr::null_mut();
        let mut module = ptr::null_mut();
        // SAFETY: out-pointers are valid; the buffer is given up only after parsing.
        unsafe {
            if LLVMCreateMemoryBufferWithContentsOfFile(path.as_ptr(), &mut buffer, &mut message)
                != 0
            {
                fail(&format!("cannot read {path:?}"));
            }
            if LLVMParseBitcodeInContext2(context, buffer, &mut module) != 0 {
                fail(&format!("{path:?} is not LLVM bitcode"));
            }
            LLVMDisposeMemoryBuffer(buffer);
        }
        Module { module }
    }

    fn link(context: LLVMContextRef, files: impl Iterator<Item = PathBuf>) -> Module {
        let mut modules = files.map(|file| Module::parse(context, &file));
        let first = modules.next().expect("the library has files");
        for module in modules {
            first.absorb(module);
        }
        first
    }

    fn absorb(&self, other: Module) {
        // SAFETY: both modules live in one context; the linker takes the second one over.
        unsafe {
            // libclc was written for the same target in another notation.
            LLVMSetDataLayout(other.module, LLVMGetDataLayoutStr(self.module));
            LLVMSetTarget(other.module, LLVMGetTarget(self.module));
            if LLVMLinkModules2(self.module, other.module) != 0 {
                fail("the builtin library does not link");
            }
        }
    }

    fn functions(&self) -> Vec<Global> {
        // SAFETY: walks the live module's list of functions to its end.
        unsafe {
            successive(LLVMGetFirstFunction(self.module), |value| {
                LLVMGetNextFunction(value)
            })
        }
    }

    fn variables(&self) -> Vec<Global> {
        // SAFETY: walks the live module's list of variables to its end.
        unsafe {
            successive(LLVMGetFirstGlobal(self.module), |value| {
                LLVMGetNextGlobal(value)
            })
        }
    }

    fn definitions(&self) -> Vec<Global> {
        let mut all = self.functions();
        all.extend(self.variables());
        // SAFETY: each value is a live global.
        all.retain(|global| unsafe { LLVMIsDeclaration(global.0) } == 0);
        all
    }

    /// Takes the names in `ours` from this module's definitions, leaving declarations to be linked.
    fn replace_by_declarations(&self, ours: &BTreeSet<String>) {
        for function in self.functions() {
            let name = function.name();
            if !ours.contains(&name) {
                continue;
            }
            function.rename(&replaced(&name));
            let name = CString::new(name).expect("a symbol holds no NUL");
            // SAFETY: the declaration has the type of the function that it replaces.
            unsafe {
                let declaration = LLVMAddFunction(
                    self.module,
                    name.as_ptr(),
                    LLVMGlobalGetValueType(function.0),
                );
                LLVMSetFunctionCallConv(declaration, LLVMGetFunctionCallConv(function.0));
                LLVMReplaceAllUsesWith(function.0, declaration);
                // Declared only, it has no body to discard.
                if LLVMIsDeclaration(function.0) != 0 {
                    LLVMDeleteFunction(function.0);
                }
            }
        }
    }

    fn hide_all_but(&self, public: &BTreeSet<String>) {
        for global in self.definitions() {
            if !public.contains(&global.name()) {
                global.set_linkage(LLVMLinkage::LLVMInternalLinkage);
            }
        }
    }

    fn simplify(&self) {
        let passes = CString::new(PASSES).expect("no NUL in the pass list");
        // SAFETY: the module is live; the options are disposed of after the run.
        unsafe {
            let options = LLVMCreatePassBuilderOptions();
            let error = LLVMRunPasses(self.module, passes.as_ptr(), ptr::null_mut(), options);
            if !error.is_null() {
                let message = CStr::from_ptr(LLVMGetErrorMessage(error));
                fail(&format!("{PASSES}: {}", message.to_string_lossy()));
            }
            LLVMDisposePassBuilderOptions(options);
            LLVMStripModuleDebugInfo(self.module);
        }
    }

    fn assert_complete(&self) {
        let missing: Vec<String> = self
            .functions()
            .into_iter()
            // SAFETY: each value is a live function.
            .filter(|function| unsafe { LLVMIsDeclaration(function.0) } != 0)
            .map(Global::name)
            .filter(|name| !name.starts_with("llvm.") && !name.starts_with(ELEMENTARY))
            .filter(|name| !PRIMITIVES.contains(&name.as_str()))
            .collect();
        if !missing.is_empty() {
            fail(&format!(
                "the builtin library calls undefined functions: {missing:?}"
            ));
        }
    }

    /// The linker drops `linkonce_odr` definitions that are not used. Names that are not part of OpenCL get a
    /// prefix that no program uses.
    fn link_only_what_is_used(&self, public: &BTreeSet<String>) {
        for global in self.definitions() {
            let name = global.name();
            if !public.contains(&name) {
                global.rename(&format!("__sluice_library.{name}"));
            }
            global.set_linkage(LLVMLinkage::LLVMLinkOnceODRLinkage);
            // SAFETY: a live global definition.
            unsafe { LLVMSetUnnamedAddress(global.0, LLVMUnnamedAddr::LLVMNoUnnamedAddr) }
        }
    }

    fn write(&self, path: &Path) {
        let path =
            CString::new(path.to_str().expect("OUT_DIR is UTF-8")).expect("a path holds no NUL");
        // SAFETY: the module and the path are live. The context goes with the process.
        unsafe {
            if LLVMWriteBitcodeToFile(self.module, path.as_ptr()) != 0 {
                fail(&format!("cannot write {path:?}"));
            }
        }
    }
}

fn successive(first: LLVMValueRef, next: impl Fn(LLVMValueRef) -> LLVMValueRef) -> Vec<Global> {
    let mut all = Vec::new();
    let mut current = first;
    while !current.is_null() {
        all.push(Global(current));
        current = next(current);
    }
    all
}
