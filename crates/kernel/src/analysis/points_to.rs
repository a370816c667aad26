//! Points-to: which memory objects each pointer may point into, and so what each access touches.
//!
//! Inclusion-based (Andersen's) and insensitive to the order of instructions. Every value has a
//! set of objects that its bits may be derived from: integers too, since pointers travel as
//! integers through casts, copies of structures and vector lanes. Every object has one set for all
//! that is stored in it. What comes from nowhere in the kernel, such as a pointer that the host put
//! into a buffer or that was made from a plain number, is *unknown* and reaches whatever its space
//! may reach.

use std::collections::VecDeque;

use cranelift_entity::SecondaryMap;

use crate::ir::{
    Algebra, BinaryOp, CastOp, Inst, InstData, Kernel, Numbers, Object, ObjectKind, ObjectSet,
    Space, TernaryAlgebra, TernaryOp, Type, UnaryAlgebra, UnaryOp, Value,
};

/// The objects that each value may be derived from.
pub struct PointsTo {
    values: SecondaryMap<Value, Origins>,
}

/// Where some bits may come from.
#[derive(Clone, Default, PartialEq, Eq)]
struct Origins {
    objects: ObjectSet,
    /// Also from outside the kernel.
    is_unknown: bool,
}

impl PointsTo {
    /// Solves the kernel's constraints.
    pub fn of(kernel: &Kernel) -> PointsTo {
        let mut solver = Solver::new(kernel);
        solver.run();
        while solver.assume_unknown() {
            solver.run();
        }
        PointsTo {
            values: solver.values,
        }
    }

    /// The objects that a pointer may point into.
    pub fn objects(&self, kernel: &Kernel, pointer: Value) -> ObjectSet {
        let Type::Ptr(space) = kernel.ty(pointer) else {
            return self.values[pointer].objects.clone();
        };
        self.values[pointer].resolve(kernel, space)
    }
}

/// Fills in what every memory instruction of the kernel may touch.
pub fn annotate_objects(kernel: &mut Kernel) {
    let points_to = PointsTo::of(kernel);
    let accesses: Vec<Inst> = kernel
        .insts()
        .filter(|&(_, inst)| kernel.inst(inst).pointer().is_some())
        .map(|(_, inst)| inst)
        .collect();
    decide_spaces(kernel, &points_to);
    for inst in accesses {
        let data = kernel.inst(inst);
        let pointer = data.pointer().expect("only accesses were collected");
        let reached = points_to.objects(kernel, pointer);
        let writes = data.access_effect().is_some_and(|access| access.writes());
        // A program that writes to read-only memory has no meaning.
        let touched = reached
            .iter()
            .filter(|&object| !writes || is_writable(kernel, object))
            .collect();
        if let Some(objects) = kernel.inst_mut(inst).objects_mut() {
            *objects = touched;
        }
    }
}

/// Answers in which space a pointer is wherever all that it may point into agrees.
fn decide_spaces(kernel: &mut Kernel, points_to: &PointsTo) {
    let insts: Vec<Inst> = kernel.insts().map(|(_, inst)| inst).collect();
    for inst in insts {
        let InstData::InSpace { space, ptr } = *kernel.inst(inst) else {
            continue;
        };
        let reached = points_to.objects(kernel, ptr);
        let there = reached
            .iter()
            .filter(|&object| kernel.objects[object].space() == space)
            .count();
        if there == 0 || there == reached.len() {
            *kernel.inst_mut(inst) = InstData::Const((there > 0).into());
        }
    }
}

fn is_writable(kernel: &Kernel, object: Object) -> bool {
    match kernel.objects[object].kind {
        ObjectKind::Buffer { space, .. } => space != Space::Constant,
        ObjectKind::LocalArg { .. }
        | ObjectKind::Local { .. }
        | ObjectKind::LocalPerItem { .. }
        | ObjectKind::Private { .. } => true,
        ObjectKind::StructArg { .. } | ObjectKind::Table { .. } => false,
    }
}

impl Origins {
    fn add(&mut self, other: &Origins) -> bool {
        let mut changed = other.is_unknown && !self.is_unknown;
        self.is_unknown |= other.is_unknown;
        for object in other.objects.iter() {
            changed |= self.objects.insert(object);
        }
        changed
    }

    fn is_empty(&self) -> bool {
        self.objects.is_empty() && !self.is_unknown
    }

    /// The objects that a pointer of this space with these origins may point into.
    fn resolve(&self, kernel: &Kernel, space: Space) -> ObjectSet {
        let reachable = |object: &Object| space.may_reach(kernel.objects[*object].space());
        match self.is_unknown {
            true => kernel.objects.keys().filter(reachable).collect(),
            false => self.objects.iter().filter(reachable).collect(),
        }
    }
}

struct Solver<'k> {
    kernel: &'k Kernel,
    values: SecondaryMap<Value, Origins>,
    /// What is stored in each object.
    contents: SecondaryMap<Object, Origins>,
    /// The instructions that use a value.
    users: SecondaryMap<Value, Vec<Inst>>,
    /// The instructions that were seen to read an object.
    readers: SecondaryMap<Object, Vec<Inst>>,
    /// The objects that an instruction was seen to read.
    read: SecondaryMap<Inst, ObjectSet>,
    queue: VecDeque<Inst>,
    queued: SecondaryMap<Inst, bool>,
}

impl<'k> Solver<'k> {
    fn new(kernel: &'k Kernel) -> Solver<'k> {
        let mut solver = Solver {
            kernel,
            values: SecondaryMap::new(),
            contents: SecondaryMap::new(),
            users: SecondaryMap::new(),
            readers: SecondaryMap::new(),
            read: SecondaryMap::new(),
            queue: VecDeque::new(),
            queued: SecondaryMap::new(),
        };
        for (_, inst) in kernel.insts() {
            for operand in kernel.inst(inst).operands() {
                if solver.users[operand].last() != Some(&inst) {
                    solver.users[operand].push(inst);
                }
            }
            solver.enqueue(inst);
        }
        solver
    }

    fn run(&mut self) {
        while let Some(inst) = self.queue.pop_front() {
            self.queued[inst] = false;
            self.visit(inst);
        }
    }

    /// Pointers that still point nowhere and are followed, or made from numbers that are not
    /// pointers, come from outside. Says whether that is news.
    fn assume_unknown(&mut self) -> bool {
        let unknown = Origins {
            is_unknown: true,
            ..Origins::default()
        };
        let mut changed = false;
        for (_, inst) in self.kernel.insts() {
            let data = self.kernel.inst(inst);
            let pointer = match *data {
                InstData::Cast {
                    op: CastOp::IntToPtr,
                    arg,
                } if self.kernel.constant(arg).is_none() => Some(self.kernel.result(inst)),
                _ => data.pointer(),
            };
            if let Some(pointer) = pointer
                && self.values[pointer].is_empty()
            {
                changed |= self.flow(&unknown, pointer);
            }
        }
        changed
    }

    fn enqueue(&mut self, inst: Inst) {
        if !std::mem::replace(&mut self.queued[inst], true) {
            self.queue.push_back(inst);
        }
    }

    /// Adds origins to a value.
    fn flow(&mut self, origins: &Origins, to: Value) -> bool {
        let changed = self.values[to].add(origins);
        if changed {
            for at in 0..self.users[to].len() {
                self.enqueue(self.users[to][at]);
            }
        }
        changed
    }

    fn copy(&mut self, from: Value, to: Value) {
        let origins = self.values[from].clone();
        self.flow(&origins, to);
    }

    fn visit(&mut self, inst: Inst) {
        let kernel = self.kernel;
        match kernel.inst(inst) {
            InstData::Addr(object) => {
                let origins = Origins {
                    objects: [*object].into_iter().collect(),
                    is_unknown: false,
                };
                self.flow(&origins, kernel.result(inst));
            }
            InstData::Load { ptr, .. } => self.load(inst, *ptr),
            InstData::Store { ptr, values, .. } => self.store(*ptr, values),
            InstData::AtomicRmw { ptr, value, .. } => {
                self.load(inst, *ptr);
                self.store(*ptr, &[*value]);
            }
            InstData::CmpXchg { ptr, new, .. } => {
                self.load(inst, *ptr);
                self.store(*ptr, &[*new]);
            }
            InstData::Jump(_) | InstData::Branch { .. } => self.pass_arguments(inst),
            data => {
                for &from in carriers(kernel, data).iter() {
                    self.copy(from, kernel.result(inst));
                }
            }
        }
    }

    fn pass_arguments(&mut self, inst: Inst) {
        let kernel = self.kernel;
        for target in kernel.inst(inst).targets() {
            let params = &kernel.block(target.block).params;
            for (&arg, &param) in target.args.iter().zip(params) {
                self.copy(arg, param);
            }
        }
    }

    fn reached(&self, ptr: Value) -> ObjectSet {
        match self.kernel.ty(ptr) {
            Type::Ptr(space) => self.values[ptr].resolve(self.kernel, space),
            Type::Int(_) | Type::F16 | Type::F32 | Type::F64 => ObjectSet::default(),
        }
    }

    fn load(&mut self, inst: Inst, ptr: Value) {
        let kernel = self.kernel;
        for object in self.reached(ptr).iter() {
            if self.read[inst].insert(object) {
                self.readers[object].push(inst);
            }
            let mut origins = self.contents[object].clone();
            for &result in kernel.results(inst) {
                // The host may have put pointers of its own there.
                let from_host = matches!(kernel.objects[object].kind, ObjectKind::Buffer { .. });
                origins.is_unknown |=
                    from_host && (kernel.ty(result).is_ptr() || !origins.is_empty());
                self.flow(&origins, result);
            }
        }
    }

    fn store(&mut self, ptr: Value, values: &[Value]) {
        let mut stored = Origins::default();
        for &value in values {
            stored.add(&self.values[value]);
        }
        if stored.is_empty() {
            return;
        }
        for object in self.reached(ptr).iter() {
            if self.contents[object].add(&stored) {
                for at in 0..self.readers[object].len() {
                    self.enqueue(self.readers[object][at]);
                }
            }
        }
    }
}

/// The operands whose bits a computation's result may be made of.
fn carriers(kernel: &Kernel, data: &InstData) -> Vec<Value> {
    match *data {
        // A distance is not an address, unless it starts from null.
        InstData::PtrAdd { base, offset } => match kernel.constant(base) {
            Some(_) => vec![offset],
            None => vec![base],
        },
        InstData::Select { args, .. } => args.to_vec(),
        InstData::Cast { arg, .. } => vec![arg],
        InstData::Unary { op, arg } => unary_carriers(op, arg),
        InstData::Binary { op, args } => binary_carriers(op, args),
        InstData::Ternary { op, args } => ternary_carriers(op, args),
        InstData::Elementary { .. }
        | InstData::Const(_)
        | InstData::Arg { .. }
        | InstData::Query { .. }
        | InstData::Compare { .. }
        | InstData::InSpace { .. }
        | InstData::Barrier(_)
        | InstData::Fence(_)
        | InstData::Printf { .. }
        | InstData::Return
        | InstData::Addr(_)
        | InstData::Load { .. }
        | InstData::Store { .. }
        | InstData::AtomicRmw { .. }
        | InstData::CmpXchg { .. }
        | InstData::Jump(_)
        | InstData::Branch { .. } => Vec::new(),
    }
}

fn unary_carriers(op: UnaryOp, arg: Value) -> Vec<Value> {
    match (op.row().numbers, op.row().algebra) {
        (Numbers::Floats, _) | (_, Some(UnaryAlgebra::Count(_))) => Vec::new(),
        (
            Numbers::Integers | Numbers::IntegersAndPointers,
            Some(UnaryAlgebra::Permutation | UnaryAlgebra::Negation | UnaryAlgebra::Magnitude)
            | None,
        ) => vec![arg],
    }
}

fn binary_carriers(op: BinaryOp, [a, b]: [Value; 2]) -> Vec<Value> {
    let Some(algebra) = op.row().algebra else {
        return match op.is_float() {
            true => Vec::new(),
            false => vec![a, b],
        };
    };
    match algebra {
        // What is subtracted, divided or shifted by is a number.
        Algebra::Difference | Algebra::Quotient(_) | Algebra::Remainder(_) | Algebra::Shift(_) => {
            vec![a]
        }
        Algebra::Sum
        | Algebra::Product
        | Algebra::And
        | Algebra::Or
        | Algebra::Xor
        | Algebra::Extreme(..) => vec![a, b],
        Algebra::HighProduct(_) => Vec::new(),
    }
}

fn ternary_carriers(op: TernaryOp, [a, b, c]: [Value; 3]) -> Vec<Value> {
    match (op.row().numbers, op.row().algebra) {
        (_, Some(TernaryAlgebra::Funnel(_))) => vec![a, b],
        (Numbers::Floats, _) | (_, Some(TernaryAlgebra::FusedProduct)) => Vec::new(),
        (Numbers::Integers | Numbers::IntegersAndPointers, None) => vec![a, b, c],
    }
}
