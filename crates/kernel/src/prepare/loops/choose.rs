//! Which way the iterations of each loop take, and why.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use cranelift_entity::SecondaryMap;

use super::super::Refusal;
use super::control::{Control, Shape};
use super::estimate::{has_loads, interval, short_wait};
use super::split_control::live_out;
use crate::analysis::dependence::{Buffers as Aliasing, Dependences, LoopDependences};
use crate::analysis::{Cfg, Dominators, Loop, LoopData, Loops, Ranges, is_id, round_limits};
use crate::dataflow::must_wait;
use crate::ir::{AccessKind, Block, Effect, Inst, Kernel, ObjectKind, Pipelining, Value, ValueDef};
use crate::plan::{Buffers, KernelPlan, LaunchItems, LoopKey, LoopWay};

/// The ways of a kernel's loops, by their headers. Loops without an entry recirculate.
#[derive(Clone, Debug, Default)]
pub(crate) struct LoopWays {
    pub(crate) ways: BTreeMap<Block, Way>,
    /// What is to be said of each loop, in the order of the source.
    pub(crate) reports: Vec<LoopReport>,
}

/// How the iterations of a loop overlap.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Way {
    /// As tokens of their own, in any order.
    Parallel,
    /// In order, with these waits.
    Pipelined(Vec<Wait>),
    /// In order, with these waits, and started before it is known whether there are any.
    Speculative(Vec<Wait>),
}

impl Way {
    /// What iterations wait for, where they are in order.
    pub(crate) fn waits(&self) -> Option<&[Wait]> {
        match self {
            Way::Parallel => None,
            Way::Pipelined(waits) | Way::Speculative(waits) => Some(waits),
        }
    }
}

impl LoopWays {
    /// The headers of the loops whose iterations start before it is known whether there are any.
    pub(crate) fn speculative(&self) -> Vec<Block> {
        let ways = self.ways.iter();
        let speculative = ways.filter(|(_, way)| matches!(way, Way::Speculative(_)));
        speculative.map(|(&header, _)| header).collect()
    }
}

/// An iteration does `sink` when the iteration `distance` before it has done `source`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Wait {
    /// The access that comes first.
    pub source: Inst,
    /// The access that waits for it.
    pub sink: Inst,
    /// The number of iterations between them.
    pub distance: u64,
}

/// What was decided for a loop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoopReport {
    /// Where the loop begins in the source, if that is known.
    pub key: Option<LoopKey>,
    /// The block that it begins with.
    pub(crate) header: Block,
    /// The way of its iterations.
    pub way: LoopWay,
    /// Why it is not another one.
    pub reason: String,
    /// Whether iterations would follow each other sooner if operations on floats might be done in another order.
    pub keeps_order: bool,
    /// Iterations of the source that one of its iterations consists of: more than one if it is unrolled.
    pub copies: u32,
    /// Whether it only does the iterations that unrolling has left over.
    pub is_rest: bool,
    /// Why it is not unrolled though the source asks for it.
    pub not_unrolled: Option<String>,
    /// Whether its way would be another one if that were legal.
    pub(crate) is_free: bool,
}

/// Why the iterations of a loop cannot overlap in some way.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum WhyNot {
    /// Its control flow.
    Shape(&'static str),
    /// Whether there is another iteration cannot be computed ahead.
    Control,
    /// An iteration hands a value to the next one.
    Value(u32),
    /// A value that the loop computes is used behind it.
    LiveOut(u32),
    /// An iteration may read or overwrite what an earlier one wrote or read, but not in launches that meet conditions.
    Memory(u32, u32, Option<String>),
    /// It has barriers, fences or prints.
    Ordered(u32),
    /// A value that an iteration hands to the next one goes through memory.
    MemoryInRecurrence(u32),
    /// Whether there is another iteration is known late, and it must not do this before.
    InVain(u32),
}

impl fmt::Display for WhyNot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WhyNot::Shape(what) => write!(f, "it {what}"),
            WhyNot::Control => f.write_str("whether it goes on depends on what its body computes"),
            WhyNot::Value(0) => f.write_str("an iteration needs a value of the one before"),
            WhyNot::Value(line) => {
                write!(
                    f,
                    "an iteration needs the value of line {line} of the one before"
                )
            }
            WhyNot::LiveOut(line) => {
                write!(f, "what it computes in line {line} is needed behind it")
            }
            WhyNot::Memory(source, sink, unless) => {
                write!(
                    f,
                    "line {sink} may access what line {source} accesses in an earlier iteration"
                )?;
                match unless {
                    Some(unless) => write!(f, ", but not in launches with {unless}"),
                    None => Ok(()),
                }
            }
            WhyNot::Ordered(line) => write!(f, "line {line} keeps its iterations in order"),
            WhyNot::MemoryInRecurrence(line) => write!(
                f,
                "an iteration needs what the one before reads from memory in line {line}"
            ),
            WhyNot::InVain(line) => write!(
                f,
                "whether it goes on depends on what its body computes, and line {line} must not be done in vain"
            ),
        }
    }
}

/// Why loops recirculate by rule.
const MANY_ITEMS: &str = "work-items fill its pipeline";
const FEW_ITEMS: &str = "its few work-items go round it together in about as many cycles";

/// How loops are pipelined whose exit depends on data.
const STARTED_AHEAD: &str = "iterations start before it is known whether there are any";

/// Iterations that loops of a few work-items have at least, so that overlapping them pays.
const FEW_ITEMS_ROUNDS: u64 = 6;

/// The cycles between two of them, about, at most. With [`LaunchItems::MOST_OF_FEW`] work-items, overlapping takes no
/// longer then than an iteration of all of them together: some 25 cycles with a load, and 9 without besides the interval.
const FEW_ITEMS_INTERVAL: u64 = 5;
const FEW_ITEMS_INTERVAL_WITHOUT_LOADS: u64 = 2;

/// Chooses the ways of a kernel's loops: those of the plan, where they are legal, or else by rule. Where work-items
/// are many, they fill the pipelines of loops; a single one, or a few, need their iterations to overlap.
pub(crate) fn choose(kernel: &Kernel, plan: &KernelPlan) -> Result<LoopWays, Refusal> {
    ways(kernel, plan, Illegal::Refused, &BTreeSet::new())
}

/// What would be chosen: where the plan asks for a way that is not legal yet, the loop recirculates. No rule makes the
/// loops with the headers `in_order` parallel.
pub(super) fn choose_so_far(
    kernel: &Kernel,
    plan: &KernelPlan,
    in_order: &BTreeSet<Block>,
) -> Result<LoopWays, Refusal> {
    ways(kernel, plan, Illegal::LeftOut, in_order)
}

/// What becomes of ways that a plan asks for and that are not legal.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Illegal {
    Refused,
    LeftOut,
}

fn ways(
    kernel: &Kernel,
    plan: &KernelPlan,
    illegal: Illegal,
    in_order: &BTreeSet<Block>,
) -> Result<LoopWays, Refusal> {
    let cfg = Cfg::of(kernel);
    let dominators = Dominators::of(kernel, &cfg);
    let loops = Loops::of(kernel, &cfg, &dominators);
    let items = items(kernel, plan);
    if loops.is_empty() || (items == Items::Many && plan.loops.is_empty()) {
        let report = |(_, data)| LoopReport {
            key: LoopKey::of(kernel, data),
            header: data.header,
            way: LoopWay::Recirculating,
            reason: MANY_ITEMS.into(),
            keeps_order: false,
            copies: 1,
            is_rest: false,
            not_unrolled: None,
            is_free: false,
        };
        return Ok(LoopWays {
            ways: BTreeMap::new(),
            reports: loops.iter().map(report).collect(),
        });
    }
    let dependences = Dependences::of(
        kernel,
        match plan.buffers {
            Buffers::Disjoint => Aliasing::Distinct,
            Buffers::MayAlias => Aliasing::MayAlias,
        },
    );
    let mut chooser = Chooser {
        kernel,
        plan,
        loops: &loops,
        dependences: &dependences,
        items,
        rounds: (items == Items::Few)
            .then(|| round_limits(kernel, &cfg, &dominators, &loops, &Ranges::of(kernel))),
        illegal,
        in_order,
        chosen: LoopWays::default(),
        inside: BTreeSet::new(),
    };
    for (loop_, data) in loops.iter() {
        chooser.visit(loop_, data)?;
    }
    chooser.chosen.reports.sort_by_key(|it| it.key);
    Ok(chooser.chosen)
}

/// Work-items that are at the same time in a loop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Items {
    /// One.
    Single,
    /// So few that a loop whose iterations overlap has done them one after the other before they have gone round it
    /// together.
    Few,
    /// As many as the loop has room for.
    Many,
}

/// How many work-items launches have: the plan knows, or the kernel does not ask which one it is.
pub(super) fn items(kernel: &Kernel, plan: &KernelPlan) -> Items {
    match plan.items {
        LaunchItems::One | LaunchItems::OneInGroup => Items::Single,
        LaunchItems::Few => Items::Few,
        LaunchItems::Several => Items::Many,
        LaunchItems::Unknown => {
            let mut insts = kernel.insts().map(|(_, inst)| kernel.inst(inst));
            match insts.any(is_id) {
                true => Items::Many,
                false => Items::Single,
            }
        }
    }
}

struct Chooser<'k> {
    kernel: &'k Kernel,
    plan: &'k KernelPlan,
    loops: &'k Loops,
    dependences: &'k Dependences,
    items: Items,
    /// How often control goes round each loop, at most; only where work-items are few.
    rounds: Option<SecondaryMap<Loop, Option<u64>>>,
    illegal: Illegal,
    in_order: &'k BTreeSet<Block>,
    chosen: LoopWays,
    /// Loops in loops that are parallel: their work-items are many.
    inside: BTreeSet<Loop>,
}

impl Chooser<'_> {
    fn visit(&mut self, loop_: Loop, data: &LoopData) -> Result<(), Refusal> {
        if data
            .parent
            .is_some_and(|parent| self.inside.contains(&parent))
        {
            self.inside.insert(loop_);
        }
        let asked = LoopKey::of(self.kernel, data).and_then(|key| self.plan.loops.get(&key));
        let hints = &self.kernel.block(data.header).hints;
        let may = |way: LoopWay| match asked {
            Some(&asked) => asked == way,
            None => {
                self.items != Items::Many
                    && !self.inside.contains(&loop_)
                    && hints.pipelining != Some(Pipelining::Never)
            }
        };
        let is_in_order = asked.is_none() && self.in_order.contains(&data.header);
        let parallel = may(LoopWay::Parallel) && !is_in_order;
        let pipelined = may(LoopWay::Pipelined);
        let legal = self.first_legal(loop_, data, [parallel, pipelined]);
        let (way, reasons) = match asked {
            Some(_) => legal,
            None => self.if_it_pays(loop_, data, legal),
        };
        if way == Some(Way::Parallel) {
            self.inside.insert(loop_);
        }
        if let (Some(asked), None) = (asked, &way)
            && *asked != LoopWay::Recirculating
            && self.illegal == Illegal::Refused
            // A launch that passes overlapping buffers gets what is legal for it.
            && self.plan.buffers == Buffers::Disjoint
        {
            return Err(Refusal {
                what: format!("a {} loop: {}", asked.name(), reasons.join("; ")).into(),
                line: LoopKey::of(self.kernel, data).map_or(0, |key| key.line),
            });
        }
        let reason = match (&way, self.inside.contains(&loop_)) {
            (None, true) => "the iterations of the loop around it fill its pipeline".into(),
            (None, false) if self.items == Items::Many => MANY_ITEMS.into(),
            _ => reasons.join("; "),
        };
        self.chosen.reports.push(LoopReport {
            key: LoopKey::of(self.kernel, data),
            header: data.header,
            way: match &way {
                None => LoopWay::Recirculating,
                Some(Way::Parallel) => LoopWay::Parallel,
                Some(Way::Pipelined(_) | Way::Speculative(_)) => LoopWay::Pipelined,
            },
            reason,
            keeps_order: false,
            copies: 1,
            is_rest: false,
            not_unrolled: None,
            is_free: pipelined && way.is_none(),
        });
        self.chosen.ways.extend(way.map(|way| (data.header, way)));
        Ok(())
    }

    /// The first of two ways that is legal, parallel and pipelined, if they are allowed; why those before are not, or how
    /// it is.
    fn first_legal(
        &self,
        loop_: Loop,
        data: &LoopData,
        [parallel, pipelined]: [bool; 2],
    ) -> (Option<Way>, Vec<String>) {
        let mut reasons = Vec::new();
        if parallel {
            match self.parallel(loop_, data) {
                Ok(()) => return (Some(Way::Parallel), reasons),
                Err(why) => reasons.push(format!("not parallel: {why}")),
            }
        }
        if pipelined {
            match self.pipelined(loop_, data) {
                Ok(way) => {
                    if let Way::Speculative(_) = way {
                        reasons.push(STARTED_AHEAD.into());
                    }
                    return (Some(way), reasons);
                }
                Err(why) => reasons.push(format!("not pipelined: {why}")),
            }
        }
        (None, reasons)
    }

    /// A way that is legal, unless going round the loop is better.
    fn if_it_pays(
        &self,
        loop_: Loop,
        data: &LoopData,
        (way, reasons): (Option<Way>, Vec<String>),
    ) -> (Option<Way>, Vec<String>) {
        let Some(way) = way else {
            return (None, reasons);
        };
        if let Way::Speculative(waits) = &way
            && let Some(wait) = short_wait(self.kernel, data.header, waits)
        {
            let [source, sink] = [wait.source, wait.sink].map(|it| self.kernel.loc(it).line);
            let why = format!(
                "not pipelined: {STARTED_AHEAD}, and line {sink} would wait for line {source} of one shortly before"
            );
            return (None, vec![why]);
        }
        match self.pays(loop_, data, &way) {
            true => (Some(way), reasons),
            false => (None, vec![FEW_ITEMS.into()]),
        }
    }

    /// Whether iterations that overlap are better than work-items that go round the loop together.
    fn pays(&self, loop_: Loop, data: &LoopData, way: &Way) -> bool {
        let Some(rounds) = &self.rounds else {
            return true;
        };
        let is_long = match rounds[loop_] {
            Some(most) => most >= FEW_ITEMS_ROUNDS,
            // Inner loops are often short, and they begin often.
            None => data.parent.is_none(),
        };
        let is_fast = match way {
            Way::Parallel => true,
            Way::Speculative(_) => false,
            Way::Pipelined(waits) => {
                let most = match has_loads(self.kernel, data) {
                    true => FEW_ITEMS_INTERVAL,
                    false => FEW_ITEMS_INTERVAL_WITHOUT_LOADS,
                };
                interval(self.kernel, self.dependences.get(loop_)) <= most
                    && short_wait(self.kernel, data.header, waits).is_none()
            }
        };
        is_long && is_fast
    }

    /// Whether iterations may run in any order.
    fn parallel(&self, loop_: Loop, data: &LoopData) -> Result<(), WhyNot> {
        let shape = Shape::of(self.kernel, data)?;
        let dependences = self.dependences.get(loop_);
        self.check_order(dependences)?;
        let control = Control::of(self.kernel, self.loops, loop_, &shape);
        if !control.contains(shape.condition) {
            return Err(WhyNot::Control);
        }
        let params = &self.kernel.block(shape.header).params;
        if let Some(&param) = params.iter().find(|it| !control.params.contains(it)) {
            return Err(WhyNot::Value(self.line_of(shape.next(self.kernel, param))));
        }
        if let Some(carried) = dependences.carried().next() {
            let lines = [carried.source, carried.sink].map(|it| self.kernel.loc(it).line);
            let narrowed = carried.narrowed.as_ref();
            let narrowed = narrowed.filter(|it| it.distance.is_none());
            let unless = narrowed.map(|it| it.conditions.to_string());
            return Err(WhyNot::Memory(lines[0], lines[1], unless));
        }
        let behind = |value: &Value| !control.contains(*value);
        let live = live_out(self.kernel, self.loops, loop_, &control);
        match live.into_iter().find(behind) {
            Some(value) => Err(WhyNot::LiveOut(self.line_of(value))),
            None => Ok(()),
        }
    }

    /// Whether iterations may follow each other in order, and how.
    fn pipelined(&self, loop_: Loop, data: &LoopData) -> Result<Way, WhyNot> {
        let shape = Shape::of(self.kernel, data)?;
        if shape.header != shape.latch {
            return Err(WhyNot::Shape("has branches or loops inside"));
        }
        let dependences = self.dependences.get(loop_);
        self.check_order(dependences)?;
        let control = Control::of(self.kernel, self.loops, loop_, &shape);
        let is_known_ahead = control.contains(shape.condition);
        if !is_known_ahead {
            self.check_speculation(data)?;
        }
        let decides = (!is_known_ahead).then_some(shape.condition);
        if let Some(access) = self.access_in_recurrence(&shape, decides) {
            return Err(WhyNot::MemoryInRecurrence(self.kernel.loc(access).line));
        }
        let waits = dependences.carried().map(|it| Wait {
            source: it.source,
            sink: it.sink,
            distance: it.distance.least(),
        });
        let waits = waits.collect();
        Ok(match is_known_ahead {
            true => Way::Pipelined(waits),
            false => Way::Speculative(waits),
        })
    }

    /// Whether iterations of a loop may be started in vain: their stores are left out, and what their loads give is not
    /// used. Work-items that are many, or that fill its pipeline, do not wait for decisions anyway.
    fn check_speculation(&self, data: &LoopData) -> Result<(), WhyNot> {
        let kernel = self.kernel;
        let insts = data.blocks.iter().flat_map(|&it| &kernel.block(it).insts);
        for &inst in insts {
            let Effect::Access(access) = kernel.inst(inst).effect() else {
                continue;
            };
            let has_no_bounds = |object| {
                let kind = &kernel.objects[object].kind;
                matches!(kind, ObjectKind::LocalPerItem { .. })
            };
            let is_harmless = access.kind != AccessKind::Atomic
                && !access.is_volatile
                && !access.objects.iter().any(has_no_bounds);
            if !is_harmless {
                return Err(WhyNot::InVain(kernel.loc(inst).line));
            }
        }
        Ok(())
    }

    fn check_order(&self, dependences: &LoopDependences) -> Result<(), WhyNot> {
        match dependences.ordered.first() {
            Some(&inst) => Err(WhyNot::Ordered(self.kernel.loc(inst).line)),
            None => Ok(()),
        }
    }

    /// An access of a loop's only block that what it hands to the next iteration goes through, by values or by the
    /// order of accesses: a level would have to come behind itself. If a value `decides` whether there is another
    /// iteration, stores of that one need it.
    fn access_in_recurrence(&self, shape: &Shape, decides: Option<Value>) -> Option<Inst> {
        let kernel = self.kernel;
        let block = kernel.block(shape.header);
        let mut behind: BTreeMap<Value, BTreeSet<Inst>> = BTreeMap::new();
        let mut accesses: BTreeMap<Inst, BTreeSet<Inst>> = BTreeMap::new();
        loop {
            let before = (behind.clone(), accesses.clone());
            let decision = decides.and_then(|it| behind.get(&it)).cloned();
            for &param in &block.params {
                let of_next = behind.get(&shape.next(kernel, param)).cloned();
                behind.insert(param, of_next.unwrap_or_default());
            }
            for &inst in &block.insts {
                let data = kernel.inst(inst);
                let operands = data.operands().into_iter();
                let of_operands = operands.filter_map(|it| behind.get(&it)).flatten();
                let mut all: BTreeSet<Inst> = of_operands.copied().collect();
                if let Effect::Access(access) = data.effect() {
                    if access.writes() {
                        all.extend(decision.iter().flatten().copied());
                    }
                    let earlier = block.insts.iter().take_while(|&&it| it != inst);
                    for &it in earlier.filter(|&&it| must_wait(kernel.inst(it), data)) {
                        all.insert(it);
                        all.extend(accesses.get(&it).into_iter().flatten().copied());
                    }
                    if all.contains(&inst) {
                        return Some(inst);
                    }
                    accesses.insert(inst, all.clone());
                    all.insert(inst);
                }
                for &result in kernel.results(inst) {
                    behind.insert(result, all.clone());
                }
            }
            if before == (behind.clone(), accesses.clone()) {
                return None;
            }
        }
    }

    fn line_of(&self, value: Value) -> u32 {
        match self.kernel.def(value) {
            ValueDef::Result(inst, _) => self.kernel.loc(inst).line,
            ValueDef::Param(..) => 0,
        }
    }
}
