//! Generates a program from a seed: sizes, arguments, tables and functions first, then the kernel's body.

use crate::Program;
use crate::ast::*;
use crate::objects::Object;
use crate::profile::Profile;
use crate::random::Random;
use crate::render::render;
use crate::scope::{Access, Scope, StructVariable};
use crate::statements::{Context, Flow, Returns};
use crate::types::{Scalar, Type};

/// The program of `seed`: the same on every machine.
pub fn generate(seed: u64, profile: &Profile) -> Program {
    let mut random = Random::new(seed);
    let floats = match (
        random.percent(profile.floats),
        random.percent(profile.doubles),
    ) {
        (false, _) => vec![],
        (true, false) => vec![Scalar::Float],
        (true, true) => vec![Scalar::Float, Scalar::Double],
    };
    let module = empty_module(&mut random, profile);
    let mut generator = Generator {
        random,
        profile,
        floats,
        module,
        scope: Scope::default(),
        function_kind: FunctionKind::Function,
        numbers: 0,
    };
    generator.declarations();
    generator.kernel();
    render(generator.module)
}

/// Whether the kernel or another function is being generated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FunctionKind {
    Function,
    Kernel,
}

/// A program under construction.
pub struct Generator<'p> {
    pub random: Random,
    pub profile: &'p Profile,
    /// The float types that this program uses.
    pub floats: Vec<Scalar>,
    pub module: Module,
    pub scope: Scope,
    pub function_kind: FunctionKind,
    numbers: u32,
}

fn empty_module(random: &mut Random, profile: &Profile) -> Module {
    let work_dim = random.weighted(&[(5, 1), (3, 2), (2, 3)]);
    let (mut local, mut groups, mut offset) = ([1; 3], [1; 3], [0; 3]);
    let mut left = random.between(1, profile.work_items);
    for dim in 0..work_dim as usize {
        local[dim] = random.between(1, left.min(if work_dim == 1 { 16 } else { 5 }));
        left /= local[dim];
        groups[dim] = random.between(1, left.min(profile.groups));
        left /= groups[dim];
        if random.percent(profile.offset) {
            offset[dim] = random.between(1, 100);
        }
    }
    Module {
        work_dim,
        local,
        groups,
        offset,
        structs: vec![],
        tables: vec![],
        functions: vec![],
        inputs: vec![],
        values: vec![],
        local_arrays: vec![],
        tallies: vec![],
        outputs: vec![],
        body: vec![],
    }
}

impl Generator<'_> {
    /// A name that nothing else has.
    pub fn name(&mut self, prefix: &'static str) -> Name {
        self.numbers += 1;
        Name {
            prefix,
            number: self.numbers,
        }
    }

    /// A type for a value.
    pub fn any_type(&mut self) -> Type {
        let scalar = self.any_scalar();
        let lanes = if self.random.percent(self.profile.vectors) {
            self.random
                .weighted(&[(4, 2), (3, 3), (5, 4), (2, 8), (1, 16)])
        } else {
            1
        };
        Type { scalar, lanes }
    }

    /// A scalar that this program uses.
    pub fn any_scalar(&mut self) -> Scalar {
        if !self.floats.is_empty() && self.random.percent(self.profile.floats) {
            self.random.pick(&self.floats)
        } else {
            self.any_integer()
        }
    }

    /// An integer type; `int` and `uint` are the common ones.
    pub fn any_integer(&mut self) -> Scalar {
        if self.random.percent(40) {
            self.random.pick(&[Scalar::Int, Scalar::Uint])
        } else {
            self.random.pick(&Scalar::INTEGERS)
        }
    }

    fn declarations(&mut self) {
        if self.random.percent(self.profile.structs) {
            for _ in 0..self.random.between(1, 2) {
                let fields = (0..self.random.between(1, 4))
                    .map(|_| self.any_type())
                    .collect();
                let name = self.name("pack");
                self.module.structs.push(Struct { name, fields });
            }
        }
        if self.random.percent(self.profile.tables) {
            for _ in 0..self.random.between(1, 2) {
                self.table();
            }
        }
        if self.random.percent(self.profile.functions) {
            for _ in 0..self.random.between(1, 3) {
                self.function();
            }
        }
    }

    fn table(&mut self) {
        let element = self.any_type();
        let values = (0..self.random.between(2, 9))
            .map(|_| self.constant(element))
            .collect();
        let name = self.name("table");
        self.module.tables.push(Table {
            name,
            element,
            values,
        });
    }

    fn kernel(&mut self) {
        self.scope = Scope::default();
        self.function_kind = FunctionKind::Kernel;
        self.see_tables();
        self.arguments();
        let (low, high) = self.profile.statements;
        let count = self.random.between(low, high);
        let early_return = self.random.percent(self.profile.early_return);
        let phased = Context::top(self.profile.nesting, Flow::Uniform, Returns::Never);
        let mut body = self.statements(count.div_ceil(2), phased);
        body.extend(self.required_phases(phased));
        let returns = if early_return {
            Returns::Kernel
        } else {
            Returns::Never
        };
        let last = Context::top(self.profile.nesting, Flow::Divergent, returns);
        body.extend(self.statements(count / 2, last));
        // A tally that is declared is also updated.
        body.extend(self.count());
        body.extend(self.emit_everything());
        self.module.body = body;
    }

    /// Makes the tables visible.
    pub fn see_tables(&mut self) {
        for table in &self.module.tables {
            let dims = vec![table.values.len() as u32];
            let object = Object {
                space: Space::Constant,
                element: table.element,
                dims,
            };
            self.scope.add_array(table.name, object, Access::ReadOnly);
        }
    }

    fn arguments(&mut self) {
        for _ in 0..self.random.between(1, 3) {
            self.input();
        }
        for _ in 0..self.random.between(1, 3) {
            let ty = self.any_type();
            let (name, bytes) = (self.name("arg"), self.memory_of(&[ty]));
            self.module.values.push(ValueArg {
                name,
                of: ValueKind::Plain(ty),
                bytes,
            });
            self.scope.add_variable(name, ty, Access::ReadOnly);
        }
        if !self.module.structs.is_empty() && self.random.percent(40) {
            let chosen = self.random.below(self.module.structs.len() as u32) as usize;
            let Struct { name: of, fields } = self.module.structs[chosen].clone();
            let (name, bytes) = (self.name("arg"), self.memory_of(&fields));
            self.module.values.push(ValueArg {
                name,
                of: ValueKind::Struct(of),
                bytes,
            });
            self.scope.structs.push(StructVariable {
                name,
                of,
                fields,
                len: None,
                access: Access::ReadOnly,
            });
        }
        if self.random.percent(self.profile.local_memory) {
            for _ in 0..self.random.between(1, 2) {
                let element = self.any_type();
                let storage = self
                    .random
                    .pick(&[LocalStorage::Declared, LocalStorage::Argument]);
                let name = self.name("tile");
                self.module.local_arrays.push(LocalArray {
                    name,
                    element,
                    storage,
                });
            }
        }
        if self.random.percent(self.profile.atomics) {
            let scalar = self.random.pick(&[Scalar::Int, Scalar::Uint]);
            let (op, len, name) = (
                self.atomic_op(),
                self.random.between(1, 7),
                self.name("tally"),
            );
            self.module.tallies.push(Tally {
                name,
                scalar,
                op,
                len,
            });
        }
    }

    fn input(&mut self) {
        let mut element = self.any_type();
        if self.random.percent(50) {
            element = element.lane();
        }
        let len = self.random.between(1, 37).max(element.lanes);
        let space = self
            .random
            .weighted(&[(4, Space::Global), (1, Space::Constant)]);
        let bytes: Vec<u8> = (0..len).flat_map(|_| self.memory_of(&[element])).collect();
        let name = self.name("in");
        let first = Input {
            name,
            space,
            element,
            len,
            bytes,
            shares: None,
        };
        let mut add = |input: Input| {
            let object = Object {
                space,
                element,
                dims: vec![len],
            };
            self.scope.add_array(input.name, object, Access::ReadOnly);
            self.module.inputs.push(input);
        };
        add(first.clone());
        if self.random.percent(12) {
            let name = self.name("in");
            let object = Object {
                space,
                element,
                dims: vec![len],
            };
            self.scope.add_array(name, object, Access::ReadOnly);
            self.module.inputs.push(Input {
                name,
                shares: Some(first.name),
                ..first
            });
        }
    }

    /// A value of each of `fields` as it lies in memory, one after the other as in a struct.
    fn memory_of(&mut self, fields: &[Type]) -> Vec<u8> {
        let mut bytes: Vec<u8> = vec![];
        let mut alignment = 1;
        for ty in fields {
            let size = ty.bytes() as usize;
            alignment = alignment.max(size);
            bytes.resize(bytes.len().next_multiple_of(size), 0);
            let end = bytes.len() + size;
            for _ in 0..ty.lanes {
                let bits = self.literal_bits(ty.scalar);
                match ty.scalar {
                    Scalar::Float => bytes.extend((f64::from_bits(bits) as f32).to_le_bytes()),
                    scalar => bytes.extend(&bits.to_le_bytes()[..scalar.bytes() as usize]),
                }
            }
            bytes.resize(end, 0);
        }
        bytes.resize(bytes.len().next_multiple_of(alignment), 0);
        bytes
    }

    /// An operation for a tally: always the same one there, because different ones do not commute.
    pub fn atomic_op(&mut self) -> AtomicOp {
        self.random.pick(&[
            AtomicOp::Add,
            AtomicOp::Sub,
            AtomicOp::Inc,
            AtomicOp::Dec,
            AtomicOp::Min,
            AtomicOp::Max,
            AtomicOp::And,
            AtomicOp::Or,
            AtomicOp::Xor,
        ])
    }
}
