//! Checks what the dependence analysis claims about the loops of a kernel against the addresses of a launch.

use std::collections::{BTreeMap, HashMap};
use std::fmt;

use sluice_generator::Program;
use sluice_kernel::analysis::Loop;
use sluice_kernel::analysis::dependence::{
    Basis, Buffers, Dependences, Distance, MemoryDependence,
};
use sluice_kernel::interp::{self, TracedAccess, Tracer};
use sluice_kernel::ir::{AccessKind, Block, Inst, InstData, Kernel, Object, ObjectKind};
use sluice_kernel::launch::{Argument, BufferId, Launch, Memory};
use sluice_kernel::passes;
use sluice_kernel::plan::Plan;
use sluice_kernel::prepare::order::{self, STEPS};
use sluice_kernel::program::Optimised;

use crate::{Finding, bind, compile};

/// The number of accesses of a launch that are looked at: the first ones.
const MOST: u64 = 20_000;
/// Accesses to a byte that are remembered: the last ones.
const MOST_REMEMBERED: usize = 24;

/// How much has been claimed, and how much of it was compared with what happened.
#[derive(Clone, Copy, Debug, Default)]
pub struct Claims {
    /// Loops of the kernels.
    pub loops: u64,
    /// Dependences that loops carry, as the analysis says.
    pub carried: u64,
    /// Those of them whose distance follows from the subscripts.
    pub exact: u64,
    /// Those that hold under conditions that the launch meets, or do not exist then.
    pub narrowed: u64,
    /// Those that happened.
    pub seen: u64,
    /// Those that happened, but never at so small a distance.
    pub farther: u64,
    /// Those that happened and are exact, but never at so small a distance.
    pub farther_though_exact: u64,
    /// Dependences within an iteration, as the analysis says.
    pub within: u64,
    /// Those that happened.
    pub within_seen: u64,
    /// Pairs of accesses to a byte that were compared with the claims.
    pub pairs: u64,
}

impl Claims {
    /// Adds those of another launch.
    pub fn add(&mut self, other: &Claims) {
        self.loops += other.loops;
        self.carried += other.carried;
        self.exact += other.exact;
        self.narrowed += other.narrowed;
        self.seen += other.seen;
        self.farther += other.farther;
        self.farther_though_exact += other.farther_though_exact;
        self.within += other.within;
        self.within_seen += other.within_seen;
        self.pairs += other.pairs;
    }
}

impl fmt::Display for Claims {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let share = |count: u64, of: u64| 100.0 * count as f64 / of.max(1) as f64;
        write!(
            f,
            "{} loops carry {} dependences through memory, {:.1} % with an exact basis, {} narrowed by the launch; \
             {:.1} % happened, {:.1} % of these only at greater distances ({} with an exact basis); \
             {} within an iteration, {:.1} % happened; {} pairs of accesses were compared",
            self.loops,
            self.carried,
            share(self.exact, self.carried),
            self.narrowed,
            share(self.seen, self.carried),
            share(self.farther, self.seen),
            self.farther_though_exact,
            self.within,
            share(self.within_seen, self.within),
            self.pairs
        )
    }
}

/// Compares what the analysis says about a kernel with what a launch does; the memory is changed by it.
pub fn check_dependences(
    kernel: &Kernel,
    launch: &Launch,
    memory: &Memory,
    buffers: Buffers,
) -> Result<Claims, String> {
    let dependences = Dependences::of(kernel, buffers);
    let mut trace = Trace::new(kernel, &dependences, launch, buffers);
    let options = interp::Options {
        checks: interp::Checks::NONE,
        ..interp::Options::default()
    };
    interp::Program::new(kernel)
        .run_traced(launch, memory, &options, &mut trace)
        .map_err(|fault| fault.to_string())?;
    trace
        .finish()
        .map_err(|what| format!("{what}\n{kernel}{dependences}"))
}

/// Checks an optimised kernel, with buffers that are distinct and with buffers that may alias, and what
/// becomes of it behind the last step of its preparation, each on memory of its own.
pub fn check_stages(
    kernel: &Optimised,
    launch: impl Fn() -> (Launch, Memory),
) -> Result<Claims, String> {
    let mut claims = Claims::default();
    for buffers in [Buffers::Distinct, Buffers::MayAlias] {
        let (given, memory) = launch();
        claims.add(&check_dependences(kernel, &given, &memory, buffers)?);
    }
    let (given, memory) = launch();
    let plan = Plan::for_launch(&given, &memory);
    let last = STEPS.last().expect("there are steps").name;
    let prepared = order::kernel_after(kernel, &plan, last).expect("a step");
    // What cannot become a circuit has been checked as far as it goes.
    if let Ok(prepared) = prepared {
        let given = prepared.launch(&given);
        let more = check_dependences(&prepared.kernel, &given, &memory, Buffers::Distinct)
            .map_err(|what| format!("prepared: {what}"))?;
        claims.add(&more);
    }
    Ok(claims)
}

/// Checks a random program in all stages.
pub fn check_program(program: &Program) -> Result<Claims, Finding> {
    let Some(kernel) = compile(program)? else {
        return Ok(Claims::default());
    };
    let session = bind(&kernel, program);
    let (launch, memory) = (session.launch(), &session.memory);
    let mut claims = check_dependences(&kernel, launch, memory, Buffers::Distinct)
        .map_err(|what| Finding::Claim(format!("unoptimised: {what}")))?;
    let kernel = passes::optimise(kernel);
    let launch = || {
        let mut session = bind(&kernel, program);
        (session.launches.remove(0), session.memory)
    };
    claims.add(&check_stages(&kernel, launch).map_err(Finding::Claim)?);
    Ok(claims)
}

/// An execution of a loop, and an iteration of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Position {
    execution: u64,
    iteration: u64,
}

/// A work-item on its way.
#[derive(Default)]
struct Item {
    block: Option<Block>,
    loops: BTreeMap<Loop, Position>,
}

/// An access to a byte that has happened.
#[derive(Clone)]
struct Touch {
    inst: Inst,
    kind: AccessKind,
    /// The loops around it, the outermost first.
    around: Vec<(Loop, Position)>,
}

/// The memory that a byte is in.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Place {
    Object(Object),
    Buffer(BufferId),
}

/// A claimed dependence, and the distances at which it happened.
struct Claim<'k> {
    dependence: &'k MemoryDependence,
    /// What is claimed for this launch.
    distance: Option<Distance>,
    least_seen: Option<u64>,
}

type Key = (Loop, Inst, Inst, bool);

struct Trace<'k> {
    kernel: &'k Kernel,
    dependences: &'k Dependences,
    launch: &'k Launch,
    buffers: Buffers,
    headers: BTreeMap<Block, Loop>,
    homes: BTreeMap<Inst, Vec<Loop>>,
    items: HashMap<u64, Item>,
    bytes: HashMap<(Place, u64, u64), Vec<Touch>>,
    /// By loop, source, sink, and whether the loop carries it.
    claimed: HashMap<Key, Claim<'k>>,
    seen: u64,
    pairs: u64,
    wrong: Vec<String>,
}

impl<'k> Trace<'k> {
    fn new(
        kernel: &'k Kernel,
        dependences: &'k Dependences,
        launch: &'k Launch,
        buffers: Buffers,
    ) -> Trace<'k> {
        let loops = dependences.loops();
        let mut claimed = HashMap::new();
        for (loop_, of_loop) in dependences.iter() {
            for dependence in &of_loop.memory {
                let is_carried = dependence.distance.least() > 0;
                let key = (loop_, dependence.source, dependence.sink, is_carried);
                let narrowed = dependence.narrowed.as_ref();
                let narrowed = narrowed.filter(|it| it.conditions.hold(kernel, launch));
                let distance = narrowed.map_or(Some(dependence.distance), |it| it.distance);
                let claim = Claim {
                    dependence,
                    distance,
                    least_seen: None,
                };
                claimed.insert(key, claim);
            }
        }
        let around = |block: Block| {
            let all = loops.iter().map(|(loop_, _)| loop_);
            all.filter(|&loop_| loops.contains(loop_, block)).collect()
        };
        Trace {
            kernel,
            dependences,
            launch,
            buffers,
            headers: loops.iter().map(|(id, data)| (data.header, id)).collect(),
            homes: kernel
                .insts()
                .map(|(block, it)| (it, around(block)))
                .collect(),
            items: HashMap::new(),
            bytes: HashMap::new(),
            claimed,
            seen: 0,
            pairs: 0,
            wrong: Vec::new(),
        }
    }

    /// Objects that may be one buffer are looked at as that buffer.
    fn place(&self, object: Object) -> Place {
        let ObjectKind::Buffer { param, .. } = self.kernel.objects[object].kind else {
            return Place::Object(object);
        };
        match (self.buffers, self.launch.args.get(param as usize)) {
            (Buffers::MayAlias, Some(Argument::Buffer(id))) => Place::Buffer(*id),
            _ => Place::Object(object),
        }
    }

    /// Compares two accesses to a byte with what is claimed about the loops around both.
    fn compare(&mut self, first: &Touch, second: &Touch) {
        if !first.kind.writes() && !second.kind.writes() {
            return;
        }
        let common = first.around.iter().zip(&second.around);
        let common = common.take_while(|(a, b)| a.0 == b.0 && a.1.execution == b.1.execution);
        let mut innermost = None;
        for (&(loop_, before), &(_, after)) in common {
            self.pairs += 1;
            let distance = after.iteration - before.iteration;
            if distance > 0 {
                self.observe((loop_, first.inst, second.inst, true), distance);
                return;
            }
            innermost = Some(loop_);
        }
        // In the same iterations of all loops in which both are.
        let shared = |touch: &Touch| touch.around.iter().map(|it| it.0).collect::<Vec<_>>();
        let (in_first, in_second) = (shared(first), shared(second));
        let last = in_first.iter().rev().find(|it| in_second.contains(it));
        if let Some(loop_) = innermost
            && Some(&loop_) == last
        {
            self.observe((loop_, first.inst, second.inst, false), 0);
        }
    }

    fn observe(&mut self, key: Key, distance: u64) {
        let (loop_, source, sink, _) = key;
        let claimed = self.claimed.get_mut(&key);
        let allowed = claimed.as_ref().and_then(|claim| claim.distance);
        // A load may be said to miss what the last iterations have stored.
        let lag = match self.kernel.inst(sink) {
            InstData::Load { access, .. } => u64::from(access.lag),
            _ => 0,
        };
        let is_allowed = match allowed {
            _ if distance <= lag && lag > 0 => true,
            None => false,
            Some(Distance::Exactly(exactly)) => distance == exactly,
            Some(Distance::AtLeast(least)) => distance >= least,
        };
        if let Some(claim) = claimed {
            let least = claim.least_seen.map_or(distance, |it| it.min(distance));
            claim.least_seen = Some(least);
        }
        if !is_allowed && self.wrong.len() < 8 {
            let claim = allowed.map_or("none".to_owned(), |it| it.to_string());
            self.wrong.push(format!(
                "{loop_}: {source} and {sink} meet at a distance of {distance}: claimed {claim}"
            ));
        }
    }

    fn finish(self) -> Result<Claims, String> {
        if !self.wrong.is_empty() {
            return Err(self.wrong.join("\n"));
        }
        let mut claims = Claims {
            loops: self.dependences.loops().len() as u64,
            pairs: self.pairs,
            ..Claims::default()
        };
        for claim in self.claimed.values() {
            let dependence = claim.dependence;
            let least = dependence.distance.least();
            let is_seen = u64::from(claim.least_seen.is_some());
            if least == 0 {
                claims.within += 1;
                claims.within_seen += is_seen;
                continue;
            }
            let is_exact = dependence.basis == Basis::Exact;
            let claimed = claim.distance.map_or(u64::MAX, Distance::least);
            let is_farther = claim.least_seen.is_some_and(|seen| seen > claimed);
            claims.carried += 1;
            claims.exact += u64::from(is_exact);
            claims.narrowed += u64::from(claim.distance != Some(dependence.distance));
            claims.seen += is_seen;
            claims.farther += u64::from(is_farther);
            claims.farther_though_exact += u64::from(is_farther && is_exact);
        }
        Ok(claims)
    }
}

impl Tracer for Trace<'_> {
    fn enter(&mut self, item: u64, block: Block) {
        if self.seen >= MOST {
            return;
        }
        let item = self.items.entry(item).or_default();
        if let Some(&loop_) = self.headers.get(&block) {
            let position = item.loops.entry(loop_).or_default();
            match item.block {
                Some(from) if self.dependences.loops().contains(loop_, from) => {
                    position.iteration += 1;
                }
                _ => {
                    position.execution += 1;
                    position.iteration = 0;
                }
            }
        }
        item.block = Some(block);
    }

    fn access(&mut self, traced: &TracedAccess<'_>) {
        if self.seen >= MOST {
            return;
        }
        self.seen += 1;
        let loops = &self.homes[&traced.inst];
        if loops.is_empty() {
            return;
        }
        let item = &self.items[&traced.item];
        let touch = Touch {
            inst: traced.inst,
            kind: traced.kind,
            around: loops.iter().map(|&it| (it, item.loops[&it])).collect(),
        };
        let place = self.place(traced.object);
        for byte in traced.offset..traced.offset + u64::from(traced.bytes) {
            let key = (place, traced.item, byte);
            let mut earlier = self.bytes.remove(&key).unwrap_or_default();
            for first in &earlier {
                self.compare(first, &touch);
            }
            if earlier.len() == MOST_REMEMBERED {
                earlier.remove(0);
            }
            earlier.push(touch.clone());
            self.bytes.insert(key, earlier);
        }
    }
}
