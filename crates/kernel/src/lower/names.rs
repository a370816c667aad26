//! What the circuit's parts are called: after lines and names of the source.

use cranelift_entity::SecondaryMap;
use sluice_circuit::circuit::{Channel, Circuit, ModuleGroup, ModuleGroupData, Unit};

use super::Lowering;
use crate::analysis::Loops;
use crate::ir::{Block, Inst, InstData, Kernel, Object, Query, Value};

/// The names of blocks.
pub(super) type BlockNames = SecondaryMap<Block, String>;

/// Names blocks after the first line that is theirs; loops are told apart. All names begin with the
/// prefix.
pub(super) fn block_names(kernel: &Kernel, loops: &Loops, prefix: &str) -> BlockNames {
    let mut names = BlockNames::new();
    let mut taken = Vec::new();
    for &block in kernel.layout() {
        let loop_ = loops.iter().find(|(_, data)| data.header == block);
        let name = match loop_ {
            Some((_, data)) => {
                first_line(kernel, &data.blocks).map(|line| format!("{prefix}line{line}_loop"))
            }
            None => first_line(kernel, &[block]).map(|line| format!("{prefix}line{line}")),
        };
        let name = name.unwrap_or_else(|| format!("{prefix}{block}"));
        let is_new = !taken.contains(&name);
        names[block] = match is_new {
            true => name.clone(),
            false => format!("{name}_{block}"),
        };
        taken.push(name);
    }
    names
}

/// The first line of blocks.
fn first_line(kernel: &Kernel, blocks: &[Block]) -> Option<u32> {
    let insts = blocks.iter().flat_map(|&block| &kernel.block(block).insts);
    insts.filter_map(|&inst| line(kernel, inst)).min()
}

/// The line of an instruction, if it is one of the kernel's own file.
pub(super) fn line(kernel: &Kernel, inst: Inst) -> Option<u32> {
    let loc = kernel.loc(inst);
    (loc.file == 0 && loc.line > 0).then_some(loc.line)
}

/// The name of the kernel's file, without its folder.
pub(super) fn source(kernel: &Kernel) -> Option<String> {
    let file = kernel.files.first()?;
    let name = file.rsplit(['/', '\\']).next()?;
    (!name.is_empty()).then(|| name.to_string())
}

/// The name of a value: the source's, that of what it is, or its number.
pub(super) fn value_name(kernel: &Kernel, value: Value) -> String {
    if let Some(name) = kernel.value_name(value) {
        return name.to_string();
    }
    match kernel.def_inst(value) {
        Some(InstData::Query { query, dim }) => query_name(*query, *dim),
        Some(InstData::Load { objects, .. }) => match objects.iter().next() {
            Some(object) => format!("{}_{value}", kernel.objects[object].name),
            None => value.to_string(),
        },
        Some(InstData::PtrAdd { base, .. }) => match root(kernel, *base) {
            Some(object) => format!("{}_{value}", kernel.objects[object].name),
            None => format!("pointer_{value}"),
        },
        Some(InstData::Compare { .. }) => format!("condition_{value}"),
        Some(_) | None => value.to_string(),
    }
}

/// The object into which a pointer points, if it is plain to see.
fn root(kernel: &Kernel, pointer: Value) -> Option<Object> {
    match kernel.def_inst(pointer)? {
        InstData::Addr(object) => Some(*object),
        InstData::PtrAdd { base, .. } => root(kernel, *base),
        _ => None,
    }
}

/// The name of a size or id in one dimension.
fn query_name(query: Query, dim: u8) -> String {
    match ["x", "y", "z"].get(usize::from(dim)) {
        Some(dim) => format!("{query}_{dim}"),
        None => format!("{query}_{dim}"),
    }
}

/// Makes the units from this one on, if there are any that are in no group, a group of no source line.
pub(super) fn group(circuit: &mut Circuit, first: Unit, name: &str, about: &str) {
    if ungrouped(circuit, first).is_empty() {
        return;
    }
    let group = ModuleGroupData {
        name: name.into(),
        about: about.into(),
        lines: Vec::new(),
        within: None,
    };
    add_group(circuit, group, first);
}

/// Makes the units from this one on, with their groups, a datapath of this name.
pub(super) fn enclose(circuit: &mut Circuit, first: Unit, name: &str) -> ModuleGroup {
    let units = circuit.units().keys();
    let units: Vec<Unit> = units.filter(|&unit| unit >= first).collect();
    let group = ModuleGroupData {
        name: name.into(),
        about: "a datapath".into(),
        lines: Vec::new(),
        within: None,
    };
    circuit.enclose(group, units)
}

/// Makes the units from this one on that are in no group one.
fn add_group(circuit: &mut Circuit, group: ModuleGroupData, first: Unit) {
    let units = ungrouped(circuit, first);
    circuit.add_group(group, units);
}

/// The units from this one on that are in no group.
fn ungrouped(circuit: &Circuit, first: Unit) -> Vec<Unit> {
    let units = circuit.units().keys().filter(|&unit| unit >= first);
    units
        .filter(|&unit| circuit.group(unit).is_none())
        .collect()
}

impl Lowering<'_> {
    /// Makes the units from this one on the group of a block.
    pub(super) fn group_block(&mut self, block: Block, first: Unit) {
        let name = self.names[block].clone();
        let kind = match name.contains("_loop") {
            true => ", the head of a loop",
            false => "",
        };
        let group = ModuleGroupData {
            name,
            about: format!("block {block}{kind}"),
            lines: self.lines(&self.kernel.block(block).insts),
            within: None,
        };
        add_group(self.circuit, group, first);
    }

    /// A name without that of the datapath.
    pub(super) fn in_datapath<'n>(&self, name: &'n str) -> &'n str {
        name.strip_prefix(self.prefix.as_str()).unwrap_or(name)
    }

    /// Says what a channel's tokens carry.
    pub(super) fn name_values(&mut self, channel: Channel, values: &[Value]) {
        let names = values.iter().map(|&value| value_name(self.kernel, value));
        self.circuit.name_fields(channel, names.collect());
    }

    /// The name of an access: what it does to what, on which line.
    pub(super) fn access_name(&self, inst: Inst) -> String {
        let data = self.kernel.inst(inst);
        let verb = match data {
            InstData::Store { .. } => "store",
            InstData::AtomicRmw { .. } | InstData::CmpXchg { .. } => "atomic",
            InstData::Printf { .. } => "print",
            _ => "load",
        };
        let object = data.objects().and_then(|objects| objects.iter().next());
        let object = object.map(|object| format!("_{}", self.kernel.objects[object].name));
        let name = format!("{}{verb}{}", self.prefix, object.unwrap_or_default());
        match line(self.kernel, inst) {
            Some(line) => format!("{name}_line{line}"),
            None => name,
        }
    }
}
