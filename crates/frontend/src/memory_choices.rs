//! Memory units and banks that the source chooses by hand, in vendors' dialects: builtins for loads and stores,
//! attributes of variables and parameters.
//!
//! clang knows none of them. Macros of its command line make a call of each builtin that marks the pointer of a
//! load or store, and an annotation of each attribute that means something here. Both survive in objects, and
//! become metadata before anything is optimised.

mod number;

use inkwell::module::Module;

use crate::llvm::{self, Annotated, Annotation, Function};
use crate::optimize;

/// What clang's command line has for it. The functions are declared where they are called, for the type of the
/// pointer, so that they are there for all types and address spaces.
pub(crate) const MACROS: [&str; 11] = [
    "-D__sluice_memory(unit,p)=({__typeof__(*(p)) *__attribute__((overloadable)) \
     __sluice_##unit(__typeof__(*(p)) *);__sluice_##unit(p);})",
    "-D__prefetching_load(p)=(*__sluice_memory(stream,p))",
    "-D__burst_coalesced_load(p)=(*__sluice_memory(stream,p))",
    "-D__pipelined_load(p)=(*__sluice_memory(stream,p))",
    "-D__burst_coalesced_cached_load(p,...)=(*__sluice_memory(cache,p))",
    "-D__burst_coalesced_store(p,v)=((void)(*__sluice_memory(stream,p)=(v)))",
    "-D__pipelined_store(p,v)=((void)(*__sluice_memory(stream,p)=(v)))",
    // clang's code for annotations with numbers is invalid for some variables: they are texts.
    "-D__sluice_text(n)=#n",
    "-Dnumbanks(n)=annotate(\"sluice:numbanks:\" __sluice_text(n))",
    "-Dbankwidth(n)=annotate(\"sluice:bankwidth:\" __sluice_text(n))",
    "-Dbuffer_location(name)=annotate(\"sluice:buffer_location:\" name)",
];

/// The metadata of a load or store: the unit that the source asks for.
pub(crate) const UNIT: &str = "sluice.memory";

/// The metadata of a local variable, or the attribute of a parameter: its number of banks.
pub(crate) const BANKS: &str = "sluice.banks";

/// The same: the bytes in a row that lie in one bank.
pub(crate) const BANK_BYTES: &str = "sluice.bank_bytes";

/// The attribute of a parameter: the name of the memory that its buffer is in.
pub(crate) const LOCATION: &str = "sluice.location";

/// Makes metadata of the builtins and attributes of a module. Returns warnings, in whole lines.
pub(crate) fn read(module: &Module<'_>) -> String {
    mark_accesses(module);
    let annotations = llvm::take_annotations(module);
    let mut warnings = String::new();
    for annotation in &annotations {
        if let Some(attribute) = annotation.text.strip_prefix("sluice:")
            && let Err(why) = apply(attribute, annotation)
        {
            let name = attribute.split(':').next().unwrap_or(attribute);
            let Annotation { file, line, .. } = annotation;
            warnings += &format!("{file}:{line}: warning: `{name}` {why}, and is ignored\n");
        }
    }
    if !annotations.is_empty() {
        // Their texts and numbers are variables, which later stages would keep.
        optimize::drop_unreachable(module);
    }
    warnings
}

/// Makes metadata of the calls that mark pointers.
fn mark_accesses(module: &Module<'_>) {
    let marking = llvm::functions(module).into_iter();
    let marking = marking.filter_map(|it| Some((it, unit_of(&it.name())?)));
    let marking: Vec<(Function, &str)> = marking.collect();
    if marking.is_empty() {
        return;
    }
    // Loads and stores have the pointer from a variable so far.
    optimize::promote_variables(module);
    for (function, unit) in marking {
        for call in function.calls() {
            call.mark_accesses(UNIT, unit);
        }
        function.delete_unused();
    }
}

/// The unit that a marking function is for, by the function's symbol.
fn unit_of(symbol: &str) -> Option<&'static str> {
    let name = symbol.strip_prefix("_Z")?;
    let name = name.trim_start_matches(|c: char| c.is_ascii_digit());
    ["cache", "stream"].into_iter().find(|unit| {
        let rest = name.strip_prefix("__sluice_");
        // The type of a pointer follows.
        rest.and_then(|rest| rest.strip_prefix(unit))
            .is_some_and(|rest| rest.starts_with('P'))
    })
}

/// Does what an attribute says, or returns why not.
fn apply(attribute: &str, annotation: &Annotation) -> Result<(), &'static str> {
    let (name, argument) = attribute.split_once(':').unwrap_or((attribute, ""));
    if name == "buffer_location" {
        return match annotation.of {
            Annotated::Parameter(function, index) if is_buffer(function, index) => {
                function.set_parameter_text(index, LOCATION, argument);
                Ok(())
            }
            _ => Err("is for parameters of kernels that are buffers"),
        };
    }
    let name = match name {
        "numbanks" => BANKS,
        _ => BANK_BYTES,
    };
    let number = number::value(argument).and_then(|it| u32::try_from(it).ok());
    let Some(number) = number.filter(|number| number.is_power_of_two()) else {
        return Err("takes a power of two");
    };
    match annotation.of {
        Annotated::Variable(variable) if variable.is_local() => variable.set_number(name, number),
        Annotated::Parameter(function, index) if is_local(function, index) => {
            function.set_parameter_text(index, name, &number.to_string());
        }
        Annotated::Variable(_) | Annotated::Parameter(..) | Annotated::Private => {
            return Err("is for local memory");
        }
    }
    Ok(())
}

fn is_buffer(function: Function, index: u32) -> bool {
    // Those of global and constant memory.
    let space = function.pointed_space(index);
    function.is_kernel() && space.is_some_and(|space| [1, 2].contains(&space))
}

fn is_local(function: Function, index: u32) -> bool {
    const LOCAL: u32 = 3;
    function.is_kernel() && function.pointed_space(index) == Some(LOCAL)
}
