//! Vector loads and stores (OpenCL C 1.2, 6.12.7), at addresses that only an element's alignment suits, in
//! every address space. Stores must not change neighbouring elements.

use std::sync::Arc;

use crate::check::{Check, Expected, Form, Shape, Standard};
use crate::exact::{Number, Rounding};
use crate::types::{Type, WIDTHS};

/// Where a pointer points to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Space {
    Global,
    Private,
    Local,
    Constant,
    Generic,
}

impl Space {
    const READABLE: [Space; 5] = [
        Space::Global,
        Space::Private,
        Space::Local,
        Space::Constant,
        Space::Generic,
    ];
    const WRITABLE: [Space; 4] = [Space::Global, Space::Private, Space::Local, Space::Generic];

    fn name(self) -> &'static str {
        match self {
            Space::Global => "global",
            Space::Private => "private",
            Space::Local => "local",
            Space::Constant => "constant",
            Space::Generic => "generic",
        }
    }

    fn standard(self) -> Standard {
        match self {
            Space::Global | Space::Private | Space::Local | Space::Constant => Standard::V12,
            Space::Generic => Standard::V20,
        }
    }

    /// Makes `room` a pointer to `elements` writable elements of the space, for one width.
    fn room(self, type_: Type, width: usize, elements: usize) -> Room {
        let name = type_.name();
        match self {
            Space::Global | Space::Constant => Room::default(),
            Space::Private | Space::Generic => Room {
                declaration: String::new(),
                // The alignment that the aligned forms rely on.
                statement: format!("{name} room[{elements}] __attribute__((aligned(64)));"),
            },
            Space::Local => Room {
                declaration: format!(
                    "  local {name} rooms{width}[64 * {elements}] __attribute__((aligned(64)));\n"
                ),
                statement: format!(
                    "local {name} *room = rooms{width} + {elements} * get_local_id(0);"
                ),
            },
        }
    }
}

#[derive(Default)]
struct Room {
    declaration: String,
    statement: String,
}

/// How the halves of a vector lie in memory.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Layout {
    /// One after the other, from any element on.
    Packed,
    /// Where a vector of them could lie: three take the room of four.
    Aligned,
}

/// A load or store: what it is called, what lies in memory, and what the program sees.
#[derive(Clone, Copy)]
struct Access {
    memory: Type,
    value: Type,
    layout: Layout,
    /// For stores; absent without a suffix.
    rounding: Option<Rounding>,
}

impl Access {
    fn plain(type_: Type) -> Access {
        Access {
            memory: type_,
            value: type_,
            layout: Layout::Packed,
            rounding: None,
        }
    }

    fn name(self, verb: &str, width: usize) -> String {
        let lanes = if width == 1 {
            String::new()
        } else {
            width.to_string()
        };
        let aligned = match self.layout {
            Layout::Packed => "",
            Layout::Aligned => "a",
        };
        match self.memory == self.value {
            true => format!("{verb}{lanes}"),
            false => {
                let rounding = self.rounding.map_or("", Rounding::suffix);
                format!("{verb}{aligned}_half{lanes}{rounding}")
            }
        }
    }

    fn widths(self) -> impl Iterator<Item = usize> {
        // Only single halves have a function of their own.
        let is_single = self.memory != self.value && self.layout == Layout::Packed;
        let least = if is_single { 1 } else { 2 };
        WIDTHS.into_iter().filter(move |&width| width >= least)
    }

    /// How far vectors lie apart.
    fn stride(self, width: usize) -> usize {
        match self.layout {
            Layout::Packed => width,
            Layout::Aligned => width.next_power_of_two(),
        }
    }

    /// The access is to vector 1 behind this element.
    fn base(self) -> usize {
        match self.layout {
            Layout::Packed => 1,
            Layout::Aligned => 0,
        }
    }

    /// How many elements a work-item has: what is accessed, and neighbours on both sides.
    fn elements(self, width: usize) -> usize {
        3 * width.next_power_of_two()
    }
}

/// Loads and stores of a type's own vectors.
pub fn of_type(type_: Type) -> Vec<Check> {
    let access = Access::plain(type_);
    let loads = Space::READABLE.map(|space| load(access, space));
    let stores = Space::WRITABLE.map(|space| store(access, space));
    loads.into_iter().chain(stores).collect()
}

/// Halves in memory that the program sees as floats or doubles.
pub fn halves() -> Vec<Check> {
    let mut checks = Vec::new();
    for layout in [Layout::Packed, Layout::Aligned] {
        let access = Access {
            memory: Type::Half,
            value: Type::Float,
            layout,
            rounding: None,
        };
        checks.extend(Space::READABLE.map(|space| load(access, space)));
        for value in [Type::Float, Type::Double] {
            for rounding in std::iter::once(None).chain(Rounding::ALL.map(Some)) {
                let access = Access {
                    value,
                    rounding,
                    ..access
                };
                checks.extend(Space::WRITABLE.map(|space| store(access, space)));
            }
        }
    }
    checks
}

fn load(access: Access, space: Space) -> Check {
    let name = format!("{} {}", access.name("vload", 1), space.name());
    let mut check = Check::without_forms(&name, &[access.memory]).since(space.standard());
    for width in access.widths() {
        let elements = access.elements(width);
        let room = space.room(access.memory, width, elements);
        check.declarations += &room.declaration;
        let call = access.name("vload", width);
        let base = access.base();
        let statements = match space {
            Space::Global | Space::Constant => format!("result = {call}(1, a + {base});"),
            Space::Private | Space::Local | Space::Generic => format!(
                "{} for (int k = 0; k < {elements}; k++) room[k] = a[k]; \
                 result = {call}(1, room + {base});",
                room.statement
            ),
        };
        let first = base + access.stride(width);
        check.forms.push(Form {
            name: call,
            operands: vec![match space {
                Space::Constant => Shape::Constant(elements),
                Space::Global | Space::Private | Space::Local | Space::Generic => {
                    Shape::Block(elements)
                }
            }],
            result: access.value,
            result_shape: Shape::Vector(width),
            statements,
            reference: Arc::new(move |lanes| {
                let loaded = &lanes[0][first..first + width];
                loaded
                    .iter()
                    .map(|&bits| loaded_lane(access, bits))
                    .collect()
            }),
        });
    }
    check
}

fn loaded_lane(access: Access, bits: u64) -> Expected {
    match access.memory == access.value {
        true => Expected::Bits(bits),
        false => {
            let number = Number::of(access.memory, bits);
            Expected::Number(number.to_float(access.value, Rounding::Even))
        }
    }
}

fn stored_lane(access: Access, bits: u64) -> Expected {
    match access.memory == access.value {
        true => Expected::Bits(bits),
        false => {
            let rounding = access.rounding.unwrap_or(Rounding::Even);
            Expected::Number(Number::of(access.value, bits).to_float(access.memory, rounding))
        }
    }
}

/// What every element holds before a store.
const BEFORE: u64 = 0x77;

fn store(access: Access, space: Space) -> Check {
    let name = format!("{} {}", access.name("vstore", 1), space.name());
    let mut check = Check::without_forms(&name, &[access.value]).since(space.standard());
    for width in access.widths() {
        let elements = access.elements(width);
        let room = space.room(access.memory, width, elements);
        check.declarations += &room.declaration;
        let call = access.name("vstore", width);
        let base = access.base();
        let memory = access.memory.name();
        let fill = |to: &str| {
            let pattern = access.memory.unsigned().name();
            format!(
                "for (int k = 0; k < {elements}; k++) {to}[k] = as_{memory}(({pattern}){BEFORE});"
            )
        };
        let statements = match space {
            Space::Global | Space::Constant => {
                format!("{} {call}(a, 1, result + {base});", fill("result"))
            }
            Space::Private | Space::Local | Space::Generic => format!(
                "{} {} {call}(a, 1, room + {base}); \
                 for (int k = 0; k < {elements}; k++) result[k] = room[k];",
                room.statement,
                fill("room")
            ),
        };
        let first = base + access.stride(width);
        // The fourth half of an aligned vector of three is undefined.
        let room_for = access.stride(width);
        check.forms.push(Form {
            name: call,
            operands: vec![Shape::Vector(width)],
            result: access.memory,
            result_shape: Shape::Block(elements),
            statements,
            reference: Arc::new(move |lanes| {
                let mut expected = vec![Expected::Bits(BEFORE); elements];
                expected[first..first + room_for].fill(Expected::Anything);
                for (expected, &bits) in expected[first..].iter_mut().zip(lanes[0]) {
                    *expected = stored_lane(access, bits);
                }
                expected
            }),
        });
    }
    check
}
