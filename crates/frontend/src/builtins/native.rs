//! Under `-cl-fast-relaxed-math`, elementary functions of `float` use their `native_` forms where these meet OpenCL's
//! error bounds for that option.

use inkwell::module::Module;

use super::mangling::{Signature, Type};
use super::undefined;
use crate::llvm;

/// The functions whose error bound is absolute, or derived from other functions. Exponentials, logarithms, roots and
/// quotients must still be accurate to two or three ulp, which needs the full cores.
const FUNCTIONS: [&str; 4] = ["cos", "powr", "sin", "tan"];

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
        assert_eq!(native("_Z3sinf").as_deref(), Some("_Z10native_sinf"));
        let powr = native("_Z4powrDv4_fS_");
        assert_eq!(powr.as_deref(), Some("_Z11native_powrDv4_fS_"));
        assert_eq!(native("_Z3sind"), None);
        assert_eq!(native("_Z3sinDh"), None);
        assert_eq!(native("_Z3expf"), None);
        assert_eq!(native("_Z10native_sinf"), None);
    }
}
