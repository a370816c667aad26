//! Takes loops apart for the circuit.
//!
//! What a circuit builds of a parallel loop is a control block that sends a token for each iteration to the
//! body and, when all have come to the end of the body, one to what follows the loop. Of a pipelined loop it
//! is a control block, a body that iterations pass in order, and behind it a way on for the last iteration
//! only. Where it is not known ahead which iteration is the last one, the body has the control block's place, and
//! [`speculate`] says what iterations in vain leave out. So the way back is gone, and iterations end in blocks of their own. The kernel is then no longer
//! what the interpreter would execute: only blocks, liveness and dataflow are read off it. What is known of
//! values comes from the kernel before.

use std::collections::{BTreeMap, BTreeSet};

use super::choose::{Wait, Way};
use super::speculate::{self, Speculation};
use super::split_control::SplitLoop;
use crate::ir::{Block, BlockCall, Inst, InstData, Kernel, Value};

/// What a circuit has of loops that were taken apart.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cut {
    pub(crate) loops: Vec<CutLoop>,
    /// What iterations hand to the next one: selects that give the value of the iteration before, or in the
    /// first iteration the one that the loop begins with.
    pub(crate) states: BTreeMap<Inst, State>,
    /// What loops begin with, of values that are handed on, where it is always the same value: by what it is in the
    /// first iteration.
    pub(crate) begins: BTreeMap<Value, Value>,
    /// Where iterations end: no work-item does.
    pub(crate) ends: BTreeSet<Block>,
    /// Values that a block has at its end for its own next iteration.
    pub(crate) kept: BTreeMap<Block, Vec<Value>>,
}

/// A value that an iteration hands to the next one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct State {
    /// The parameter of the body that it was.
    pub(crate) param: Value,
    /// The value in the first iteration: the parameter, or the constant that all loops begin with.
    pub(crate) initial: Value,
    /// What the next iteration gets.
    pub(crate) next: Value,
    /// When it begins anew.
    pub(crate) begins: Begins,
}

/// When the values that a loop hands on begin anew: what tells iterations of an execution from those of the next one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Begins {
    /// Behind an iteration where this is 0: whether there is a next one.
    Behind(Value),
    /// In an iteration where this is 1.
    In(Value),
}

impl Begins {
    /// The value that says so.
    pub(crate) fn value(self) -> Value {
        match self {
            Begins::Behind(again) => again,
            Begins::In(first) => first,
        }
    }

    fn of(split: &SplitLoop) -> Begins {
        match &split.speculation {
            Some(speculation) => Begins::In(speculation.first),
            None => Begins::Behind(split.again),
        }
    }

    /// Of the value of the iteration before and the one that the loop begins with, the one that counts.
    fn select(self, next: Value, initial: Value) -> InstData {
        match self {
            Begins::Behind(cond) => InstData::Select {
                cond,
                args: [next, initial],
            },
            Begins::In(cond) => InstData::Select {
                cond,
                args: [initial, next],
            },
        }
    }
}

/// A loop that was taken apart.
#[derive(Clone, Debug)]
pub(crate) struct CutLoop {
    pub(crate) split: SplitLoop,
    /// Where its iterations end.
    pub(crate) end: Block,
    /// Whether a loop that recirculates is around it.
    pub(crate) is_nested: bool,
    /// What each of the controlled parameters is in the next iteration.
    pub(crate) next: Vec<Value>,
}

impl Cut {
    /// The loop that a block controls.
    pub(crate) fn controlled_by(&self, block: Block) -> Option<&CutLoop> {
        self.loops.iter().find(|it| it.split.control == block)
    }

    /// The pipelined loop that a block is the body of.
    pub(crate) fn pipelined_body(&self, block: Block) -> Option<&CutLoop> {
        let is_body = |it: &&CutLoop| match it.split.way {
            Way::Pipelined(_) | Way::Speculative(_) => it.split.body == block,
            Way::Parallel => false,
        };
        self.loops.iter().find(is_body)
    }

    /// What iterations know of the loop that a block is the body of, if they start before it is known whether there are
    /// any.
    pub(crate) fn speculation(&self, body: Block) -> Option<&Speculation> {
        self.pipelined_body(body)?.split.speculation.as_ref()
    }

    /// What the iterations of a pipelined loop with this body wait for.
    pub(crate) fn waits(&self, body: Block) -> &[Wait] {
        let way = self.pipelined_body(body).map(|it| &it.split.way);
        way.and_then(Way::waits).unwrap_or_default()
    }
}

/// Takes loops apart.
pub(crate) fn cut(kernel: &mut Kernel, split: Vec<SplitLoop>) -> Cut {
    let mut cut = Cut::default();
    for split in split {
        let end = kernel.add_block();
        kernel.append(
            end,
            InstData::Return,
            &[],
            kernel.loc(kernel.terminator(split.latch)),
        );
        cut.ends.insert(end);
        let terminator = kernel.terminator(split.latch);
        let InstData::Branch { targets, .. } = kernel.inst(terminator).clone() else {
            unreachable!("split_control: it ends in a branch");
        };
        let [back, exit] = targets;
        let end_call = BlockCall {
            block: end,
            args: [].into_iter().collect(),
        };
        let count = split.controlled.len();
        let next = back.args[..count].to_vec();
        match split.way {
            Way::Parallel => {
                let control = kernel.terminator(split.control);
                let body = kernel.successors(split.control)[0].clone();
                *kernel.inst_mut(control) = InstData::Branch {
                    cond: split.again,
                    targets: [body, exit],
                };
                *kernel.inst_mut(terminator) = InstData::Jump(end_call);
            }
            Way::Pipelined(_) => {
                *kernel.inst_mut(terminator) = InstData::Branch {
                    cond: split.again,
                    targets: [end_call, exit],
                };
                add_states(kernel, &split, &back.args[count..], &mut cut);
            }
            Way::Speculative(_) => {
                let handed = speculate::cut(kernel, &split, end_call);
                add_states(kernel, &split, &handed, &mut cut);
            }
        }
        match &split.speculation {
            Some(it) => cut.kept.insert(split.body, vec![it.goes_on]),
            None => {
                let kept = next.iter().copied().chain([split.again]);
                cut.kept.insert(split.control, kept.collect())
            }
        };
        cut.loops.push(CutLoop {
            split,
            end,
            is_nested: false,
            next,
        });
    }
    cut
}

/// Makes the values that iterations hand to the next one states.
fn add_states(kernel: &mut Kernel, split: &SplitLoop, handed: &[Value], cut: &mut Cut) {
    let params = kernel.block(split.body).params[split.marks()..].to_vec();
    let begins = Begins::of(split);
    let entering = entering_values(kernel, split);
    let constant = |value: &Value| kernel.constant(*value).is_some();
    let initial: Vec<Value> = params
        .iter()
        .zip(&entering)
        .map(|(&param, value)| value.filter(constant).unwrap_or(param))
        .collect();
    let known = initial.iter().copied().zip(&entering);
    cut.begins
        .extend(known.filter_map(|(initial, value)| Some((initial, (*value)?))));
    let mut renamed: BTreeMap<Value, Value> = BTreeMap::new();
    let mut states = Vec::new();
    for &param in &params {
        let data = begins.select(param, param);
        let loc = kernel.loc(kernel.block(split.body).insts[0]);
        let inst = kernel.make_inst(data, &[kernel.ty(param)], loc);
        let value = kernel.result(inst);
        if let Some(name) = kernel.value_name(param).map(String::from) {
            kernel.set_value_name(value, &name);
        }
        renamed.insert(param, value);
        states.push(inst);
    }
    let rename = |value: Value| renamed.get(&value).copied().unwrap_or(value);
    kernel.map_operands(rename);
    for (at, (&inst, &next)) in states.iter().zip(handed).enumerate() {
        let next = rename(next);
        *kernel.inst_mut(inst) = begins.select(next, initial[at]);
        let state = State {
            param: params[at],
            initial: initial[at],
            next,
            begins,
        };
        cut.states.insert(inst, state);
    }
    kernel.block_mut(split.body).insts.splice(0..0, states);
    let is_carried: Vec<bool> = params.iter().zip(&initial).map(|(a, b)| a == b).collect();
    keep_params(kernel, split, &is_carried);
}

/// Keeps only some of the values that a loop begins with: control and body need no others.
fn keep_params(kernel: &mut Kernel, split: &SplitLoop, is_kept: &[bool]) {
    let kept = |values: &[Value]| -> Vec<Value> {
        let values = values.iter().zip(is_kept).filter(|(_, is_kept)| **is_kept);
        values.map(|(&value, _)| value).collect()
    };
    let (count, marks) = (split.controlled.len(), split.marks());
    let params = kernel.block(split.body).params.clone();
    let params = [&params[..marks], &kept(&params[marks..])].concat();
    kernel.set_block_params(split.body, params);
    let params = kernel.block(split.control).params.clone();
    let params = [&params[..count], &kept(&params[count..])].concat();
    kernel.set_block_params(split.control, params);
    for from in kernel.layout().to_vec() {
        let terminator = kernel.terminator(from);
        for target in kernel.inst_mut(terminator).targets_mut() {
            if target.block == split.control {
                target.args = [&target.args[..count], &kept(&target.args[count..])]
                    .concat()
                    .into();
            } else if target.block == split.body {
                target.args = [&target.args[..marks], &kept(&target.args[marks..])]
                    .concat()
                    .into();
            }
        }
    }
}

/// What the loop begins with, by parameter of the body, if all jumps into the loop pass the same value.
fn entering_values(kernel: &Kernel, split: &SplitLoop) -> Vec<Option<Value>> {
    let count = split.controlled.len();
    let mut found: Option<Vec<Option<Value>>> = None;
    for &block in kernel.layout() {
        for target in kernel.successors(block) {
            if target.block != split.control {
                continue;
            }
            let args = target.args[count..].iter().map(|&it| Some(it));
            found = Some(match found {
                None => args.collect(),
                Some(before) => before
                    .into_iter()
                    .zip(args)
                    .map(|(one, other)| one.filter(|_| one == other))
                    .collect(),
            });
        }
    }
    found.unwrap_or_default()
}
