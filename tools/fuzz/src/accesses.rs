//! Checks what the access analysis claims about a kernel against the addresses of a launch.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt;

use sluice_circuit::arith::Signedness;
use sluice_generator::Program;
use sluice_kernel::analysis::access::{
    Access, Accesses, Answer, Holds, Overlap, Stride, Term, Uniformity,
};
use sluice_kernel::analysis::{Loop, Scope};
use sluice_kernel::interp::{self, TracedAccess, Tracer};
use sluice_kernel::ir::{AccessKind, Block, Inst, Kernel, Object, Space, Value};
use sluice_kernel::launch::{Launch, Memory};
use sluice_kernel::plan::Plan;
use sluice_kernel::prepare::order::{self, STEPS};
use sluice_kernel::program::Optimised;
use sluice_kernel::{passes, semantics};

use crate::{Finding, bind, compile};

/// The number of accesses of a launch that are looked at: the first ones.
const MOST: u64 = 60_000;
/// Work-items that are remembered as writers of one byte.
const MOST_WRITERS: usize = 32;
/// Bits of the interpreter's pointers that are the offset in an object.
const OFFSET_BITS: u32 = 40;

/// How many claims of each kind have been compared with what happened.
#[derive(Clone, Copy, Debug, Default)]
pub struct Claims {
    /// Accesses of the kernel.
    pub accesses: u64,
    /// Those whose form is known.
    pub known: u64,
    /// Those whose form has ids, iterations and values that the launch decides alone.
    pub affine: u64,
    /// Addresses that were compared with their form, all of whose terms were known.
    pub addresses: u64,
    /// Addresses that could not be: the interpreter did not keep a value.
    pub unseen: u64,
    /// Addresses that were compared with their range.
    pub ranges: u64,
    /// Pairs of neighbouring work-items.
    pub strides: u64,
    /// Pairs of consecutive iterations.
    pub loop_strides: u64,
    /// Addresses that are the same for a group or the launch.
    pub uniform: u64,
    /// Pairs of accesses that are said to be a constant apart, by work-item and iteration.
    pub distances: u64,
    /// Pairs of accesses that are said never to overlap.
    pub apart: u64,
    /// Pairs of a load and a store where no work-item is said to read what it has written.
    pub own: u64,
    /// Pairs of a load and a store where none is said to read what another one writes.
    pub others: u64,
    /// Those of them that need conditions, which the launch meets.
    pub conditional: u64,
}

impl Claims {
    /// Adds those of another launch.
    pub fn add(&mut self, other: &Claims) {
        self.accesses += other.accesses;
        self.known += other.known;
        self.affine += other.affine;
        self.addresses += other.addresses;
        self.unseen += other.unseen;
        self.ranges += other.ranges;
        self.strides += other.strides;
        self.loop_strides += other.loop_strides;
        self.uniform += other.uniform;
        self.distances += other.distances;
        self.apart += other.apart;
        self.own += other.own;
        self.others += other.others;
        self.conditional += other.conditional;
    }
}

/// Compares what the analysis says about a kernel with what a launch does; the memory is changed by it.
pub fn check_accesses(kernel: &Kernel, launch: &Launch, memory: &Memory) -> Result<Claims, String> {
    let accesses = Accesses::of(kernel);
    let mut trace = Trace::new(kernel, &accesses, launch);
    let options = interp::Options {
        checks: interp::Checks::NONE,
        ..interp::Options::default()
    };
    interp::Program::new(kernel)
        .run_traced(launch, memory, &options, &mut trace)
        .map_err(|fault| fault.to_string())?;
    trace.finish()
}

/// Checks an optimised kernel and what becomes of it behind the last step of its preparation, each on
/// memory of its own.
pub fn check_stages(
    kernel: &Optimised,
    launch: impl Fn() -> (Launch, Memory),
) -> Result<Claims, String> {
    let (given, memory) = launch();
    let mut claims = check_accesses(kernel, &given, &memory)
        .map_err(|what| format!("{what}\n{}", Annotated(kernel)))?;
    let (given, memory) = launch();
    let plan = Plan::for_launch(&given, &memory);
    let last = STEPS.last().expect("there are steps").name;
    let prepared = order::kernel_after(kernel, &plan, last).expect("a step");
    // What cannot become a circuit has been checked as far as it goes.
    if let Ok(prepared) = prepared {
        let given = prepared.launch(&given);
        let prepared = &prepared.kernel;
        let more = check_accesses(prepared, &given, &memory)
            .map_err(|what| format!("prepared: {what}\n{}", Annotated(prepared)))?;
        claims.add(&more);
    }
    Ok(claims)
}

/// Checks a random program in all stages.
pub fn check_program(program: &Program) -> Result<Claims, Finding> {
    let Some(kernel) = compile(program)? else {
        return Ok(Claims::default());
    };
    let finding = |what: String| Finding::Claim(what);
    let session = bind(&kernel, program);
    let mut claims = check_accesses(&kernel, session.launch(), &session.memory)
        .map_err(|what| finding(format!("unoptimised: {what}\n{}", Annotated(&kernel))))?;
    let kernel = passes::optimise(kernel);
    let launch = || {
        let mut session = bind(&kernel, program);
        (session.launches.remove(0), session.memory)
    };
    claims.add(&check_stages(&kernel, launch).map_err(finding)?);
    Ok(claims)
}

/// A kernel with what is known of its accesses.
struct Annotated<'k>(&'k Kernel);

impl fmt::Display for Annotated<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.0, Accesses::of(self.0))
    }
}

/// A work-item on its way.
#[derive(Default)]
struct Item {
    block: Option<Block>,
    iterations: BTreeMap<Loop, u32>,
}

/// An execution of an access: the work-item, and the iterations of the loops around it.
type Execution = (u64, Box<[u32]>);

/// What happened to a byte.
#[derive(Default)]
struct Byte {
    /// By instruction, up to two of the work-items.
    readers: Vec<(Inst, [Option<u64>; 2])>,
    writers: Vec<(Inst, [Option<u64>; 2])>,
    /// Who wrote it so far, by which instruction.
    written: Vec<(u64, Inst)>,
}

/// What is claimed about a load and a store, in this launch.
#[derive(Clone, Copy)]
struct Pair {
    own: bool,
    others: bool,
    apart: bool,
}

struct Trace<'k> {
    kernel: &'k Kernel,
    accesses: &'k Accesses,
    launch: &'k Launch,
    headers: BTreeMap<Block, Loop>,
    items: HashMap<u64, Item>,
    offsets: BTreeMap<Inst, HashMap<Execution, u64>>,
    uniform: HashMap<(Inst, u64, Box<[u32]>), u64>,
    bytes: HashMap<(Object, u64, u64), Byte>,
    pairs: HashMap<(Inst, Inst), Pair>,
    seen: u64,
    claims: Claims,
    wrong: Vec<String>,
}

impl<'k> Trace<'k> {
    fn new(kernel: &'k Kernel, accesses: &'k Accesses, launch: &'k Launch) -> Trace<'k> {
        let mut claims = Claims::default();
        for access in accesses.iter() {
            let is_affine = |term: Term| match term {
                Term::Value(symbol) => symbol.scope <= Scope::Group,
                _ => true,
            };
            claims.accesses += 1;
            if let Ok(form) = &access.form {
                claims.known += 1;
                claims.affine += u64::from(form.sum.terms().all(is_affine));
            }
        }
        let loops = accesses.loops().iter();
        Trace {
            kernel,
            accesses,
            launch,
            headers: loops.map(|(loop_, data)| (data.header, loop_)).collect(),
            items: HashMap::new(),
            offsets: BTreeMap::new(),
            uniform: HashMap::new(),
            bytes: HashMap::new(),
            pairs: HashMap::new(),
            seen: 0,
            claims,
            wrong: Vec::new(),
        }
    }

    fn fail(&mut self, what: String) {
        if self.wrong.len() < 8 {
            self.wrong.push(what);
        }
    }

    /// The number of a term for an access that happens.
    fn term(&self, traced: &TracedAccess<'_>, term: Term) -> Option<i128> {
        let of = |ids: [u64; 3], dim: u8| Some(ids[usize::from(dim)].into());
        match term {
            Term::Base(_) => None,
            Term::GlobalId(dim) => of(traced.global_id, dim),
            Term::LocalId(dim) => of(traced.local_id, dim),
            Term::GroupId(dim) => of(traced.group_id, dim),
            // The interpreter has one slot.
            Term::ItemSlot | Term::GroupSlot => Some(0),
            Term::Iteration(loop_) => {
                let item = self.items.get(&traced.item)?;
                Some(item.iterations.get(&loop_).copied()?.into())
            }
            Term::Value(symbol) => {
                let bits = traced.value(symbol.value)?;
                let ty = self.kernel.ty(symbol.value);
                Some(match symbol.reading {
                    Signedness::Signed => semantics::signed(ty, bits).into(),
                    Signedness::Unsigned if ty.is_ptr() => (bits % (1 << OFFSET_BITS)).into(),
                    Signedness::Unsigned => bits.into(),
                })
            }
        }
    }

    fn check_form(&mut self, access: &Access, traced: &TracedAccess<'_>) {
        let Ok(form) = &access.form else {
            return;
        };
        let offset = i128::from(traced.offset);
        if form.object != traced.object {
            self.fail(format!("{access} went to {}", traced.object));
        }
        if access.bytes != traced.bytes || access.kind != traced.kind {
            self.fail(format!("{access} had {} bytes", traced.bytes));
        }
        match form.sum.evaluate(|term| self.term(traced, term)) {
            None => self.claims.unseen += 1,
            Some(claimed) => {
                let is_pointer = |value: Value| self.kernel.ty(value).is_ptr();
                let has_pointer = form
                    .sum
                    .terms()
                    .any(|term| matches!(term, Term::Value(it) if is_pointer(it.value)));
                let modulus = match (form.modulus, has_pointer) {
                    (Some(bits), true) => Some(bits.min(OFFSET_BITS)),
                    (None, true) => Some(OFFSET_BITS),
                    (modulus, false) => modulus,
                };
                self.claims.addresses += 1;
                if !agree(offset - claimed, modulus) {
                    self.fail(format!(
                        "{access}: work-item {:?} went to {offset}, not {claimed}",
                        traced.global_id
                    ));
                }
            }
        }
        if let Some(range) = access.range {
            self.claims.ranges += 1;
            if !(range.least..=range.greatest).contains(&offset) {
                self.fail(format!("{access}: went to {offset}"));
            }
        }
    }

    /// Compares the distance of two executions with a claim.
    fn check_stride(
        &mut self,
        access: &Access,
        stride: &Stride,
        traced: &TracedAccess<'_>,
        from: u64,
    ) {
        let Some(claimed) = stride.bytes.evaluate(|term| self.term(traced, term)) else {
            return;
        };
        let modulus = match stride.holds {
            Holds::Always | Holds::InBounds => None,
            Holds::Modulo(bits) => Some(bits),
        };
        let distance = i128::from(traced.offset) - i128::from(from);
        if !agree(distance - claimed, modulus) {
            self.fail(format!(
                "{access}: work-item {:?}: {} is {distance} from {from}",
                traced.global_id, traced.offset
            ));
        }
    }

    fn check_strides(&mut self, access: &Access, traced: &TracedAccess<'_>, around: &[u32]) {
        let find = |offsets: &HashMap<Execution, u64>, item: u64, around: &[u32]| {
            offsets.get(&(item, around.into())).copied()
        };
        let offsets = self.offsets.entry(access.inst).or_default();
        let own = (traced.item, around.into());
        if offsets.contains_key(&own) {
            return;
        }
        offsets.insert(own, traced.offset);
        let before = match traced.local_id[0] {
            0 => None,
            _ => find(offsets, traced.item - 1, around),
        };
        let mut rounds = Vec::new();
        for (at, (_, stride)) in access.loop_strides.iter().enumerate() {
            if let Some(stride) = stride
                && around[at] > 0
            {
                let mut earlier = around.to_vec();
                earlier[at] -= 1;
                let earlier = find(offsets, traced.item, &earlier);
                rounds.extend(earlier.map(|offset| (stride, offset)));
            }
        }
        if let (Some(stride), Some(from)) = (&access.stride, before) {
            self.claims.strides += 1;
            self.check_stride(access, stride, traced, from);
        }
        for (stride, from) in rounds {
            self.claims.loop_strides += 1;
            self.check_stride(access, stride, traced, from);
        }
    }

    fn check_uniform(&mut self, access: &Access, traced: &TracedAccess<'_>, around: &[u32]) {
        let group = match access.uniform {
            Uniformity::Item => return,
            Uniformity::Group => traced.item / self.launch.range.group_size(),
            Uniformity::Launch => 0,
        };
        let key = (access.inst, group, around.into());
        let first = *self.uniform.entry(key).or_insert(traced.offset);
        self.claims.uniform += 1;
        if first != traced.offset {
            self.fail(format!("{access}: went to {first} and {}", traced.offset));
        }
    }

    /// What is claimed about a load and a store.
    fn pair(&mut self, load: Inst, store: Inst) -> Pair {
        if let Some(known) = self.pairs.get(&(load, store)) {
            return *known;
        }
        let flow = self.accesses.read_after_write(load, store);
        let holds = |answer: &Answer| match answer {
            Answer::Never(conditions) => conditions.hold(self.kernel, self.launch),
            Answer::Maybe(_) => false,
        };
        let pair = Pair {
            own: holds(&flow.own),
            others: holds(&flow.others),
            apart: self.accesses.overlap(load, store) == Overlap::Never,
        };
        self.pairs.insert((load, store), pair);
        pair
    }

    fn replay(&mut self, access: &Access, traced: &TracedAccess<'_>) {
        let instance = match self.kernel.objects[traced.object].space() {
            Space::Private => traced.item,
            Space::Local => traced.item / self.launch.range.group_size(),
            Space::Global | Space::Constant | Space::Generic => 0,
        };
        for byte in traced.offset..traced.offset + u64::from(traced.bytes) {
            let key = (traced.object, instance, byte);
            if access.kind != AccessKind::Write {
                let state = self.bytes.entry(key).or_default();
                note(&mut state.readers, access.inst, traced.item);
                let own = state
                    .written
                    .iter()
                    .filter(|(item, _)| *item == traced.item);
                let own: Vec<Inst> = own.map(|&(_, store)| store).collect();
                for store in own {
                    if self.pair(access.inst, store).own {
                        self.fail(format!("{access} reads what {store} has written before"));
                    }
                }
            }
            if access.kind != AccessKind::Read {
                let state = self.bytes.entry(key).or_default();
                note(&mut state.writers, access.inst, traced.item);
                let writer = (traced.item, access.inst);
                if state.written.len() < MOST_WRITERS && !state.written.contains(&writer) {
                    state.written.push(writer);
                }
            }
        }
    }

    fn finish(mut self) -> Result<Claims, String> {
        for (_, byte) in std::mem::take(&mut self.bytes) {
            for (load, readers) in &byte.readers {
                for (store, writers) in &byte.writers {
                    let pair = self.pair(*load, *store);
                    if pair.apart {
                        self.fail(format!("{load} and {store} overlap"));
                    }
                    if pair.others && differ(readers, writers) {
                        self.fail(format!("{load} reads what {store} of another one writes"));
                    }
                }
            }
        }
        self.count_pairs();
        self.check_distances();
        match self.wrong.is_empty() {
            true => Ok(self.claims),
            false => Err(self.wrong.join("\n")),
        }
    }

    /// Counts the claims about pairs of accesses that have been executed.
    fn count_pairs(&mut self) {
        let executed: BTreeSet<Inst> = self.offsets.keys().copied().collect();
        let of = |accesses: &'k Accesses| accesses.iter().filter(|it| executed.contains(&it.inst));
        for load in of(self.accesses).filter(|it| it.reads()) {
            for store in of(self.accesses).filter(|it| it.writes()) {
                let (Ok(from), Ok(to)) = (&load.form, &store.form) else {
                    continue;
                };
                if from.object != to.object {
                    continue;
                }
                let pair = self.pair(load.inst, store.inst);
                let flow = self.accesses.read_after_write(load.inst, store.inst);
                let conditions = flow.others.conditions();
                let is_conditional = conditions.is_some_and(|it| !it.is_empty());
                self.claims.apart += u64::from(pair.apart);
                self.claims.own += u64::from(pair.own);
                self.claims.others += u64::from(pair.others);
                self.claims.conditional += u64::from(pair.others && is_conditional);
            }
        }
    }

    /// Compares accesses that are in the same loops.
    fn check_distances(&mut self) {
        let offsets = std::mem::take(&mut self.offsets);
        let all: Vec<&Access> = self.accesses.iter().collect();
        for (at, from) in all.iter().enumerate() {
            for to in &all[at + 1..] {
                let loops = |it: &Access| -> Vec<Loop> {
                    it.loop_strides.iter().map(|&(loop_, _)| loop_).collect()
                };
                let (Some(of_from), Some(of_to)) = (offsets.get(&from.inst), offsets.get(&to.inst))
                else {
                    continue;
                };
                if loops(from) != loops(to) {
                    continue;
                }
                let distance = self.accesses.distance(from.inst, to.inst);
                let Some(claimed) = distance.and_then(|it| it.constant()) else {
                    continue;
                };
                for (execution, &from_offset) in of_from {
                    if let Some(&to_offset) = of_to.get(execution) {
                        self.claims.distances += 1;
                        if to_offset as i64 - from_offset as i64 != claimed {
                            self.fail(format!("{from} and {to} are not {claimed} apart"));
                        }
                    }
                }
            }
        }
    }
}

impl Tracer for Trace<'_> {
    fn enter(&mut self, item: u64, block: Block) {
        if self.seen >= MOST {
            return;
        }
        let item = self.items.entry(item).or_default();
        if let Some(&loop_) = self.headers.get(&block) {
            let loops = self.accesses.loops();
            let round = match item.block {
                Some(from) if loops.contains(loop_, from) => item.iterations[&loop_] + 1,
                _ => 0,
            };
            item.iterations.insert(loop_, round);
        }
        item.block = Some(block);
    }

    fn access(&mut self, traced: &TracedAccess<'_>) {
        if self.seen >= MOST {
            return;
        }
        self.seen += 1;
        let Some(access) = self.accesses.get(traced.inst) else {
            self.fail(format!("{} is not among the accesses", traced.inst));
            return;
        };
        let item = &self.items[&traced.item];
        let loops = access.loop_strides.iter();
        let around: Vec<u32> = loops.map(|(loop_, _)| item.iterations[loop_]).collect();
        self.check_form(access, traced);
        self.check_strides(access, traced, &around);
        self.check_uniform(access, traced, &around);
        self.replay(access, traced);
    }
}

/// Whether a difference is zero, modulo a power of two if there is one.
fn agree(difference: i128, modulus: Option<u32>) -> bool {
    match modulus {
        None => difference == 0,
        Some(bits) => difference.rem_euclid(1 << bits) == 0,
    }
}

/// Notes that an instruction of a work-item has touched a byte.
fn note(list: &mut Vec<(Inst, [Option<u64>; 2])>, inst: Inst, item: u64) {
    match list.iter_mut().find(|(other, _)| *other == inst) {
        None => list.push((inst, [Some(item), None])),
        Some((_, [first, second])) => {
            if *first != Some(item) {
                second.get_or_insert(item);
            }
        }
    }
}

/// Whether two different work-items are among these.
fn differ(readers: &[Option<u64>; 2], writers: &[Option<u64>; 2]) -> bool {
    let mut readers = readers.iter().flatten();
    readers.any(|reader| writers.iter().flatten().any(|writer| reader != writer))
}
