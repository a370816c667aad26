//! Gives a loop a block of its own for what controls it.
//!
//! ```text
//! body(i, s): ...; s' = ...; i' = i + 1; branch i' < n, body(i', s'), exit(s')
//! ```
//! becomes
//! ```text
//! control(i, s0): i' = i + 1; again = i' < n; jump body(s0)
//! body(s):        ...; s' = ...; branch again, control(i', s'), exit(s')
//! ```
//!
//! The control block needs nothing that the body computes, so that a circuit can run it ahead. What is left
//! as parameters of the body is what iterations hand to the next one.

use crate::analysis::{Cfg, Dominators, Loops};
use crate::ir::{BinaryOp, Block, BlockCall, Inst, InstData, Kernel, Loc, Type, Value, ValueDef};
use crate::loops::constant;
use crate::plan::LoopKey;

use super::choose::{LoopWays, Way};
use super::control::{Control, Shape, homes};
use super::speculate::{Speculation, split_speculative};

/// A loop whose control is in a block of its own.
#[derive(Clone, Debug)]
pub(crate) struct SplitLoop {
    /// The block that computes which iterations there are.
    pub(crate) control: Block,
    /// The first block of the body.
    pub(crate) body: Block,
    /// The last block of the body.
    pub(crate) latch: Block,
    /// Whether there is another iteration; computed in the control block.
    pub(crate) again: Value,
    /// The parameters of the control block that it computes itself.
    pub(crate) controlled: Vec<Value>,
    /// How iterations overlap.
    pub(crate) way: Way,
    /// What iterations know that start before it is known whether there are any.
    pub(crate) speculation: Option<Speculation>,
    /// Where the loop begins in the source.
    pub(crate) loc: Loc,
}

/// Splits the loops that have a way, those inside others first.
pub(crate) fn split_control(kernel: &mut Kernel, ways: &LoopWays) -> Vec<SplitLoop> {
    let mut split = Vec::new();
    for (&header, way) in &ways.ways {
        split.push(split_loop(kernel, header, way.clone()));
    }
    split
}

fn split_loop(kernel: &mut Kernel, header: Block, way: Way) -> SplitLoop {
    if let Way::Speculative(_) = way {
        return split_speculative(kernel, header, way);
    }
    let cfg = Cfg::of(kernel);
    let loops = Loops::of(kernel, &cfg, &Dominators::of(kernel, &cfg));
    let (loop_, data) = loops
        .iter()
        .find(|(_, data)| data.header == header)
        .expect("choose: it is a loop");
    let first = LoopKey::loc_of(kernel, data);
    let chosen = "choose: the loop has this shape";
    let shape = Shape::of(kernel, data).expect(chosen);
    let control = Control::of(kernel, &loops, loop_, &shape);
    let params = kernel.block(header).params.clone();
    let (controlled, handed): (Vec<Value>, Vec<Value>) =
        params.iter().partition(|it| control.params.contains(it));
    let mut ahead: Vec<Value> = controlled
        .iter()
        .map(|&it| shape.next(kernel, it))
        .collect();
    ahead.push(shape.condition);
    if way == Way::Parallel {
        ahead.extend(live_out(kernel, &loops, loop_, &control));
    }
    let moved = control.insts(&ahead);
    let entering = cfg.predecessors(header).iter().copied();
    let entering: Vec<Block> = entering
        .filter(|&from| !loops.contains(loop_, from))
        .collect();
    let place = Place {
        of_controlled: positions(&params, &controlled),
        of_handed: positions(&params, &handed),
    };

    let block = kernel.add_block();
    for &from in &data.blocks {
        kernel
            .block_mut(from)
            .insts
            .retain(|inst| !moved.contains(inst));
    }
    kernel.block_mut(block).insts = moved;
    let hints = std::mem::take(&mut kernel.block_mut(header).hints);
    kernel.block_mut(block).hints = hints;
    kernel.set_block_params(header, handed.clone());
    kernel.set_block_params(block, controlled.clone());
    let initial: Vec<Value> = handed
        .iter()
        .map(|&param| kernel.add_block_param(block, kernel.ty(param)))
        .collect();
    let loc = kernel.loc(kernel.terminator(shape.latch));
    let again = match shape.goes_on_if {
        true => shape.condition,
        false => {
            let one = kernel.append_value(block, InstData::Const(1), Type::Int(1), loc);
            let not = InstData::Binary {
                op: BinaryOp::Xor,
                args: [shape.condition, one],
            };
            kernel.append_value(block, not, Type::Int(1), loc)
        }
    };
    let jump = BlockCall {
        block: header,
        args: initial.into_iter().collect(),
    };
    kernel.append(block, InstData::Jump(jump), &[], loc);
    for from in entering {
        place.redirect(kernel, from, header, block);
    }
    place.redirect(kernel, shape.latch, header, block);
    let terminator = kernel.terminator(shape.latch);
    let InstData::Branch { cond, targets } = kernel.inst_mut(terminator) else {
        unreachable!("{chosen}");
    };
    *cond = again;
    if !shape.goes_on_if {
        targets.swap(0, 1);
    }
    let mut split = SplitLoop {
        control: block,
        body: header,
        latch: shape.latch,
        again,
        controlled,
        way,
        speculation: None,
        loc: first,
    };
    look_ahead(kernel, &mut split, &data.blocks);
    split
}

/// Selects behind each other that a counter is chosen by, at most.
const DEEPEST_CHOICE: u32 = 8;

/// Makes what a counter is in the next iteration a parameter, too: `i' = j; j' = j + 1` instead of `i' = i + 1`. The
/// exit test then compares a parameter, and the chain of operations from one iteration to the next is shorter. Of a
/// counter that begins anew, `i' = again ? i + 1 : 0`, this is `i' = again ? j : 0; j' = again ? j + 1 : 1`.
fn look_ahead(kernel: &mut Kernel, split: &mut SplitLoop, inside: &[Block]) {
    let count = split.controlled.len();
    for at in 0..count {
        let homes = homes(kernel);
        let param = split.controlled[at];
        let is_inside = |value: Value| {
            homes[value].is_some_and(|home| home == split.control || inside.contains(&home))
        };
        let insts = &kernel.block(split.control).insts;
        let sum = insts.iter().find_map(|&inst| match *kernel.inst(inst) {
            InstData::Binary {
                op: BinaryOp::Add,
                args: [base, step],
            } if base == param && !is_inside(step) => Some((inst, step)),
            _ => None,
        });
        if let Some((inst, step)) = sum {
            add_next(kernel, split, at, (inst, step));
        }
    }
}

/// Makes the result of an instruction of the control block, which adds a step to the parameter at a position, a
/// parameter.
fn add_next(
    kernel: &mut Kernel,
    split: &mut SplitLoop,
    position: usize,
    (inst, step): (Inst, Value),
) {
    let (next, loc) = (kernel.result(inst), kernel.loc(inst));
    let ty = kernel.ty(next);
    let at = split.controlled.len();
    let add = |value| InstData::Binary {
        op: BinaryOp::Add,
        args: [value, step],
    };
    // What enters the loop is one step ahead.
    let blocks: Vec<Block> = kernel.layout().to_vec();
    for from in blocks {
        let enters = |it: &BlockCall| it.block == split.control;
        if from == split.latch || !kernel.successors(from).iter().any(enters) {
            continue;
        }
        let terminator = kernel.terminator(from);
        let calls = kernel.inst(terminator).targets().len();
        for call in 0..calls {
            if !enters(&kernel.inst(terminator).targets()[call]) {
                continue;
            }
            let entering = kernel.inst(terminator).targets()[call].args[position];
            let ahead = kernel.make_inst(add(entering), &[ty], loc);
            let insts = &mut kernel.block_mut(from).insts;
            insts.insert(insts.len() - 1, ahead);
            let ahead = kernel.result(ahead);
            kernel.inst_mut(terminator).targets_mut()[call]
                .args
                .insert(at, ahead);
        }
    }
    let param = split.controlled[position];
    let of_param = back_args(kernel, split)[position];
    let mut params = kernel.block(split.control).params.clone();
    kernel
        .block_mut(split.control)
        .insts
        .retain(|&it| it != inst);
    params.insert(at, next);
    kernel.set_block_params(split.control, params);
    split.controlled.push(next);
    let ahead = Ahead {
        control: split.control,
        param,
        step,
        next,
        loc,
    };
    let further = ahead.value(kernel, of_param, DEEPEST_CHOICE);
    let terminator = kernel.terminator(split.latch);
    kernel.inst_mut(terminator).targets_mut()[0]
        .args
        .insert(at, further);
}

/// What is one step ahead of a parameter in the next iteration.
struct Ahead {
    control: Block,
    param: Value,
    step: Value,
    /// The parameter and a step.
    next: Value,
    loc: Loc,
}

impl Ahead {
    /// A value and a step. Where the value is chosen, the choice is made between sums: these do not wait for it.
    fn value(&self, kernel: &mut Kernel, value: Value, depth: u32) -> Value {
        if value == self.param {
            return self.next;
        }
        let ty = kernel.ty(value);
        let choice = match (kernel.def(value), kernel.def_inst(value)) {
            (ValueDef::Result(inst, _), Some(&InstData::Select { cond, args })) => {
                let is_here = kernel.block(self.control).insts.contains(&inst);
                (is_here && depth > 0).then_some((cond, args))
            }
            _ => None,
        };
        let data = match choice {
            Some((cond, args)) => InstData::Select {
                cond,
                args: args.map(|it| self.value(kernel, it, depth - 1)),
            },
            None => match (kernel.constant(value), kernel.constant(self.step)) {
                (Some(value), Some(step)) => {
                    return constant(kernel, ty, BinaryOp::Add.evaluate(ty, value, step));
                }
                _ => InstData::Binary {
                    op: BinaryOp::Add,
                    args: [value, self.step],
                },
            },
        };
        let inst = kernel.make_inst(data, &[ty], self.loc);
        let insts = &mut kernel.block_mut(self.control).insts;
        insts.insert(insts.len() - 1, inst);
        kernel.result(inst)
    }
}

/// What the parameters of the control block are in the next iteration.
fn back_args(kernel: &Kernel, split: &SplitLoop) -> Vec<Value> {
    kernel.successors(split.latch)[0].args.to_vec()
}

/// Where the arguments of a jump to the header are.
struct Place {
    of_controlled: Vec<usize>,
    of_handed: Vec<usize>,
}

impl Place {
    /// Makes a block go to the control block instead of the header.
    fn redirect(&self, kernel: &mut Kernel, from: Block, header: Block, control: Block) {
        let terminator = kernel.terminator(from);
        for target in kernel.inst_mut(terminator).targets_mut() {
            if target.block == header {
                let order = self.of_controlled.iter().chain(&self.of_handed);
                target.args = order.map(|&at| target.args[at]).collect();
                target.block = control;
            }
        }
    }
}

fn positions(all: &[Value], some: &[Value]) -> Vec<usize> {
    let position = |value: &Value| all.iter().position(|it| it == value);
    some.iter()
        .map(|value| position(value).expect("it is one of all"))
        .collect()
}

/// The values of a loop that are used behind it.
pub(super) fn live_out(
    kernel: &Kernel,
    loops: &Loops,
    loop_: crate::analysis::Loop,
    control: &Control<'_>,
) -> Vec<Value> {
    let mut found = Vec::new();
    for (block, inst) in kernel.insts() {
        let data = kernel.inst(inst);
        let used: Vec<Value> = match loops.contains(loop_, block) {
            false => data.operands().to_vec(),
            // What is passed to blocks behind the loop.
            true => {
                let leaving = data.targets().iter();
                let leaving = leaving.filter(|it| !loops.contains(loop_, it.block));
                leaving.flat_map(|it| it.args.iter().copied()).collect()
            }
        };
        found.extend(used.into_iter().filter(|&value| control.is_inside(value)));
    }
    found.sort_unstable();
    found.dedup();
    found
}
