//! The dispatcher: from a start on, one token per work-item, work-group by work-group.
//!
//! Dimension 0 runs fastest, among the groups as among the items of a group. If any size is 0 there
//! is no token. Global identifiers are counted from the offset on, modulo 2^32.

use crate::operators::Cost;
use crate::sim::Io;
use crate::text::parameters;
use crate::unit::{Fields, Model, Module, Port, UnitKind, Wire, require};
use crate::verilog::Source;
use crate::wrapper::{concatenate, wrap};

pub use super::items::{Coordinate, Id};

/// The dispatcher. Its constants are, each for all dimensions, `global_size`, `local_size`,
/// `offset` and `num_groups`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Dispatcher {
    /// Number of dimensions, 1 to 3.
    pub dimensions: usize,
    /// What the tokens carry.
    pub outputs: Vec<Coordinate>,
}

const SOURCE: Source = Source {
    file: "sluice_dispatcher.v",
    text: include_str!("dispatcher.v"),
};

const CONSTANTS: [&str; 4] = ["global_size", "local_size", "offset", "num_groups"];

const IDS: [(Id, &str); 3] = [
    (Id::Global, "global_id"),
    (Id::Local, "local_id"),
    (Id::Group, "group_id"),
];

impl Dispatcher {
    /// The constant of this name in each dimension.
    fn names(&self, constant: &str) -> impl Iterator<Item = String> {
        (0..self.dimensions).map(move |dimension| format!("{constant}_{dimension}"))
    }

    /// How many bits of an identifier the tokens carry, if they do.
    fn carried(&self, id: Id, dimension: usize) -> Option<u32> {
        let carried = self.outputs.iter();
        let carried = carried.filter(|it| it.id == id && it.dimension == dimension);
        carried.map(|it| it.width).max()
    }

    /// The bits of an identifier that no token carries, as the wire that says so.
    fn unread(&self, id: Id, name: &str) -> String {
        let unread = (0..self.dimensions).filter_map(|dimension| {
            let carried = self.carried(id, dimension).unwrap_or(0);
            let low = 32 * dimension as u32 + carried;
            (carried < 32).then(|| format!("{name}[{}:{low}]", 32 * dimension + 31))
        });
        let unread = concatenate(unread);
        format!("    wire unused_{name} = &{{1'b0, {unread}}};\n")
    }
}

parameters! { UnitKind Dispatcher { dimensions, outputs } }

impl UnitKind for Dispatcher {
    fn check(&self) -> Result<(), String> {
        require((1..=3).contains(&self.dimensions), "there are 1 to 3 dimensions")?;
        let is_sound = |it: &Coordinate| it.dimension < self.dimensions && (1..=32).contains(&it.width);
        require(
            self.outputs.iter().all(is_sound),
            "an identifier is of a dimension that there is, and has 1 to 32 bits",
        )
    }

    fn module(&self) -> Module {
        let bits = 32 * self.dimensions - 1;
        let constants = CONSTANTS.map(|name| {
            let each = concatenate(self.names(name));
            format!("        .{name}({each}),\n")
        });
        let fields = self.outputs.iter().map(|output| {
            let (_, name) = IDS[output.id as usize];
            let low = 32 * output.dimension as u32;
            format!("{name}[{}:{low}]", low + output.width - 1)
        });
        let body = format!(
            "    wire [{bits}:0] global_id, local_id, group_id;\n\
             \x20   sluice_dispatcher #(.DIMENSIONS({})) dispatch (\n        .clk(clk), .rst(rst),\n{}\
             \x20       .start_valid(start_valid), .start_ready(start_ready),\n\
             \x20       .out_valid(out_valid), .out_ready(out_ready),\n\
             \x20       .global_id(global_id), .local_id(local_id), .group_id(group_id)\n    );\n\
             \x20   assign out = {};\n    wire unused_start = &{{1'b0, start}};\n{}",
            self.dimensions,
            constants.concat(),
            concatenate(fields),
            IDS.map(|(id, name)| self.unread(id, name)).concat(),
        );
        wrap(self, "sluice_dispatcher", &body, [SOURCE])
    }

    fn inputs(&self) -> Vec<Port> {
        vec![Port::new("start", Fields::NONE)]
    }

    fn outputs(&self) -> Vec<Port> {
        let widths = self.outputs.iter().map(|output| output.width);
        vec![Port::new("out", Fields::new(widths))]
    }

    fn constants(&self) -> Vec<Wire> {
        let names = CONSTANTS.iter().flat_map(|constant| self.names(constant));
        names.map(|name| Wire { name, width: 32 }).collect()
    }

    fn latency(&self) -> u32 {
        1
    }

    /// A start; the next one is taken when its last work-item has left.
    fn capacity(&self) -> u32 {
        1
    }

    fn cost(&self) -> Cost {
        let dimensions = self.dimensions as u32;
        // Global identifiers that no token carries are not counted.
        let places = (0..self.dimensions).filter_map(|dimension| self.carried(Id::Global, dimension));
        let places: u32 = places.sum();
        Cost {
            luts: 262 * dimensions + 9 * places / 2,
            ffs: 66 * dimensions + 2 * places + 1,
            ..Cost::default()
        }
    }

    fn model(&self) -> Box<dyn Model> {
        assert!((1..=3).contains(&self.dimensions), "1 to 3 dimensions");
        for output in &self.outputs {
            assert!(output.dimension < self.dimensions && output.width <= 32);
        }
        Box::new(Behaviour {
            outputs: self.outputs.clone(),
            dimensions: vec![Dimension::default(); self.dimensions],
            token: Vec::new(),
        })
    }
}

/// A dimension's constants and where the current work-item is in it.
#[derive(Clone, Default)]
struct Dimension {
    global_size: u32,
    local_size: u32,
    offset: u32,
    num_groups: u32,
    /// By [`Id`].
    ids: [u32; 3],
    /// The global identifier of the group's first work-item.
    base: u32,
}

const GLOBAL: usize = Id::Global as usize;
const LOCAL: usize = Id::Local as usize;
const GROUP: usize = Id::Group as usize;

impl Dimension {
    fn start(&mut self) {
        self.base = self.offset;
        self.ids = [self.offset, 0, 0];
    }

    /// Goes to the group's next work-item, or back to its first one and says so.
    fn next_item_wraps(&mut self) -> bool {
        let wraps = self.ids[LOCAL] + 1 == self.local_size;
        self.ids[LOCAL] = if wraps { 0 } else { self.ids[LOCAL] + 1 };
        self.ids[GLOBAL] = self.base.wrapping_add(self.ids[LOCAL]);
        wraps
    }

    /// Goes to the next group, or back to the first one and says so.
    fn next_group_wraps(&mut self) -> bool {
        let wraps = self.ids[GROUP] + 1 == self.num_groups;
        if wraps {
            self.start();
        } else {
            self.ids[GROUP] += 1;
            self.base = self.base.wrapping_add(self.local_size);
            self.ids[GLOBAL] = self.base;
        }
        wraps
    }
}

struct Behaviour {
    outputs: Vec<Coordinate>,
    dimensions: Vec<Dimension>,
    token: Vec<u64>,
}

impl Behaviour {
    fn is_occupied(&self) -> bool {
        let empty = |it: &Dimension| [it.global_size, it.local_size, it.num_groups].contains(&0);
        !self.dimensions.iter().any(empty)
    }

    /// Goes to the next work-item and says whether there is one.
    fn advance(&mut self) -> bool {
        let group_ends = self.dimensions.iter_mut().all(Dimension::next_item_wraps);
        let ends = group_ends && self.dimensions.iter_mut().all(Dimension::next_group_wraps);
        !ends
    }

    fn offer(&mut self, io: &mut Io<'_>) {
        self.token.clear();
        for output in &self.outputs {
            let id = self.dimensions[output.dimension].ids[output.id as usize];
            self.token.push(u64::from(id << (32 - output.width) >> (32 - output.width)));
        }
        io.offer(0, &self.token);
        io.accept(0, false);
    }
}

impl Model for Behaviour {
    fn reset(&mut self, constants: &[u64], io: &mut Io<'_>) {
        self.configure(constants);
        io.accept(0, true);
    }

    fn configure(&mut self, constants: &[u64]) {
        let count = self.dimensions.len();
        for (at, dimension) in self.dimensions.iter_mut().enumerate() {
            let constant = |kind: usize| constants[kind * count + at] as u32;
            dimension.global_size = constant(0);
            dimension.local_size = constant(1);
            dimension.offset = constant(2);
            dimension.num_groups = constant(3);
        }
    }

    fn clock(&mut self, io: &mut Io<'_>) {
        if io.taken(0).is_some() {
            self.dimensions.iter_mut().for_each(Dimension::start);
            if self.is_occupied() {
                self.offer(io);
            }
        } else if io.given(0) {
            match self.advance() {
                true => self.offer(io),
                false => io.accept(0, true),
            }
        }
    }
}

/// The choices for tests.
pub fn samples() -> Vec<Box<dyn UnitKind>> {
    let dispatcher = |dimensions, outputs: &[(Id, usize, u32)]| {
        let outputs = outputs.iter().map(|&(id, dimension, width)| Coordinate {
            id,
            dimension,
            width,
        });
        Box::new(Dispatcher {
            dimensions,
            outputs: outputs.collect(),
        }) as Box<dyn UnitKind>
    };
    let all = [Id::Global, Id::Local, Id::Group];
    let all: Vec<_> = (0..3).flat_map(|d| all.map(|id| (id, d, 32))).collect();
    vec![
        dispatcher(1, &[(Id::Global, 0, 32)]),
        dispatcher(1, &[]),
        dispatcher(2, &[(Id::Group, 1, 3), (Id::Local, 0, 1), (Id::Global, 1, 17)]),
        dispatcher(2, &[(Id::Global, 0, 32), (Id::Global, 0, 2), (Id::Group, 0, 32)]),
        dispatcher(3, &all),
        dispatcher(3, &all[3..]),
    ]
}
