//! A window of recent stores: a load whose address is not known beforehand takes what the loop has stored there in the
//! last iterations from values that it carries along, and everything else from memory.
//!
//! ```text
//! x = load p;          y = x + 1; store p, y
//! ```
//! becomes, with two iterations,
//! ```text
//! m = load lag 2 p; x = p == p1 ? y1 : p == p2 ? y2 : m; y = x + 1; store p, y; p1', p2', y1', y2' = p, p1, y, y1
//! ```
//!
//! The load may miss what the stores of these iterations have written: it waits for older ones only. What an iteration
//! waits for is the choice among the values and the operation. The comparisons depend on addresses, which a circuit
//! knows ahead.

use super::Refused;
use super::accesses::{LoopAccesses, Plain};
use super::code::{Code, Condition, constant};
use super::keys::keys;
use super::one_block::{OneBlock, insert_before, preheader};
use crate::analysis::dependence::Distance;
use crate::ir::{Block, Inst, InstData, Kernel, Object, Predicate, Type, Value, ValueDef};
use crate::passes::Renaming;

/// Most bits that the values and addresses of a window have.
const MOST_BITS: u32 = 4096;

/// The stores that a load may read from.
struct Windowed {
    load: Inst,
    /// Of how many iterations.
    iterations: u8,
    /// Those before it in its own iteration, and those of iterations before, each in program order.
    own: Vec<Inst>,
    earlier: Vec<Inst>,
}

/// The accesses of an object that get a window.
struct Group {
    loads: Vec<Windowed>,
    /// In program order.
    stores: Vec<Inst>,
    /// What tells the addresses of the stores apart, then those of the loads.
    keys: Vec<Value>,
}

impl Group {
    fn iterations(&self) -> u8 {
        let loads = self.loads.iter();
        loads.map(|it| it.iterations).max().unwrap_or(0)
    }
}

/// What is known of a store of some iterations before.
struct Entry {
    key: Value,
    values: Vec<Value>,
    /// Whether it was executed.
    valid: Condition,
}

/// Makes loads of a loop of one block take what the loop has stored in the last iterations from values. For how many
/// iterations, `iterations` says of a load and the stores that it may read from: 0 leaves the load as it is.
pub fn forward_recent_stores(
    kernel: &mut Kernel,
    header: Block,
    iterations: impl Fn(&Kernel, Inst, &[Inst]) -> u8,
) -> Result<(), Refused> {
    let loop_ = OneBlock::of(kernel, header)?;
    let groups = find(kernel, &loop_, &iterations)?;
    let before = preheader(kernel, header)?;
    let mut renaming = Renaming::new();
    for group in &groups {
        carry(kernel, &loop_, before, group, &mut renaming);
    }
    renaming.apply(kernel);
    Ok(())
}

fn find(
    kernel: &Kernel,
    loop_: &OneBlock,
    iterations: &dyn Fn(&Kernel, Inst, &[Inst]) -> u8,
) -> Result<Vec<Group>, Refused> {
    let mut accesses = LoopAccesses::of(kernel, loop_.header);
    let is_load = |inst| Plain::of(kernel, inst).is_some_and(|it| !it.is_store);
    accesses.relate(|source, sink| writes(kernel, source) && is_load(sink));
    let mut groups: Vec<(Object, Group)> = Vec::new();
    let mut refused = Refused::because(
        "no load of the loop may read what a store has written in the last iterations",
    );
    for &load in accesses.insts.iter().filter(|&&it| is_load(it)) {
        match windowed(kernel, &accesses, load, iterations) {
            Ok(Some((object, window))) => add(&mut groups, object, window),
            Ok(None) => {}
            Err(reason) => refused = reason,
        }
    }
    for (_, group) in &mut groups {
        let stores = accesses.insts.iter().copied();
        let is_used = |it: &Inst| {
            let mut loads = group.loads.iter();
            loads.any(|load| load.own.contains(it) || load.earlier.contains(it))
        };
        group.stores = stores.filter(is_used).collect();
        group.keys = keys(kernel, &pointers(kernel, group), &|it| {
            is_fixed(kernel, loop_, it)
        });
        if let Err(reason) = check(kernel, group) {
            refused = reason;
            group.loads.clear();
        }
    }
    groups.retain(|(_, group)| !group.loads.is_empty());
    match groups.is_empty() {
        true => Err(refused),
        false => Ok(groups.into_iter().map(|(_, group)| group).collect()),
    }
}

/// Refuses a window of addresses that cannot be compared, or of too many bits.
fn check(kernel: &Kernel, group: &Group) -> Result<(), Refused> {
    let refuse = |reason: &'static str| Err(Refused::at(kernel, group.stores[0], reason));
    let key = kernel.ty(group.keys[0]);
    if !key.is_int() {
        return refuse("the addresses of stores and loads are computed in different ways");
    }
    let values = group.stores.iter().map(|&it| bits(kernel, it) + key.bits());
    match values.sum::<u32>() * u32::from(group.iterations()) > MOST_BITS {
        true => refuse("the values and addresses of the last stores have too many bits"),
        false => Ok(()),
    }
}

/// Whether a value is the same in all iterations.
fn is_fixed(kernel: &Kernel, loop_: &OneBlock, value: Value) -> bool {
    let block = kernel.block(loop_.header);
    match kernel.def(value) {
        ValueDef::Param(..) => !block.params.contains(&value),
        ValueDef::Result(inst, _) => {
            !block.insts.contains(&inst) || kernel.constant(value).is_some()
        }
    }
}

fn add(groups: &mut Vec<(Object, Group)>, object: Object, window: Windowed) {
    match groups.iter_mut().find(|(it, _)| *it == object) {
        Some((_, group)) => group.loads.push(window),
        None => {
            let group = Group {
                loads: vec![window],
                stores: Vec::new(),
                keys: Vec::new(),
            };
            groups.push((object, group));
        }
    }
}

/// The stores that a load may read from, and of how many iterations; none if it waits for no iteration before.
fn windowed(
    kernel: &Kernel,
    accesses: &LoopAccesses<'_>,
    load: Inst,
    iterations: &dyn Fn(&Kernel, Inst, &[Inst]) -> u8,
) -> Result<Option<(Object, Windowed)>, Refused> {
    let plain = Plain::of(kernel, load).expect("the caller has looked");
    let writers = accesses.insts.iter().copied();
    let writers: Vec<Inst> = writers.filter(|&it| writes(kernel, it)).collect();
    let reads =
        |store: Inst, test: &dyn Fn(Distance) -> bool| accesses.dependences(store, load).any(test);
    let any = |test: &dyn Fn(Distance) -> bool| -> Vec<Inst> {
        let writers = writers.iter().copied();
        writers.filter(|&it| reads(it, test)).collect()
    };
    let all = any(&|_| true);
    let earlier = any(&|it| it.least() > 0);
    if earlier.is_empty() || plain.access.lag > 0 {
        return Ok(None);
    }
    let refuse = |inst, reason: &'static str| Err(Refused::at(kernel, inst, reason));
    let single = |inst: Inst| kernel.inst(inst).objects().and_then(|it| it.single());
    let Some(object) = single(load).filter(|_| accesses.is_undisturbed(load)) else {
        return refuse(
            load,
            "the load may go to several objects, or what it reads may change",
        );
    };
    for &store in &all {
        let source = Plain::of(kernel, store).filter(|it| it.is_store);
        let Some(source) = source else {
            return refuse(
                store,
                "what the load reads may be written by more than a plain store",
            );
        };
        if single(store) != Some(object) {
            return refuse(store, "the store may go to several objects");
        }
        let is_aligned = |it: &Plain| it.access.align >= it.access.bytes();
        if !source.is_like(&plain) || !is_aligned(&source) || !is_aligned(&plain) {
            return refuse(store, "the load may read a part of what the store writes");
        }
    }
    let depth = iterations(kernel, load, &all);
    let is_recent = |it: Distance| it.least() > 0 && it.least() <= u64::from(depth);
    let window = Windowed {
        load,
        iterations: depth,
        own: any(&|it| it.least() == 0),
        earlier: any(&is_recent),
    };
    let is_needed = depth > 0 && !window.earlier.is_empty();
    Ok(is_needed.then_some((object, window)))
}

fn writes(kernel: &Kernel, inst: Inst) -> bool {
    let effect = kernel.inst(inst).access_effect();
    effect.is_some_and(|effect| effect.writes())
}

/// The addresses of a group: those of its stores, then those of its loads.
fn pointers(kernel: &Kernel, group: &Group) -> Vec<Value> {
    let loads = group.loads.iter().map(|it| it.load);
    let all = group.stores.iter().copied().chain(loads);
    let pointer = |inst| kernel.inst(inst).pointer();
    all.map(|inst| pointer(inst).expect("accesses have an address"))
        .collect()
}

/// Bits that a store writes.
fn bits(kernel: &Kernel, store: Inst) -> u32 {
    let access = kernel.inst(store).access().expect("it is a store");
    8 * access.bytes()
}

/// Carries the stores of a group along, and gives its loads what they have written.
fn carry(
    kernel: &mut Kernel,
    loop_: &OneBlock,
    before: Block,
    group: &Group,
    renaming: &mut Renaming,
) {
    let (of_stores, of_loads) = group.keys.split_at(group.stores.len());
    let rows: Vec<Vec<Entry>> = group
        .stores
        .iter()
        .zip(of_stores)
        .map(|(&store, &key)| {
            let is_read_later = group.loads.iter().any(|it| it.earlier.contains(&store));
            let iterations = if is_read_later { group.iterations() } else { 0 };
            row(kernel, loop_, before, (store, key), iterations)
        })
        .collect();
    for (window, &key) in group.loads.iter().zip(of_loads) {
        let entries = entries(group, window, &rows);
        let values = replacement(kernel, loop_, window, key, &entries);
        for (result, value) in kernel.results(window.load).to_vec().into_iter().zip(values) {
            renaming.replace(kernel, result, value);
        }
        let insts = &mut kernel.block_mut(loop_.header).insts;
        insts.retain(|&it| it != window.load);
    }
}

/// What a store writes in this iteration and in those before, the youngest first.
fn row(
    kernel: &mut Kernel,
    loop_: &OneBlock,
    before: Block,
    (store, key): (Inst, Value),
    iterations: u8,
) -> Vec<Entry> {
    let InstData::Store { values, guard, .. } = kernel.inst(store).clone() else {
        unreachable!("it is a store");
    };
    let always = constant(kernel, Type::BOOL, 1);
    let mut row = vec![Entry {
        key,
        values: values.to_vec(),
        valid: guard,
    }];
    for _ in 0..iterations {
        let last = row.last().expect("there is one");
        let (key, values) = (last.key, last.values.clone());
        let valid = last.valid.unwrap_or(always);
        let carried = |kernel: &mut Kernel, value: Value| {
            // Whatever the loop begins with is not valid.
            let initial = nothing(kernel, value);
            let param = loop_.add_param(kernel, before, initial);
            loop_.set_next(kernel, param, value);
            param
        };
        row.push(Entry {
            key: carried(kernel, key),
            values: values.iter().map(|&it| carried(kernel, it)).collect(),
            valid: Some(carried(kernel, valid)),
        });
    }
    row
}

/// A value of the type of another one: zero.
fn nothing(kernel: &mut Kernel, like: Value) -> Value {
    constant(kernel, kernel.ty(like), 0)
}

/// What a load may read from, the youngest store first.
fn entries<'e>(group: &Group, window: &Windowed, rows: &'e [Vec<Entry>]) -> Vec<&'e Entry> {
    let rows = || group.stores.iter().zip(rows).rev();
    let own = rows().filter(|(store, _)| window.own.contains(store));
    let mut entries: Vec<&Entry> = own.map(|(_, row)| &row[0]).collect();
    for iteration in 1..=usize::from(window.iterations) {
        let earlier = rows().filter(|(store, _)| window.earlier.contains(store));
        entries.extend(earlier.map(|(_, row)| &row[iteration]));
    }
    entries
}

/// Loads from memory, and chooses between that and what was stored, in front of a load; gives the results.
fn replacement(
    kernel: &mut Kernel,
    loop_: &OneBlock,
    window: &Windowed,
    key: Value,
    entries: &[&Entry],
) -> Vec<Value> {
    let load = window.load;
    let mut data = kernel.inst(load).clone();
    let InstData::Load { access, guard, .. } = &mut data else {
        unreachable!("it is a load");
    };
    access.lag = window.iterations;
    let (guard, loc) = (*guard, kernel.loc(load));
    let types: Vec<Type> = kernel
        .results(load)
        .iter()
        .map(|&it| kernel.ty(it))
        .collect();
    let late = kernel.make_inst(data, &types, loc);
    let from_memory = kernel.results(late).to_vec();
    let mut code = Code::new(kernel);
    code.loc = loc;
    let hits: Vec<Value> = entries
        .iter()
        .map(|entry| {
            let compare = InstData::Compare {
                pred: Predicate::Eq,
                args: [key, entry.key],
            };
            let is_same = code.value(compare, Type::BOOL);
            let is_valid = code.and(guard, entry.valid);
            let hit = code.and(is_valid, Some(is_same));
            hit.expect("it has a part")
        })
        .collect();
    let values = from_memory
        .iter()
        .enumerate()
        .map(|(lane, &memory)| {
            let stored: Vec<(Value, Value)> = hits
                .iter()
                .zip(entries)
                .map(|(&hit, entry)| (hit, entry.values[lane]))
                .collect();
            chosen(&mut code, &stored, memory)
        })
        .collect();
    let mut insts = vec![late];
    insts.append(&mut code.insts);
    insert_before(kernel, loop_.header, load, insts);
    values
}

/// The value of the first of the entries that is hit, or else the last one. The older an entry is, the earlier its
/// value is there: those of the last iterations are chosen last, and older ones in groups that double.
fn chosen(code: &mut Code<'_>, entries: &[(Value, Value)], otherwise: Value) -> Value {
    let mut groups = Vec::new();
    let mut left = entries;
    while !left.is_empty() {
        let size = (entries.len() - left.len()).clamp(1, left.len());
        let (group, older) = left.split_at(size);
        groups.push(group);
        left = older;
    }
    groups.into_iter().rev().fold(otherwise, |rest, group| {
        let (any, value) = first_of(code, group);
        code.select(Some(any), [value, rest])
    })
}

/// Whether any of the entries is hit, and the value of the first one that is.
fn first_of(code: &mut Code<'_>, entries: &[(Value, Value)]) -> (Value, Value) {
    if let &[entry] = entries {
        return entry;
    }
    let (younger, older) = entries.split_at(entries.len() / 2);
    let (younger, older) = (first_of(code, younger), first_of(code, older));
    let any = code.or(Some(younger.0), Some(older.0));
    let value = code.select(Some(younger.0), [younger.1, older.1]);
    (code.condition(any), value)
}
