//! Pointers that may lead to local memory or to another: accesses are split, and what tells the memories
//! apart becomes comparisons of addresses.
//!
//! Local memory has the highest addresses of all. Private arrays have known sizes, wherever they are.

use crate::ir::{
    BinaryOp, Block, BlockCall, CastOp, Inst, InstData, Kernel, Object, ObjectKind, ObjectSet,
    Predicate, Space, Type, Value,
};

/// Makes two accesses of each that may go to local memory or to another, on the two sides of a branch.
pub(crate) fn split_mixed_accesses(kernel: &mut Kernel) {
    let mut at = 0;
    while let Some(&block) = kernel.layout().get(at) {
        let insts = kernel.block(block).insts.iter();
        let mixed = insts
            .enumerate()
            .find_map(|(place, &inst)| Some((place, halves(kernel, inst)?)));
        if let Some((place, halves)) = mixed {
            split(kernel, block, place, halves);
        }
        at += 1;
    }
}

/// The objects of an access in local memory, and the others, if there are both.
fn halves(kernel: &Kernel, inst: Inst) -> Option<[ObjectSet; 2]> {
    let objects = kernel.inst(inst).objects()?;
    let is_local = |object: &Object| kernel.objects[*object].space() == Space::Local;
    let local: ObjectSet = objects.iter().filter(is_local).collect();
    let others: ObjectSet = objects.iter().filter(|object| !is_local(object)).collect();
    (!local.is_empty() && !others.is_empty()).then_some([local, others])
}

/// Ends a block before an access, which goes on in two blocks that join before what came behind it.
fn split(kernel: &mut Kernel, block: Block, place: usize, halves: [ObjectSet; 2]) {
    let behind = kernel.block_mut(block).insts.split_off(place + 1);
    let access = kernel.block_mut(block).insts.pop().expect("the access");
    let (data, loc) = (kernel.inst(access).clone(), kernel.loc(access));
    let results = kernel.results(access).to_vec();
    let types: Vec<Type> = results.iter().map(|&result| kernel.ty(result)).collect();
    let join = kernel.add_block();
    let params: Vec<Value> = types
        .iter()
        .map(|&ty| kernel.add_block_param(join, ty))
        .collect();
    let ptr = data.pointer().expect("accesses have an address");
    let asked = InstData::InSpace {
        space: Space::Local,
        ptr,
    };
    let cond = kernel.append_value(block, asked, Type::BOOL, loc);
    let targets = halves.map(|objects| {
        let side = kernel.add_block();
        let mut data = data.clone();
        *data.objects_mut().expect("accesses have objects") = objects;
        let half = kernel.append(side, data, &types, loc);
        let args = kernel.results(half).into();
        kernel.append(
            side,
            InstData::Jump(BlockCall { block: join, args }),
            &[],
            loc,
        );
        BlockCall {
            block: side,
            args: Default::default(),
        }
    });
    kernel.append(block, InstData::Branch { cond, targets }, &[], loc);
    kernel.block_mut(join).insts = behind;
    if !results.is_empty() {
        let instead = |value| match results.iter().position(|&result| result == value) {
            Some(at) => params[at],
            None => value,
        };
        kernel.map_operands(instead);
    }
}

/// Answers whether pointers lead to private memory by comparing them with all that is there.
pub(crate) fn compare_with_private(kernel: &mut Kernel) {
    let private = |(object, data): (Object, &crate::ir::ObjectData)| match data.kind {
        ObjectKind::Private { size } | ObjectKind::StructArg { size, .. } => Some((object, size)),
        ObjectKind::Buffer { .. }
        | ObjectKind::LocalArg { .. }
        | ObjectKind::Local { .. }
        | ObjectKind::LocalPerItem { .. }
        | ObjectKind::Table { .. } => None,
    };
    let private: Vec<(Object, u64)> = kernel.objects.iter().filter_map(private).collect();
    replace_questions(kernel, Space::Private, |kernel, inst, ptr| {
        let mut made = Vec::new();
        let loc = kernel.loc(inst);
        let mut make = |kernel: &mut Kernel, data, ty| {
            let inst = kernel.make_inst(data, &[ty], loc);
            made.push(inst);
            kernel.result(inst)
        };
        let number = |arg| InstData::Cast {
            op: CastOp::PtrToInt,
            arg,
        };
        let address = make(kernel, number(ptr), Type::I64);
        let mut found = make(kernel, InstData::Const(0), Type::BOOL);
        for &(object, size) in &private {
            let base = make(kernel, InstData::Addr(object), Type::Ptr(Space::Private));
            let base = make(kernel, number(base), Type::I64);
            let distance = InstData::Binary {
                op: BinaryOp::Sub,
                args: [address, base],
            };
            let distance = make(kernel, distance, Type::I64);
            let size = make(kernel, InstData::Const(size), Type::I64);
            let here = InstData::Compare {
                pred: Predicate::Ule,
                args: [distance, size],
            };
            let here = make(kernel, here, Type::BOOL);
            let either = InstData::Binary {
                op: BinaryOp::Or,
                args: [found, here],
            };
            found = make(kernel, either, Type::BOOL);
        }
        let itself = InstData::Binary {
            op: BinaryOp::Or,
            args: [found, found],
        };
        (made, itself)
    });
}

/// Replaces each question for a space by what `answer` makes of it: instructions before it, and it.
fn replace_questions(
    kernel: &mut Kernel,
    asked: Space,
    answer: impl Fn(&mut Kernel, Inst, Value) -> (Vec<Inst>, InstData),
) {
    for block in kernel.layout().to_vec() {
        let insts = std::mem::take(&mut kernel.block_mut(block).insts);
        let mut kept = Vec::with_capacity(insts.len());
        for inst in insts {
            if let InstData::InSpace { space, ptr } = *kernel.inst(inst)
                && space == asked
            {
                let (before, data) = answer(kernel, inst, ptr);
                kept.extend(before);
                *kernel.inst_mut(inst) = data;
            }
            kept.push(inst);
        }
        kernel.block_mut(block).insts = kept;
    }
}
