//! What the operations take and give: V8 to V17, and V26.

use super::memory::{check_atomic, check_cmpxchg, check_load, check_store};
use super::{Check, ensure};
use crate::ir::{
    CastOp, Elementary, Inst, InstData, Kernel, Numbers, Object, ParamKind, Predicate, Query,
    Space, Type, UnaryOp, Value, Widths,
};

/// The rules of one instruction; its operands are defined and of types that exist.
pub(super) fn check_operation(kernel: &Kernel, inst: Inst) -> Check {
    let data = kernel.inst(inst);
    let results = kernel.results(inst);
    check_result_count(data, results.len())?;
    // Behind the check of the count: where it is called, there is a result.
    let result = || kernel.ty(results[0]);
    if let Some(guard) = data.guard() {
        check_condition(kernel, guard)?;
    }
    match data {
        InstData::Const(bits) => check_constant(result(), *bits),
        InstData::Arg { param, lane } => check_arg(kernel, *param, *lane, result()),
        InstData::Addr(object) => check_addr(kernel, *object, result()),
        InstData::Query { query, dim } => check_query(*query, *dim, result()),
        InstData::Unary { op, arg } => check_unary(kernel, *op, *arg, result()),
        InstData::Binary { op, args } => check_arithmetic(kernel, op.row().numbers, args, result()),
        InstData::Ternary { op, args } => {
            check_arithmetic(kernel, op.row().numbers, args, result())
        }
        InstData::Elementary { op, args } => check_elementary(kernel, *op, args, result()),
        InstData::Select { cond, args } => check_select(kernel, *cond, args, result()),
        InstData::Compare { pred, args } => check_compare(kernel, *pred, *args, result()),
        InstData::Cast { op, arg } => check_cast(*op, kernel.ty(*arg), result()),
        InstData::PtrAdd { base, offset } => check_ptradd(kernel, *base, *offset, result()),
        InstData::InSpace { space, ptr } => check_in_space(*space, kernel.ty(*ptr), result()),
        InstData::Load {
            ptr,
            access,
            objects,
            guard: _,
        } => check_load(kernel, (*ptr, access, objects), results),
        InstData::Store {
            ptr,
            values,
            access,
            objects,
            guard: _,
        } => check_store(kernel, (*ptr, access, objects), values),
        InstData::AtomicRmw {
            op,
            ptr,
            value,
            objects,
            guard: _,
        } => check_atomic(kernel, *op, (*ptr, objects), *value, result()),
        InstData::CmpXchg {
            ptr,
            expected,
            new,
            objects,
            guard: _,
        } => check_cmpxchg(kernel, (*ptr, objects), [*expected, *new], result()),
        InstData::Branch { cond, .. } => check_condition(kernel, *cond),
        InstData::Barrier(_)
        | InstData::Fence(_)
        | InstData::Printf { .. }
        | InstData::Jump(_)
        | InstData::Return => Ok(()),
    }
}

fn check_result_count(data: &InstData, got: usize) -> Check {
    let want = match data {
        InstData::Load { access, .. } => usize::from(access.lanes),
        InstData::Const(_)
        | InstData::Arg { .. }
        | InstData::Addr(_)
        | InstData::Query { .. }
        | InstData::Unary { .. }
        | InstData::Binary { .. }
        | InstData::Ternary { .. }
        | InstData::Elementary { .. }
        | InstData::Select { .. }
        | InstData::Compare { .. }
        | InstData::Cast { .. }
        | InstData::PtrAdd { .. }
        | InstData::InSpace { .. }
        | InstData::AtomicRmw { .. }
        | InstData::CmpXchg { .. } => 1,
        InstData::Store { .. }
        | InstData::Barrier(_)
        | InstData::Fence(_)
        | InstData::Printf { .. }
        | InstData::Jump(_)
        | InstData::Branch { .. }
        | InstData::Return => 0,
    };
    ensure!(8, want == got, "the number of results is {got}, not {want}");
    Ok(())
}

fn check_constant(ty: Type, bits: u64) -> Check {
    let fits = bits & !ty.mask() == 0;
    ensure!(9, fits, "{bits:#x} has more bits than {ty}");
    Ok(())
}

fn check_arg(kernel: &Kernel, param: u32, lane: u8, ty: Type) -> Check {
    let kind = kernel.params.get(param as usize).map(|param| param.kind);
    let Some(ParamKind::Value(element)) = kind else {
        ensure!(10, false, "parameter {param} is not passed by value");
        return Ok(());
    };
    ensure!(
        10,
        lane < element.lanes,
        "parameter {param} is {element} and has no lane {lane}"
    );
    let want = element.scalar.ty();
    ensure!(
        10,
        ty == want,
        "a lane of parameter {param} is {want}, not {ty}"
    );
    Ok(())
}

fn check_addr(kernel: &Kernel, object: Object, ty: Type) -> Check {
    let Some(data) = kernel.objects.get(object) else {
        ensure!(11, false, "{object} does not exist");
        return Ok(());
    };
    let want = Type::Ptr(data.space());
    ensure!(
        11,
        ty == want,
        "the address of {object} is {want}, not {ty}"
    );
    Ok(())
}

fn check_query(query: Query, dim: u8, ty: Type) -> Check {
    let dims = match query {
        Query::WorkDim | Query::ItemSlot | Query::GroupSlot => 0..=0,
        Query::GlobalId
        | Query::LocalId
        | Query::GroupId
        | Query::GlobalSize
        | Query::LocalSize
        | Query::NumGroups
        | Query::GlobalOffset => 0..=2,
    };
    ensure!(
        12,
        dims.contains(&dim),
        "{query} does not have the dimension {dim}"
    );
    ensure!(12, ty.is_int(), "{query} is an integer, not {ty}");
    Ok(())
}

fn check_arithmetic(kernel: &Kernel, numbers: Numbers, args: &[Value], ty: Type) -> Check {
    ensure!(
        13,
        numbers.contain(ty),
        "the operation is for {}, not for {ty}",
        numbers.name()
    );
    for &arg in args {
        let got = kernel.ty(arg);
        ensure!(13, got == ty, "{arg} is {got}, the result {ty}");
    }
    Ok(())
}

fn check_unary(kernel: &Kernel, op: UnaryOp, arg: Value, ty: Type) -> Check {
    check_arithmetic(kernel, op.row().numbers, &[arg], ty)?;
    match op.row().widths {
        Widths::Any => {}
        Widths::PairsOfBytes => {
            let is_whole = ty.bits().is_multiple_of(16);
            ensure!(13, is_whole, "{ty} does not consist of pairs of bytes");
        }
    }
    Ok(())
}

fn check_elementary(kernel: &Kernel, op: Elementary, args: &[Value], ty: Type) -> Check {
    let (want, got) = (op.operands(), args.len());
    ensure!(13, want == got, "{op} has {want} operands, not {got}");
    ensure!(13, ty == Type::F32, "{op} is a function of f32, not {ty}");
    check_arithmetic(kernel, Numbers::Floats, args, ty)
}

fn check_condition(kernel: &Kernel, cond: Value) -> Check {
    let ty = kernel.ty(cond);
    ensure!(14, ty == Type::BOOL, "the condition {cond} is {ty}, not i1");
    Ok(())
}

fn check_select(kernel: &Kernel, cond: Value, args: &[Value], ty: Type) -> Check {
    check_condition(kernel, cond)?;
    for &arg in args {
        let got = kernel.ty(arg);
        ensure!(14, got == ty, "{arg} is {got}, the result {ty}");
    }
    Ok(())
}

fn check_compare(kernel: &Kernel, pred: Predicate, args: [Value; 2], ty: Type) -> Check {
    let [left, right] = args.map(|arg| kernel.ty(arg));
    ensure!(15, left == right, "the operands are {left} and {right}");
    let numbers = pred.row().numbers;
    ensure!(
        15,
        numbers.contain(left),
        "{pred} is for {}, not for {left}",
        numbers.name()
    );
    ensure!(15, ty == Type::BOOL, "the result is {ty}, not i1");
    Ok(())
}

fn check_cast(op: CastOp, from: Type, to: Type) -> Check {
    let is_allowed = (op.row().converts)(from, to);
    ensure!(16, is_allowed, "{op} does not go from {from} to {to}");
    Ok(())
}

fn check_in_space(space: Space, ptr: Type, ty: Type) -> Check {
    let is_asked = matches!(space, Space::Local | Space::Private);
    ensure!(26, is_asked, "nothing tells {space} memory from the rest");
    ensure!(26, ptr.is_ptr(), "the operand is {ptr}, not a pointer");
    ensure!(26, ty == Type::BOOL, "the result is {ty}, not i1");
    Ok(())
}

fn check_ptradd(kernel: &Kernel, base: Value, offset: Value, ty: Type) -> Check {
    let (base_ty, offset_ty) = (kernel.ty(base), kernel.ty(offset));
    ensure!(17, base_ty.is_ptr(), "{base} is {base_ty}, not a pointer");
    ensure!(
        17,
        offset_ty.is_int(),
        "{offset} is {offset_ty}, not an integer"
    );
    ensure!(17, ty == base_ty, "{base} is {base_ty}, the result {ty}");
    Ok(())
}
