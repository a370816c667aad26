//! Work-groups: from a start on, one token per group, each to one of several datapaths: to whichever has
//! room, or to each in its turn.
//!
//! Dimension 0 runs fastest. If a dimension has no group there is no token.

use crate::area::Area;
use crate::connect::{Input, Output};
use crate::elastic::{LOWEST, SUM_IS};
use crate::sim::Io;
use crate::text::{Listed, choices, parameters, record};
use crate::unit::{Fields, Model, Module, Port, UnitKind, Wire, require};
use crate::verilog::{Source, concatenate, wrap};

/// Gives out work-groups. Its constants are `num_groups` for its dimensions, then `local_size`
/// for those whose base tokens carry, and `offset` for the same ones.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Groups {
    /// How many take them, 1 to 16.
    pub ways: usize,
    /// Dimensions of launches, 1 to 3.
    pub dimensions: usize,
    /// Which of the ways gets the next group.
    pub order: Order,
    /// What the tokens carry.
    pub outputs: Vec<Coordinate>,
}

/// Which of several ways gets the next work-group.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    /// The next one that has room.
    ToRoom,
    /// The next one, also if it has no room yet: as many groups for each, whichever is ahead.
    InTurns,
}

/// A field of the tokens.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Coordinate {
    /// Which identifier.
    pub id: Id,
    /// In which of the three dimensions.
    pub dimension: usize,
    /// How many of its low bits, 1 to 32.
    pub width: u32,
}

/// An identifier of a work-group.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Id {
    /// Its place among the groups.
    Group,
    /// The global identifier of its first work-item, modulo 2^32.
    Base,
}

/// Dimensions of a launch, some of them of size 1.
pub(crate) const DIMENSIONS: usize = 3;

const SOURCE: Source = Source {
    file: "sluice_groups.v",
    text: include_str!("groups.v"),
};

/// The constants that bases are computed from.
const OF_BASES: [&str; 2] = ["local_size", "offset"];

const IDS: [(Id, &str); 2] = [(Id::Group, "group_id"), (Id::Base, "base")];

/// The constant of this name in each dimension.
pub(crate) fn each_dimension(constant: &str) -> impl Iterator<Item = String> {
    (0..DIMENSIONS).map(move |dimension| format!("{constant}_{dimension}"))
}

/// The constant of this name in the first of the dimensions, and zero in the others, side by side.
pub(crate) fn in_all_dimensions(constant: &str, dimensions: usize) -> String {
    let each = each_dimension(constant).enumerate();
    concatenate(each.map(|(at, wire)| match at < dimensions {
        true => wire,
        false => "32'd0".into(),
    }))
}

/// A wire that reads the unused bits of `name`, 32 bits per dimension; `read` says how many low
/// bits are read of a dimension.
pub(crate) fn unread(name: &str, read: impl Fn(usize) -> u32) -> String {
    let unread = (0..DIMENSIONS).filter_map(|dimension| {
        let (read, low) = (read(dimension), 32 * dimension as u32);
        (read < 32).then(|| format!("{name}[{}:{}]", low + 31, low + read))
    });
    let unread = concatenate(unread);
    format!("    wire unused_{name} = &{{1'b0, {unread}}};\n")
}

impl Groups {
    /// How many bits of an identifier the tokens carry.
    fn carried(&self, id: Id, dimension: usize) -> u32 {
        let carried = self.outputs.iter();
        let carried = carried.filter(|it| it.id == id && it.dimension == dimension);
        carried.map(|it| it.width).max().unwrap_or(0)
    }

    /// The dimensions whose base tokens carry.
    pub fn bases(&self) -> impl Iterator<Item = usize> + '_ {
        (0..DIMENSIONS).filter(|&dimension| self.carried(Id::Base, dimension) > 0)
    }

    fn fields(&self) -> Fields {
        Fields::new(self.outputs.iter().map(|output| output.width))
    }
}

impl Groups {
    /// Starts of launches.
    pub const START: Input<Groups> = Input::new(0, "start");

    /// Groups for one of the datapaths.
    pub const fn out(way: usize) -> Output<Groups> {
        Output::numbered(way, "out_#", way)
    }
}

parameters! { UnitKind Groups { ways, dimensions, order, outputs } }
choices! { Order { ToRoom = "to_room", InTurns = "in_turns" } }
record! { Coordinate { id, dimension, width } }
choices! { Id { Group = "group", Base = "base" } }
impl Listed for Coordinate {}

impl Coordinate {
    /// Whether there is such a field.
    pub(crate) fn is_sound(&self) -> bool {
        self.dimension < DIMENSIONS && (1..=32).contains(&self.width)
    }
}

impl UnitKind for Groups {
    fn check(&self) -> Result<(), String> {
        require((1..=16).contains(&self.ways), "groups go 1 to 16 ways")?;
        require(
            (1..=DIMENSIONS).contains(&self.dimensions),
            "a launch has 1 to 3 dimensions",
        )?;
        require(
            self.ways > 1 || self.order == Order::ToRoom,
            "groups that go one way need no turns",
        )?;
        let is_sound = |it: &Coordinate| it.is_sound() && it.dimension < self.dimensions;
        require(
            self.outputs.iter().all(is_sound),
            "an identifier is of one of the dimensions, and has 1 to 32 bits",
        )
    }

    fn module(&self) -> Module {
        let of_bases = OF_BASES.map(|name| {
            let wire = |(dimension, wire)| match self.bases().any(|it| it == dimension) {
                true => wire,
                false => "32'd0".into(),
            };
            let each = concatenate(each_dimension(name).enumerate().map(wire));
            format!("        .{name}({each}),\n")
        });
        let fields = self.outputs.iter().map(|output| {
            let (_, name) = IDS[output.id as usize];
            let low = 32 * output.dimension as u32;
            format!("{name}[{}:{low}]", low + output.width - 1)
        });
        let each = |suffix: &str| {
            let ports = (0..self.ways).map(|at| format!("out_{at}{suffix}"));
            concatenate(ports)
        };
        let body = format!(
            "    wire [95:0] group_id, base;\n\
             \x20   sluice_groups #(.WIDTH({}), .WAYS({}), .DIMENSIONS({}), .IN_TURNS({})) deal (\n        .clk(clk), .rst(rst),\n\
             \x20       .num_groups({}),\n{}\
             \x20       .start_valid(start_valid), .start_ready(start_ready),\n\
             \x20       .group_id(group_id), .base(base),\n        .token({}),\n\
             \x20       .out_valid({}),\n        .out_ready({}),\n        .out({})\n    );\n\
             \x20   wire unused_start = &{{1'b0, start}};\n{}",
            self.fields().bits().max(1),
            self.ways,
            self.dimensions,
            u32::from(self.order == Order::InTurns),
            in_all_dimensions("num_groups", self.dimensions),
            of_bases.concat(),
            concatenate(fields),
            each("_valid"),
            each("_ready"),
            each(""),
            IDS.map(|(id, name)| unread(name, |dimension| self.carried(id, dimension)))
                .concat(),
        );
        wrap(self, "sluice_groups", &body, [LOWEST, SUM_IS, SOURCE])
    }

    fn inputs(&self) -> Vec<Port> {
        vec![Groups::START.carrying(Fields::NONE)]
    }

    fn outputs(&self) -> Vec<Port> {
        let ways = 0..self.ways;
        ways.map(|at| Groups::out(at).carrying(self.fields()))
            .collect()
    }

    fn constants(&self) -> Vec<Wire> {
        let of_bases = OF_BASES.iter().flat_map(|constant| {
            let names: Vec<String> = each_dimension(constant).collect();
            self.bases().map(move |dimension| names[dimension].clone())
        });
        let names = each_dimension("num_groups")
            .take(self.dimensions)
            .chain(of_bases);
        names.map(|name| Wire { name, width: 32 }).collect()
    }

    fn latency(&self) -> u32 {
        2
    }

    /// A start; the next one is taken when its last group is on its way out.
    fn capacity(&self) -> u32 {
        1
    }

    fn area(&self) -> Area {
        let (width, ways) = (self.fields().bits(), self.ways as u32);
        // First items that no token carries are not counted.
        let bases: u32 = (0..DIMENSIONS).map(|d| self.carried(Id::Base, d)).sum();
        Area::of(
            "groups",
            [
                ("units", 1),
                ("dimensions beyond the first", self.dimensions as u32 - 1),
                ("base bits", bases),
                ("ways", ways),
                ("way bits", ways * width),
            ],
        )
    }

    fn model(&self) -> Box<dyn Model> {
        Box::new(Behaviour {
            outputs: self.outputs.clone(),
            bases: self.bases().collect(),
            ways: self.ways,
            order: self.order,
            dimensions: vec![Dimension::default(); self.dimensions],
            running: false,
            next: 0,
            token: Vec::with_capacity(self.outputs.len()),
        })
    }
}

/// A dimension's constants and where the next work-group is in it.
#[derive(Clone, Default)]
struct Dimension {
    local_size: u32,
    offset: u32,
    num_groups: u32,
    /// By [`Id`].
    ids: [u32; 2],
}

const GROUP: usize = Id::Group as usize;
const BASE: usize = Id::Base as usize;

impl Dimension {
    fn start(&mut self) {
        self.ids = [0, self.offset];
    }

    /// Goes to the next group, or back to the first one and says so.
    fn next_wraps(&mut self) -> bool {
        let wraps = self.ids[GROUP] + 1 == self.num_groups;
        if wraps {
            self.start();
        } else {
            self.ids[GROUP] += 1;
            self.ids[BASE] = self.ids[BASE].wrapping_add(self.local_size);
        }
        wraps
    }
}

struct Behaviour {
    outputs: Vec<Coordinate>,
    /// The dimensions that have constants for it.
    bases: Vec<usize>,
    ways: usize,
    order: Order,
    dimensions: Vec<Dimension>,
    running: bool,
    /// The way whose turn it is.
    next: usize,
    token: Vec<u64>,
}

impl Behaviour {
    /// The way that gets the next group, if one has room.
    fn way(&self, io: &Io<'_>) -> Option<usize> {
        let mut ways = (self.next..self.ways).chain(0..self.next);
        match self.order {
            Order::ToRoom => ways.find(|&way| !io.offering(way)),
            Order::InTurns => ways.next().filter(|&way| !io.offering(way)),
        }
    }

    /// Gives the next group out.
    fn give(&mut self, way: usize, io: &mut Io<'_>) {
        self.token.clear();
        for output in &self.outputs {
            let id = self.dimensions[output.dimension].ids[output.id as usize];
            self.token
                .push(u64::from(id << (32 - output.width) >> (32 - output.width)));
        }
        io.offer(way, &self.token);
        self.next = way + 1;
        let ends = self.dimensions.iter_mut().all(Dimension::next_wraps);
        self.running = !ends;
    }
}

impl Model for Behaviour {
    fn reset(&mut self, constants: &[u64], io: &mut Io<'_>) {
        self.configure(constants);
        self.running = false;
        self.next = 0;
        io.accept(0, true);
    }

    fn configure(&mut self, constants: &[u64]) {
        let (groups, of_bases) = constants.split_at(self.dimensions.len());
        for (dimension, &groups) in self.dimensions.iter_mut().zip(groups) {
            dimension.num_groups = groups as u32;
        }
        let (local_sizes, offsets) = of_bases.split_at(self.bases.len());
        for (at, &dimension) in self.bases.iter().enumerate() {
            self.dimensions[dimension].local_size = local_sizes[at] as u32;
            self.dimensions[dimension].offset = offsets[at] as u32;
        }
    }

    fn clock(&mut self, io: &mut Io<'_>) {
        if io.takes(0) {
            self.dimensions.iter_mut().for_each(Dimension::start);
            self.running = self.dimensions.iter().all(|it| it.num_groups > 0);
        } else if self.running
            && let Some(way) = self.way(io)
        {
            self.give(way, io);
        }
        io.accept(0, !self.running);
        if self.running && self.way(io).is_some() {
            io.wake(io.cycle() + 1);
        }
    }
}

/// The choices for tests.
pub fn samples() -> Vec<Box<dyn UnitKind>> {
    let groups = |ways, dimensions, order, outputs: &[(Id, usize, u32)]| {
        let outputs = outputs.iter().map(|&(id, dimension, width)| Coordinate {
            id,
            dimension,
            width,
        });
        Box::new(Groups {
            ways,
            dimensions,
            order,
            outputs: outputs.collect(),
        }) as Box<dyn UnitKind>
    };
    let all = [Id::Group, Id::Base];
    let all: Vec<_> = (0..3).flat_map(|d| all.map(|id| (id, d, 32))).collect();
    vec![
        groups(1, 1, Order::ToRoom, &[(Id::Base, 0, 32)]),
        groups(1, 3, Order::ToRoom, &[(Id::Base, 0, 32)]),
        groups(1, 1, Order::ToRoom, &[]),
        groups(3, 1, Order::InTurns, &[(Id::Base, 0, 32)]),
        groups(
            2,
            2,
            Order::InTurns,
            &[(Id::Group, 1, 3), (Id::Group, 0, 1), (Id::Base, 1, 17)],
        ),
        groups(3, 3, Order::ToRoom, &all),
        groups(
            5,
            3,
            Order::InTurns,
            &[(Id::Base, 0, 32), (Id::Base, 0, 2), (Id::Group, 2, 32)],
        ),
        groups(
            16,
            3,
            Order::ToRoom,
            &[(Id::Group, 0, 4), (Id::Group, 1, 4), (Id::Group, 2, 4)],
        ),
    ]
}
