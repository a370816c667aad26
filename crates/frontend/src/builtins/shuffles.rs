//! `shuffle` and `shuffle2`: lanes picked by a mask that need not be constant. There is one for every pair of
//! widths and every type, so their bodies are written here and not in the library.

use inkwell::module::Module;

use super::mangling::Signature;
use crate::llvm::{BodyBuilder, Function};

/// Gives `function` its body if it is one of the two.
pub(super) fn define(module: &Module<'_>, function: Function, signature: &Signature) -> bool {
    let sources = match signature.name.as_str() {
        "shuffle" => 1,
        "shuffle2" => 2,
        _ => return false,
    };
    let parameters = function.parameters();
    let types = function.parameter_types();
    let Some((width, _)) = function.return_type().vector() else {
        return false;
    };
    let Some((source_width, _)) = types.first().and_then(|type_| type_.vector()) else {
        return false;
    };
    if parameters.len() != sources + 1 {
        return false;
    }
    let mask = parameters[sources];
    let body = BodyBuilder::begin(module, function);
    let mut result = body.poison(function.return_type());
    for lane in 0..width {
        // Only the low bits of a mask element count.
        let pick = body.extract(mask, lane);
        let inside = body.and(pick, u64::from(source_width) - 1);
        let mut value = body.extract_at(parameters[0], inside);
        if sources == 2 {
            let index = body.and(pick, 2 * u64::from(source_width) - 1);
            let in_first = body.below(index, source_width.into());
            let other = body.extract_at(parameters[1], inside);
            value = body.select(in_first, value, other);
        }
        result = body.insert(result, value, lane);
    }
    body.return_value(result);
    true
}
