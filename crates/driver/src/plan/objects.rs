//! The entries of a plan for buffers.

use std::collections::BTreeMap;

use sluice_circuit::units::copy::BufferCopy;
use sluice_kernel::ir::{Kernel, Object, ObjectKind};
use sluice_kernel::plan::{BufferSize, Buffers, KernelPlan, MemoryUnit, ObjectPlan, names};

use super::apply::{CACHE_BYTES, Checked, LATENCY, check_reasons, from, list, memory_of};
use super::file::{Name, Number, ObjectEntry, PlanMistake};

/// Makes the entry of a buffer part of a plan.
pub(super) fn apply_object(
    name: &Name,
    entry: &ObjectEntry,
    kernel: &Kernel,
    banks: u32,
    plan: &mut KernelPlan,
) -> Checked<()> {
    let chosen = object_plan(name, entry, kernel, banks)?;
    plan.objects.insert(name.text.clone(), chosen);
    let rule = from(
        1..=i64::from(BufferCopy::MOST_BYTES),
        "bytes that the buffer has at most in all launches",
    );
    let Some(bytes) = rule.check_any("copy_bytes", &entry.copy_bytes)? else {
        return Ok(());
    };
    let objects = kernel.objects.values();
    let params = objects.filter_map(|it| match it.kind {
        ObjectKind::Buffer { param, .. } if it.name == name.text => Some(param),
        _ => None,
    });
    let size = BufferSize::of(bytes).map(|bytes| BufferSize {
        bytes,
        is_read_often: true,
    });
    plan.buffer_sizes
        .extend(params.filter_map(|param| Some((param, size?))));
    Ok(())
}

/// What a buffer has between its accesses and external memory.
fn memory(entry: &ObjectEntry) -> Checked<Option<MemoryUnit>> {
    let Some(word) = &entry.memory else {
        return Ok(None);
    };
    match memory_of(word)? {
        MemoryUnit::Copy if entry.copy_bytes.is_some() => Ok(Some(MemoryUnit::Copy)),
        MemoryUnit::Copy => Err(PlanMistake::new(
            &word.span,
            "memory cannot be `copy` without `copy_bytes`",
            "add `copy_bytes = N`: the buffer has at most N bytes in all launches",
        )),
        _ => Err(PlanMistake::new(
            &word.span,
            format!("memory of a buffer cannot be `{}`", word.text),
            "`copy` for a copy on the chip; other units are entries of accesses",
        )),
    }
}

/// The buffers of a kernel that it accesses.
pub(super) fn accessed_buffers(kernel: &Kernel) -> Vec<Object> {
    let sets = names::shared_caches(kernel, Buffers::Disjoint);
    let mut buffers: Vec<Object> = sets.into_iter().flatten().collect();
    buffers.sort_unstable();
    buffers
}

fn object_plan(
    name: &Name,
    entry: &ObjectEntry,
    kernel: &Kernel,
    banks: u32,
) -> Checked<ObjectPlan> {
    check_buffer(name, kernel)?;
    check_reasons(
        &entry.reason,
        &[
            ("cache_bytes", entry.cache_bytes.is_some()),
            ("latency", entry.latency.is_some()),
            ("bank", entry.bank.is_some()),
            ("memory", entry.memory.is_some()),
            ("copy_bytes", entry.copy_bytes.is_some()),
        ],
    )?;
    let narrow = |value: Option<u64>| value.map(|it| it as u32);
    let bank = from(
        0..=i64::from(banks) - 1,
        "memory ports are numbered from 0, and the bitstream's `banks` says how many there are",
    );
    Ok(ObjectPlan {
        cache_bytes: narrow(CACHE_BYTES.check_any("cache_bytes", &entry.cache_bytes)?),
        latency: narrow(LATENCY.check_any("latency", &entry.latency)?),
        bank: narrow(bank.check_any("bank", &entry.bank)?),
        memory: memory(entry)?,
    })
}

/// Refuses what is no buffer that the kernel accesses.
fn check_buffer(name: &Name, kernel: &Kernel) -> Checked<()> {
    let buffers = accessed_buffers(kernel);
    let is_named = |object: &Object| kernel.objects[*object].name == name.text;
    if buffers.iter().any(is_named) {
        return Ok(());
    }
    let message = match kernel.objects.keys().find(is_named) {
        None => format!("there is no buffer `{}`", name.text),
        Some(object) => match kernel.objects[object].kind {
            ObjectKind::Buffer { .. } => {
                format!(
                    "buffer `{}` is never accessed, so that it has no cache",
                    name.text
                )
            }
            ObjectKind::StructArg { .. }
            | ObjectKind::LocalArg { .. }
            | ObjectKind::Local { .. }
            | ObjectKind::LocalPerItem { .. }
            | ObjectKind::Private { .. }
            | ObjectKind::Table { .. } => {
                let space = kernel.objects[object].space();
                format!(
                    "`{}` is no buffer, but {space} memory of the kernel",
                    name.text
                )
            }
        },
    };
    let names = buffers.iter().map(|&it| kernel.objects[it].name.as_str());
    let help = format!("the kernel accesses {}", list(names));
    Err(PlanMistake::new(&name.span, message, help))
}

/// Refuses different figures for buffers that share a cache.
pub(super) fn check_shared_caches(
    entries: &BTreeMap<Name, ObjectEntry>,
    kernel: &Kernel,
    buffers: Buffers,
) -> Checked<()> {
    type Get = fn(&ObjectEntry) -> Option<&Number>;
    let figures: [(&str, Get); 3] = [
        ("cache_bytes", |it| it.cache_bytes.as_ref()),
        ("latency", |it| it.latency.as_ref()),
        ("bank", |it| it.bank.as_ref()),
    ];
    for set in names::shared_caches(kernel, buffers) {
        for (key, get) in figures {
            let mut known: Option<(&str, i64)> = None;
            for &object in &set {
                let name = kernel.objects[object].name.as_str();
                let entry = entries.get(&Name::from(name));
                let Some(number) = entry.and_then(get) else {
                    continue;
                };
                match known {
                    Some((other, value)) if value != number.value => {
                        let message = format!(
                            "{key} of `{name}` is {}, that of `{other}` {value}",
                            number.value
                        );
                        let help = "they share one cache, because some access may reach either";
                        return Err(PlanMistake::new(&number.span, message, help));
                    }
                    Some(_) => {}
                    None => known = Some((name, number.value)),
                }
            }
        }
    }
    Ok(())
}
