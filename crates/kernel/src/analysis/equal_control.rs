//! Whether all work-items take the same way through a kernel, so that all have as much to do.

use cranelift_entity::EntitySet;

use super::uniform::is_id;
use crate::ir::{InstData, Kernel, Value};

/// Whether all work-items of a launch take the same branches: no condition depends on ids or on memory.
pub(crate) fn has_equal_control(kernel: &Kernel) -> bool {
    let different = different_values(kernel);
    let mut insts = kernel.insts().map(|(_, inst)| kernel.inst(inst));
    !insts.any(|data| matches!(data, InstData::Branch { cond, .. } if different.contains(*cond)))
}

/// The values that may be different for two work-items that have taken the same way.
fn different_values(kernel: &Kernel) -> EntitySet<Value> {
    let mut different = EntitySet::new();
    loop {
        let mut grows = false;
        for (_, inst) in kernel.insts() {
            let data = kernel.inst(inst);
            let depends = data.operands().iter().any(|&it| different.contains(it));
            if !data.is_pure() || is_id(data) || depends {
                for &result in kernel.results(inst) {
                    grows |= different.insert(result);
                }
            }
            for target in data.targets() {
                let params = &kernel.block(target.block).params;
                for (&param, &arg) in params.iter().zip(&target.args) {
                    if different.contains(arg) {
                        grows |= different.insert(param);
                    }
                }
            }
        }
        if !grows {
            return different;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::parse;

    /// A loop that ends when the induction variable is `end`, a value of the entry block.
    fn loop_until(end: &str) -> Kernel {
        let text = format!(
            "kernel \"looping\"\n\
             param \"n\" \"int\" value int\n\
             param \"a\" \"int*\" const buffer m0 int\n\
             object m0 \"a\" buffer 1 global align 4\n{{\n\
             b0:\n\
             v0: i32 = const 0\nv1: i32 = const 1\nv2.a: ptr.global = addr m0\n\
             {end}\n\
             jump b1(v0)\n\
             b1(v4: i32):\n\
             v5: i32 = add v4, v1\nv6: i1 = ult v5, v3\nbranch v6, b1(v5), b2\n\
             b2:\nreturn\n}}\n"
        );
        parse(&text).unwrap_or_else(|error| panic!("{error}: {text}"))
    }

    #[test]
    fn a_loop_with_as_many_iterations_as_an_argument_says_is_equal() {
        assert!(has_equal_control(&loop_until("v3.n: i32 = arg 0")));
    }

    #[test]
    fn a_loop_with_as_many_iterations_as_an_id_says_is_not() {
        assert!(!has_equal_control(&loop_until("v3: i32 = global_id 0")));
    }

    #[test]
    fn a_loop_with_as_many_iterations_as_memory_says_is_not() {
        assert!(!has_equal_control(&loop_until(
            "v3: i32 = load i32 v2 align 4 {m0}"
        )));
    }
}
