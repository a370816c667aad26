//! Work-items: one token for each of a work-group.
//!
//! Dimension 0 runs fastest. A group follows the other without a gap, also if they have one work-item
//! each.

use std::fmt::Write;

use super::groups::{self, DIMENSIONS, each_dimension, in_all_dimensions, unread};
use crate::area::Area;
use crate::connect::{Input, Output};
use crate::elastic::SUM_IS;
use crate::sim::Io;
use crate::text::{Listed, choices, parameters, record};
use crate::token_queue::copy_token;
use crate::unit::{Fields, Model, Module, Origin, Port, UnitKind, Wire, require};
use crate::units::buffer;
use crate::verilog::{Source, concatenate, wrap};

/// Makes work-items of work-groups. Its constant is, for its dimensions, `local_size`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Items {
    /// What a group's token carries behind the fields that are carried on.
    pub inputs: Vec<groups::Coordinate>,
    /// What every work-item of a group takes over from its token, in front of all else.
    pub carried: Fields,
    /// What a work-item's token carries behind that.
    pub outputs: Vec<Coordinate>,
    /// Bits that hold the size of a group, in each dimension of launches, 1 to 3 of them: 2 to 32.
    pub size_bits: Vec<u32>,
}

/// A field of the tokens of work-items.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Coordinate {
    /// Which identifier.
    pub id: Id,
    /// In which dimension.
    pub dimension: usize,
    /// How many of its low bits, 1 to 32.
    pub width: u32,
}

/// An identifier of a work-item.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Id {
    /// Its place among all, the offset included.
    Global,
    /// Its place in its work-group.
    Local,
    /// Its work-group's place.
    Group,
}

impl Id {
    /// What a group's token must carry for it.
    fn of_group(self) -> Option<groups::Id> {
        match self {
            Id::Global => Some(groups::Id::Base),
            Id::Local => None,
            Id::Group => Some(groups::Id::Group),
        }
    }
}

const SOURCE: Source = Source {
    file: "sluice_items.v",
    text: include_str!("items.v"),
};

const LOCAL_SIZE: &str = "local_size";

impl Items {
    /// What groups' tokens carry.
    fn group(&self) -> Fields {
        let widths = self.inputs.iter().map(|input| input.width);
        self.carried.followed_by(&Fields::new(widths))
    }

    /// What work-items' tokens carry.
    fn item(&self) -> Fields {
        let widths = self.outputs.iter().map(|output| output.width);
        self.carried.followed_by(&Fields::new(widths))
    }

    /// The field of a group's token that an output needs, if it needs one. The widest of several is
    /// as good as any.
    fn source(&self, output: &Coordinate) -> Result<Option<usize>, String> {
        let Some(id) = output.id.of_group() else {
            return Ok(None);
        };
        let inputs = self.inputs.iter().enumerate();
        let fitting = inputs.filter(|(_, it)| it.id == id && it.dimension == output.dimension);
        let widest = fitting.max_by_key(|(_, it)| it.width);
        match widest {
            Some((at, input)) if input.width >= output.width => Ok(Some(self.carried.len() + at)),
            Some(_) | None => Err("what work-items carry is known from their group".into()),
        }
    }

    /// The id_fields from a group's token and a local identifier to the work-item's token.
    fn id_fields(&self) -> Vec<IdField> {
        let id_fields = self.outputs.iter().map(|output| IdField {
            id: output.id,
            dimension: output.dimension,
            mask: u32::MAX >> (32 - output.width),
            source: self
                .source(output)
                .expect("check: it is known")
                .unwrap_or(0),
        });
        id_fields.collect()
    }

    /// Bits that hold the size of a group, 0 where there is one work-item.
    fn size(&self, dimension: usize) -> u32 {
        self.size_bits.get(dimension).copied().unwrap_or(0)
    }

    /// How many bits of a dimension's local identifier are read.
    fn local_bits(&self, dimension: usize) -> u32 {
        let read = self.outputs.iter().filter(|it| it.dimension == dimension);
        let read = read.filter(|it| it.id != Id::Group);
        read.map(|it| it.width).max().unwrap_or(0)
    }

    /// The Verilog of an output, and what declares it.
    fn field(&self, at: usize, output: &Coordinate, field: &IdField) -> (String, String) {
        let (low, width) = (32 * output.dimension as u32, output.width);
        let local = format!("local_id[{}:{low}]", low + width - 1);
        let group = self.group();
        let start: u32 = group.widths().take(field.source).sum();
        let known = format!("current[{}:{start}]", start + width - 1);
        match output.id {
            Id::Global => {
                let name = format!("global_{at}");
                let declared = format!("    wire [{}:0] {name} = {known} + {local};\n", width - 1);
                (name, declared)
            }
            Id::Local => (local, String::new()),
            Id::Group => (known, String::new()),
        }
    }
}

impl Items {
    /// Groups.
    pub const GROUP: Input<Items> = Input::new(0, "group");
    /// Their work-items.
    pub const OUT: Output<Items> = Output::new(0, "out");
}

parameters! { UnitKind Items { inputs, carried, outputs, size_bits } }
record! { Coordinate { id, dimension, width } }
choices! { Id { Global = "global", Local = "local", Group = "group" } }
impl Listed for Coordinate {}

impl UnitKind for Items {
    fn check(&self) -> Result<(), String> {
        let dimensions = self.size_bits.len();
        require(
            (1..=DIMENSIONS).contains(&dimensions)
                && self.size_bits.iter().all(|bits| (2..=32).contains(bits)),
            "the size of a group has 2 to 32 bits in each of 1 to 3 dimensions",
        )?;
        let is_sound = |it: &Coordinate| it.dimension < dimensions && (1..=32).contains(&it.width);
        require(
            self.inputs.iter().all(groups::Coordinate::is_sound)
                && self.outputs.iter().all(is_sound),
            "an identifier is of one of the dimensions, and has 1 to 32 bits",
        )?;
        self.outputs
            .iter()
            .try_for_each(|output| self.source(output).map(|_| ()))
    }

    fn module(&self) -> Module {
        let (group, item) = (self.group(), self.item());
        let carried: Vec<usize> = (0..self.carried.len()).collect();
        let mut fields: Vec<String> = carried
            .iter()
            .map(|&field| {
                let low: u32 = group.widths().take(field).sum();
                let width = group.widths().nth(field).expect("it is carried");
                format!("current[{}:{low}]", low + width - 1)
            })
            .collect();
        let mut declared = String::new();
        for (at, (output, field)) in self.outputs.iter().zip(self.id_fields()).enumerate() {
            let (field, declaration) = self.field(at, output, &field);
            declared += &declaration;
            fields.push(field);
        }
        let mut body = format!(
            "    wire [{}:0] current;\n    wire [95:0] local_id;\n{declared}",
            group.bits().max(1) - 1,
        );
        write!(
            body,
            "    sluice_items #(\n\
             \x20       .GROUP({}), .WIDTH({}), .SIZE_0({}), .SIZE_1({}), .SIZE_2({})\n\
             \x20   ) unfold (\n\
             \x20       .clk(clk), .rst(rst), .local_size({}),\n\
             \x20       .group_valid(group_valid), .group_ready(group_ready), .group(group),\n\
             \x20       .current(current), .local_id(local_id),\n        .token({}),\n\
             \x20       .out_valid(out_valid), .out_ready(out_ready), .out(out)\n    );\n\
             \x20   wire unused_current = &{{1'b0, current}};\n{}",
            group.bits().max(1),
            item.bits().max(1),
            self.size(0),
            self.size(1),
            self.size(2),
            in_all_dimensions(LOCAL_SIZE, self.size_bits.len()),
            concatenate(fields.into_iter()),
            unread("local_id", |dimension| self.local_bits(dimension)),
        )
        .expect("strings take all text");
        wrap(
            self,
            "sluice_items",
            &body,
            [buffer::SOURCE, SUM_IS, SOURCE],
        )
    }

    fn inputs(&self) -> Vec<Port> {
        vec![Items::GROUP.carrying(self.group())]
    }

    fn outputs(&self) -> Vec<Port> {
        vec![Items::OUT.carrying(self.item())]
    }

    fn constants(&self) -> Vec<Wire> {
        let wire = |name| Wire { name, width: 32 };
        let names = each_dimension(LOCAL_SIZE).take(self.size_bits.len());
        names.map(wire).collect()
    }

    /// When it has none to give, it waits for a group.
    fn origin(&self, _: usize) -> Origin {
        Origin::Among(0)
    }

    fn latency(&self) -> u32 {
        2
    }

    /// Groups: one whose work-items leave, and one more.
    fn capacity(&self) -> u32 {
        2
    }

    fn area(&self) -> Area {
        let globals = self.outputs.iter().filter(|it| it.id == Id::Global);
        let sums: u32 = globals.map(|it| it.width).sum();
        Area::of(
            "items",
            [
                ("units", 1),
                ("size bits", self.size_bits.iter().sum()),
                ("sum bits", sums),
                ("item bits", self.item().bits()),
            ],
        ) + buffer::area(self.group().bits().max(1))
    }

    fn model(&self) -> Box<dyn Model> {
        let fields = self.group().len();
        Box::new(Behaviour {
            carried: self.carried.len(),
            id_fields: self.id_fields(),
            masks: self
                .size_bits
                .iter()
                .map(|bits| u32::MAX >> (32 - bits))
                .collect(),
            local_size: vec![0; self.size_bits.len()],
            local: vec![0; self.size_bits.len()],
            current: vec![0; fields],
            busy: false,
            next: vec![0; fields],
            waiting: false,
            token: Vec::with_capacity(self.item().len()),
        })
    }
}

/// How a field of a work-item's token comes about.
struct IdField {
    id: Id,
    dimension: usize,
    mask: u32,
    /// The field of the group's token, if it needs one.
    source: usize,
}

struct Behaviour {
    carried: usize,
    id_fields: Vec<IdField>,
    /// By dimension, the bits that hold the size of a group.
    masks: Vec<u32>,
    local_size: Vec<u32>,
    local: Vec<u32>,
    /// The group whose work-items leave, if there is one.
    current: Vec<u64>,
    busy: bool,
    /// The group behind it, if there is one.
    next: Vec<u64>,
    waiting: bool,
    token: Vec<u64>,
}

impl Behaviour {
    /// Offers the next work-item, and says whether it is the last one of its group.
    fn give(&mut self, io: &mut Io<'_>) -> bool {
        self.token.clear();
        self.token.extend_from_slice(&self.current[..self.carried]);
        for field in &self.id_fields {
            let local = self.local[field.dimension];
            let id = match field.id {
                Id::Global => (self.current[field.source] as u32).wrapping_add(local),
                Id::Local => local,
                Id::Group => self.current[field.source] as u32,
            };
            self.token.push((id & field.mask).into());
        }
        io.offer(0, &self.token);
        let sizes = self.local_size.iter().zip(&self.masks);
        let mut dimensions = self.local.iter_mut().zip(sizes);
        dimensions.all(|(local, (&size, &mask))| {
            let next = local.wrapping_add(1) & mask;
            *local = if next == size { 0 } else { next };
            next == size
        })
    }
}

impl Model for Behaviour {
    fn reset(&mut self, constants: &[u64], io: &mut Io<'_>) {
        self.configure(constants);
        self.local.fill(0);
        (self.busy, self.waiting) = (false, false);
        io.accept(0, true);
    }

    fn configure(&mut self, constants: &[u64]) {
        for (at, size) in self.local_size.iter_mut().enumerate() {
            *size = constants[at] as u32 & self.masks[at];
        }
    }

    fn clock(&mut self, io: &mut Io<'_>) {
        let ends = self.busy && !io.offering(0) && self.give(io);
        if ends || !self.busy {
            self.busy = self.waiting;
            std::mem::swap(&mut self.current, &mut self.next);
            self.waiting = false;
        }
        if let Some(group) = io.taken(0) {
            let place = if self.busy {
                &mut self.next
            } else {
                &mut self.current
            };
            copy_token(group, place);
            self.waiting = self.busy;
            self.busy = true;
        }
        io.accept(0, !self.waiting);
        if self.busy && !io.offering(0) {
            io.wake(io.cycle() + 1);
        }
    }
}

/// The choices for tests.
pub fn samples() -> Vec<Box<dyn UnitKind>> {
    use groups::Id::{Base, Group};
    type Inputs<'a> = &'a [(groups::Id, usize, u32)];
    let sized =
        |size_bits: &[u32], carried: &[u32], inputs: Inputs<'_>, outputs: &[(Id, usize, u32)]| {
            let inputs = inputs
                .iter()
                .map(|&(id, dimension, width)| groups::Coordinate {
                    id,
                    dimension,
                    width,
                });
            let outputs = outputs.iter().map(|&(id, dimension, width)| Coordinate {
                id,
                dimension,
                width,
            });
            Box::new(Items {
                inputs: inputs.collect(),
                carried: Fields::new(carried.iter().copied()),
                outputs: outputs.collect(),
                size_bits: size_bits.to_vec(),
            }) as Box<dyn UnitKind>
        };
    let items = |carried: &[u32], inputs: Inputs<'_>, outputs: &[(Id, usize, u32)]| {
        sized(&[32; 3], carried, inputs, outputs)
    };
    let of_groups: Vec<_> = (0..3)
        .flat_map(|d| [(Group, d, 32), (Base, d, 32)])
        .collect();
    let all = [Id::Global, Id::Local, Id::Group];
    let all: Vec<_> = (0..3).flat_map(|d| all.map(|id| (id, d, 32))).collect();
    vec![
        items(&[], &[(Base, 0, 32)], &[(Id::Global, 0, 32)]),
        items(&[], &[], &[]),
        items(&[3], &[], &[(Id::Local, 1, 2)]),
        items(&[2, 64], &of_groups, &all),
        items(
            &[],
            &[(Base, 1, 5), (Group, 0, 3), (Base, 1, 20), (Base, 2, 9)],
            &[
                (Id::Global, 1, 17),
                (Id::Group, 0, 1),
                (Id::Global, 1, 3),
                (Id::Local, 2, 32),
            ],
        ),
        items(
            &[1],
            &[(Group, 2, 7)],
            &[(Id::Group, 2, 7), (Id::Local, 0, 1)],
        ),
        sized(&[11], &[], &[(Base, 0, 32)], &[(Id::Global, 0, 32)]),
        sized(
            &[3, 2],
            &[4],
            &[(Base, 1, 32)],
            &[(Id::Local, 0, 32), (Id::Global, 1, 32)],
        ),
    ]
}
