//! What touches memory: V18 to V21.

use super::{Check, ensure};
use crate::ir::{Access, AtomicOp, Kernel, ObjectData, ObjectKind, ObjectSet, Space, Type, Value};

pub(super) fn check_load(
    kernel: &Kernel,
    (ptr, access, objects): (Value, &Access, &ObjectSet),
    results: &[Value],
) -> Check {
    check_access(kernel, ptr, access)?;
    check_lanes(kernel, access, results)?;
    check_objects(kernel, ptr, objects)
}

pub(super) fn check_store(
    kernel: &Kernel,
    (ptr, access, objects): (Value, &Access, &ObjectSet),
    values: &[Value],
) -> Check {
    check_access(kernel, ptr, access)?;
    ensure!(18, access.lag == 0, "a store has a lag");
    check_lanes(kernel, access, values)?;
    check_objects(kernel, ptr, objects)?;
    check_written(kernel, objects)
}

pub(super) fn check_atomic(
    kernel: &Kernel,
    op: AtomicOp,
    (ptr, objects): (Value, &ObjectSet),
    value: Value,
    ty: Type,
) -> Check {
    let takes_type = match op.combines_by() {
        None => is_word(ty) && !ty.is_ptr(),
        Some(op) => is_word(ty) && op.row().numbers.contain(ty),
    };
    ensure!(21, takes_type, "atomic {op} does not work on {ty}");
    check_atomic_operands(kernel, &[value], ty)?;
    check_address(kernel, ptr)?;
    check_objects(kernel, ptr, objects)?;
    check_written(kernel, objects)
}

pub(super) fn check_cmpxchg(
    kernel: &Kernel,
    (ptr, objects): (Value, &ObjectSet),
    operands: [Value; 2],
    ty: Type,
) -> Check {
    let takes_type = is_word(ty) && ty.is_int();
    ensure!(21, takes_type, "cmpxchg does not work on {ty}");
    check_atomic_operands(kernel, &operands, ty)?;
    check_address(kernel, ptr)?;
    check_objects(kernel, ptr, objects)?;
    check_written(kernel, objects)
}

fn is_word(ty: Type) -> bool {
    matches!(ty.bits(), 32 | 64)
}

fn check_atomic_operands(kernel: &Kernel, operands: &[Value], ty: Type) -> Check {
    for &value in operands {
        let got = kernel.ty(value);
        ensure!(21, got == ty, "{value} is {got}, the result {ty}");
    }
    Ok(())
}

fn check_access(kernel: &Kernel, ptr: Value, access: &Access) -> Check {
    let Access {
        ty, lanes, align, ..
    } = *access;
    ensure!(
        18,
        access.lag == 0 || !access.volatile,
        "a volatile access has a lag"
    );
    ensure!(18, ty.bytes().is_some(), "memory does not hold {ty}");
    ensure!(
        18,
        (1..=16).contains(&lanes),
        "an access does not have {lanes} lanes"
    );
    ensure!(
        18,
        align.is_power_of_two(),
        "the alignment {align} is not a power of two"
    );
    check_address(kernel, ptr)
}

fn check_address(kernel: &Kernel, ptr: Value) -> Check {
    let ty = kernel.ty(ptr);
    ensure!(18, ty.is_ptr(), "the address {ptr} is {ty}, not a pointer");
    Ok(())
}

fn check_lanes(kernel: &Kernel, access: &Access, values: &[Value]) -> Check {
    let (want, got) = (usize::from(access.lanes), values.len());
    ensure!(18, want == got, "{want} lanes have {got} values");
    for &value in values {
        let (want, got) = (access.ty, kernel.ty(value));
        ensure!(18, want == got, "{value} is {got}, the access {want}");
    }
    Ok(())
}

fn check_objects(kernel: &Kernel, ptr: Value, objects: &ObjectSet) -> Check {
    let Type::Ptr(space) = kernel.ty(ptr) else {
        // Refused as an address already.
        return Ok(());
    };
    for object in objects.iter() {
        let Some(data) = kernel.objects.get(object) else {
            ensure!(19, false, "{object} does not exist");
            continue;
        };
        let lives_in = data.space();
        // The host may pass one buffer for parameters of both spaces.
        let is_external = |space| matches!(space, Space::Global | Space::Constant);
        let is_buffer = matches!(data.kind, ObjectKind::Buffer { .. });
        let may_alias = is_buffer && is_external(lives_in) && is_external(space);
        ensure!(
            19,
            space.may_reach(lives_in) || may_alias,
            "a {space} pointer does not reach {object}, which is in {lives_in} memory"
        );
    }
    Ok(())
}

fn check_written(kernel: &Kernel, objects: &ObjectSet) -> Check {
    let is_buffer = |object| matches!(kernel.objects[object].kind, ObjectKind::Buffer { .. });
    let is_writable = |object| read_only(&kernel.objects[object]).is_none();
    let reaches_writable = objects.iter().any(|it| is_buffer(it) && is_writable(it));
    for object in objects.iter() {
        let name = read_only(&kernel.objects[object]);
        let may_alias = is_buffer(object) && reaches_writable;
        if let Some(kind) = name.filter(|_| !may_alias) {
            ensure!(20, false, "{object} is a {kind} and read-only");
        }
    }
    Ok(())
}

/// What an object is, if nothing may write to it.
fn read_only(data: &ObjectData) -> Option<&'static str> {
    match data.kind {
        ObjectKind::Table { .. } => Some("table"),
        ObjectKind::StructArg { .. } => Some("struct argument"),
        ObjectKind::Buffer {
            space: Space::Constant,
            ..
        } => Some("constant buffer"),
        ObjectKind::Buffer { .. }
        | ObjectKind::LocalArg { .. }
        | ObjectKind::Local { .. }
        | ObjectKind::LocalPerItem { .. }
        | ObjectKind::Private { .. } => None,
    }
}
