//! Under `-cl-fast-relaxed-math`, the elementary functions of `float` are their `native_` forms.

use inkwell::module::Module;

use super::mangling::{Signature, Type};
use super::undefined;
use crate::llvm;

/// The functions that have a `native_` form. `sqrt` is missing: the plain one is a single operator already.
const FUNCTIONS: [&str; 11] = [
    "cos", "exp", "exp10", "exp2", "log", "log10", "log2", "powr", "rsqrt", "sin", "tan",
];

/// Makes the program call the `native_` forms, scalar and vector, where it does not define the functions itself.
pub(super) fn prefer_native_functions(module: &Module<'_>) {
    for function in undefined(module) {
        let symbol = function.name();
        let Some(native) = native_form(&symbol) else {
            continue;
        };
        match llvm::function_named(module, &native) {
            Some(existing) => function.replace_by(existing),
            None => function.rename(&native),
        }
    }
}

fn native_form(symbol: &str) -> Option<String> {
    let signature = Signature::parse(symbol)?;
    let is_float = |type_: &Type| *type_ == Type::Scalar("f");
    if !FUNCTIONS.contains(&signature.name.as_str())
        || !signature.lane().parameters.iter().all(is_float)
    {
        return None;
    }
    let name = &signature.name;
    let parameters = symbol.strip_prefix(&format!("_Z{}{name}", name.len()))?;
    let native = format!("native_{name}");
    Some(format!("_Z{}{native}{parameters}", native.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_functions_of_float_have_native_forms() {
        let native = |symbol| native_form(symbol);
        assert_eq!(native("_Z3expf").as_deref(), Some("_Z10native_expf"));
        let powr = native("_Z4powrDv4_fS_");
        assert_eq!(powr.as_deref(), Some("_Z11native_powrDv4_fS_"));
        assert_eq!(native("_Z3expd"), None);
        assert_eq!(native("_Z3expDh"), None);
        assert_eq!(native("_Z4erfcf"), None);
        assert_eq!(native("_Z10native_expf"), None);
    }
}
