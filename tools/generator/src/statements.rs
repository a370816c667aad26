//! Statements: declarations, assignments, control flow.

use crate::ast::*;
use crate::generate::{FunctionKind, Generator};
use crate::leaves::int_literal;
use crate::objects::Object;
use crate::scope::{Access, StructVariable, Variable};
use crate::types::{Scalar, Type};

/// Whether all work-items of a group come here together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flow {
    Uniform,
    Divergent,
}

/// What `return` means here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Returns {
    /// A barrier may follow.
    Never,
    Kernel,
    Value(Type),
}

/// Whether `break` and `continue` mean a loop that need not stay uniform.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Loop {
    None,
    Around,
}

/// The context of a statement.
#[derive(Debug, Clone, Copy)]
pub struct Context {
    /// How many more statements may be nested.
    pub nesting: u32,
    pub flow: Flow,
    pub returns: Returns,
    pub around: Loop,
}

impl Context {
    pub fn top(nesting: u32, flow: Flow, returns: Returns) -> Self {
        Context {
            nesting,
            flow,
            returns,
            around: Loop::None,
        }
    }

    fn inside(self) -> Self {
        Context {
            nesting: self.nesting - 1,
            ..self
        }
    }
}

#[derive(Clone, Copy)]
enum Choice {
    Declare,
    Array,
    Struct,
    Pointer,
    Call,
    Assign,
    Update,
    Increment,
    Copy,
    If,
    For,
    While,
    Switch,
    Leave,
    Count,
    Emit,
    Phase,
}

const FLAT: &[(u32, Choice)] = &[
    (20, Choice::Declare),
    (6, Choice::Array),
    (5, Choice::Struct),
    (4, Choice::Pointer),
    (7, Choice::Call),
    (18, Choice::Assign),
    (9, Choice::Update),
    (3, Choice::Increment),
    (3, Choice::Copy),
    (6, Choice::Leave),
    (4, Choice::Count),
    (3, Choice::Emit),
];

const NESTED: &[(u32, Choice)] = &[
    (10, Choice::If),
    (9, Choice::For),
    (7, Choice::While),
    (5, Choice::Switch),
    (12, Choice::Phase),
];

impl Generator<'_> {
    /// About `count` statements. What they declare stays visible: the caller ends the scope.
    pub fn statements(&mut self, count: u32, context: Context) -> Block {
        let mut block = vec![];
        for _ in 0..count {
            // Some choices have nothing to work on.
            let made = (0..4)
                .map(|_| self.statement(context))
                .find(|made| !made.is_empty());
            block.extend(made.unwrap_or_default());
        }
        block
    }

    /// Statements in braces.
    pub fn block(&mut self, low: u32, high: u32, context: Context) -> Block {
        let mark = self.scope.mark();
        let count = self.random.between(low, high);
        let mut block = self.statements(count, context);
        // Values that are used only inside the block would not be observable.
        if self.function_kind == FunctionKind::Kernel {
            for variable in self.scope.since(mark) {
                let value = Expr {
                    ty: variable.ty,
                    kind: Kind::Read(LValue::Variable(variable.name)),
                };
                block.push(self.emit(value));
            }
        }
        self.scope.release(mark);
        block
    }

    fn statement(&mut self, context: Context) -> Block {
        let choices = if context.nesting > 0 && self.random.percent(30) {
            NESTED
        } else {
            FLAT
        };
        let depth = self.profile.expression_depth;
        match self.random.weighted(choices) {
            // Inner blocks mostly work on what is around them.
            Choice::Declare
                if context.nesting < self.profile.nesting && self.random.percent(60) =>
            {
                self.assign(depth)
            }
            Choice::Declare => vec![self.declare()],
            Choice::Array => {
                let element = self.any_type();
                let dims = if self.random.percent(35) {
                    vec![self.random.between(2, 3), self.random.between(2, 4)]
                } else {
                    vec![self.random.between(2, 8)]
                };
                vec![self.declare_array(element, dims)]
            }
            Choice::Struct => self.any_struct(),
            Choice::Pointer => self.pointer(),
            Choice::Call => self.call_statement(),
            Choice::Assign => self.assign(depth),
            Choice::Update => self.update(depth),
            Choice::Increment => self.increment(),
            Choice::Copy => self.copy_struct(),
            Choice::If => vec![self.branch(context)],
            Choice::For => vec![self.counted_loop(context)],
            Choice::While => vec![self.conditional_loop(context)],
            Choice::Switch => vec![self.switch(context)],
            Choice::Leave => self.leave(context),
            Choice::Count => self.count(),
            Choice::Emit => self.emit_some(),
            Choice::Phase => self.phase(context),
        }
    }

    fn declare(&mut self) -> Stmt {
        let ty = self.any_type();
        let converts = ty.is_integer() && !ty.is_vector() && self.random.percent(40);
        // C converts between integers by itself.
        let from = if converts {
            Type::scalar(self.any_integer())
        } else {
            ty
        };
        let value = self.expr(from, self.profile.expression_depth);
        let name = self.name("v");
        self.scope.add_variable(name, ty, Access::ReadWrite);
        Stmt::Declare { name, ty, value }
    }

    pub fn declare_array(&mut self, element: Type, dims: Vec<u32>) -> Stmt {
        let values = (0..dims.iter().product())
            .map(|_| self.leaf(element))
            .collect();
        let name = self.name("a");
        let object = Object {
            space: Space::Private,
            element,
            dims: dims.clone(),
        };
        self.scope.add_array(name, object, Access::ReadWrite);
        Stmt::DeclareArray {
            name,
            element,
            dims,
            values,
        }
    }

    fn any_struct(&mut self) -> Block {
        if self.module.structs.is_empty() {
            return vec![];
        }
        let chosen = self.random.below(self.module.structs.len() as u32) as usize;
        let of = self.module.structs[chosen].name;
        let len = self.random.percent(40).then(|| self.random.between(2, 5));
        self.declare_struct(of, len).into_iter().collect()
    }

    pub fn declare_struct(&mut self, of: Name, len: Option<u32>) -> Option<Stmt> {
        let fields = self
            .module
            .structs
            .iter()
            .find(|item| item.name == of)?
            .fields
            .clone();
        let rows = (0..len.unwrap_or(1))
            .map(|_| fields.iter().map(|ty| self.leaf(*ty)).collect())
            .collect();
        let name = self.name("s");
        self.scope.structs.push(StructVariable {
            name,
            of,
            fields,
            len,
            access: Access::ReadWrite,
        });
        Some(Stmt::DeclareStruct {
            name,
            of,
            len,
            rows,
        })
    }

    fn pointer(&mut self) -> Block {
        let arrays = self.scope.arrays.clone();
        let usable: Vec<_> = arrays
            .iter()
            .filter(|array| array.object.dims.len() == 1)
            .collect();
        let alike = |a: &Object, b: &Object| a.space == b.space && a.element == b.element;
        for (position, first) in usable.iter().enumerate() {
            let later = usable[position + 1..]
                .iter()
                .find(|other| alike(&first.object, &other.object));
            // A pointer to local memory would outlive the phase in which it may be read.
            let Some(second) = later.filter(|_| first.object.space != Space::Local) else {
                continue;
            };
            let condition = self.condition(1);
            let name = self.name("ptr");
            let len = first.object.len().min(second.object.len());
            let both = [first.access, second.access];
            let access = if both == [Access::ReadWrite; 2] {
                Access::ReadWrite
            } else {
                Access::ReadOnly
            };
            self.scope.add_array(
                name,
                Object {
                    dims: vec![len],
                    ..first.object.clone()
                },
                access,
            );
            return vec![Stmt::DeclarePointer {
                name,
                condition,
                objects: [first.name, second.name],
            }];
        }
        vec![]
    }

    /// A variable that may be assigned.
    fn assignable(&mut self, fits: impl Fn(&Variable) -> bool) -> Option<Variable> {
        let may = |variable: &&Variable| variable.access == Access::ReadWrite && fits(variable);
        let candidates: Vec<Variable> = self.scope.variables.iter().filter(may).copied().collect();
        (!candidates.is_empty()).then(|| self.random.pick(&candidates))
    }

    /// An lvalue to assign, and its type.
    fn target(&mut self) -> Option<(LValue, Type)> {
        if self.random.percent(35) {
            let ty = self.indexed_type()?;
            return Some((self.indexed_lvalue(ty, Access::ReadWrite, 1)?, ty));
        }
        let variable = self.assignable(|_| true)?;
        if !variable.ty.is_vector() || self.random.percent(60) {
            return Some((LValue::Variable(variable.name), variable.ty));
        }
        let start = self.random.below(variable.ty.lanes);
        let count = self.random.pick(&[1, 2]).min(variable.ty.lanes - start);
        let lanes = (start..start + count).rev().collect();
        Some((
            LValue::Lanes(variable.name, lanes),
            Type {
                lanes: count,
                ..variable.ty
            },
        ))
    }

    /// The type of some element or field that may be assigned.
    fn indexed_type(&mut self) -> Option<Type> {
        let arrays = self
            .scope
            .arrays
            .iter()
            .filter(|array| array.access == Access::ReadWrite);
        let structs = self
            .scope
            .structs
            .iter()
            .filter(|item| item.access == Access::ReadWrite);
        let types = arrays
            .map(|array| array.object.element)
            .chain(structs.flat_map(|item| item.fields.clone()));
        let types: Vec<Type> = types.collect();
        (!types.is_empty()).then(|| self.random.pick(&types))
    }

    fn assign(&mut self, depth: u32) -> Block {
        let Some((to, ty)) = self.target() else {
            return vec![self.declare()];
        };
        let value = self.expr(ty, depth);
        vec![Stmt::Assign { to, value }]
    }

    fn update(&mut self, depth: u32) -> Block {
        use BinaryOp::{Add, And, Div, MaskedShl, MaskedShr, Mul, Or, Rem, Shl, Shr, Sub, Xor};
        let Some((to, ty)) = self.target() else {
            return vec![];
        };
        let op = if ty.is_integer() {
            self.random.pick(&[
                Add, Sub, Mul, And, Or, Xor, Shl, Shr, MaskedShl, MaskedShr, Div, Rem,
            ])
        } else {
            self.random.pick(&[Add, Sub, Mul])
        };
        let value = self.expr(ty, depth);
        vec![Stmt::Update { to, op, value }]
    }

    fn increment(&mut self) -> Block {
        // Narrow types wrap by conversion, unsigned ones by definition.
        let wraps = |ty: Type| {
            !ty.is_vector() && ty.is_integer() && (ty.scalar.is_narrow() || !ty.scalar.is_signed())
        };
        let Some(variable) = self.assignable(|variable| wraps(variable.ty)) else {
            return vec![];
        };
        vec![Stmt::Increment {
            variable: variable.name,
            ty: variable.ty,
        }]
    }

    fn copy_struct(&mut self) -> Block {
        let single: Vec<StructVariable> = self
            .scope
            .structs
            .iter()
            .filter(|item| item.len.is_none())
            .cloned()
            .collect();
        for to in single
            .iter()
            .rev()
            .filter(|item| item.access == Access::ReadWrite)
        {
            if let Some(from) = single
                .iter()
                .find(|from| from.of == to.of && from.name != to.name)
            {
                return vec![Stmt::CopyStruct {
                    to: to.name,
                    from: from.name,
                }];
            }
        }
        vec![]
    }

    fn branch(&mut self, context: Context) -> Stmt {
        let flow = self.inner_flow(context);
        let condition = match flow {
            Flow::Uniform => self.uniform_condition(),
            Flow::Divergent => self.condition(self.profile.expression_depth),
        };
        let inner = Context {
            flow,
            ..context.inside()
        };
        let then = self.block(1, 3, inner);
        let otherwise = if self.random.percent(50) {
            self.block(1, 2, inner)
        } else {
            vec![]
        };
        Stmt::If {
            condition,
            then,
            otherwise,
        }
    }

    /// Uniform control flow stays so half of the time.
    fn inner_flow(&mut self, context: Context) -> Flow {
        if context.flow == Flow::Uniform && self.random.percent(50) {
            Flow::Uniform
        } else {
            Flow::Divergent
        }
    }

    fn counted_loop(&mut self, context: Context) -> Stmt {
        let flow = self.inner_flow(context);
        let (bound, around) = match flow {
            Flow::Uniform => (self.uniform_value(), Loop::None),
            Flow::Divergent => (self.any_index(2), Loop::Around),
        };
        let limit = if context.around == Loop::None && self.function_kind == FunctionKind::Kernel {
            8
        } else {
            4
        };
        let limit = if flow == Flow::Uniform { 4 } else { limit };
        let order = self
            .random
            .pick(&[Order::Up, Order::Up, Order::UpByTwo, Order::Down]);
        let counter = self.name("i");
        let mark = self.scope.mark();
        self.scope
            .add_variable(counter, Type::scalar(Scalar::Uint), Access::ReadOnly);
        let body = self.block(
            1,
            3,
            Context {
                flow,
                around,
                ..context.inside()
            },
        );
        self.scope.release(mark);
        Stmt::For {
            counter,
            order,
            bound,
            limit,
            body,
        }
    }

    fn conditional_loop(&mut self, context: Context) -> Stmt {
        let condition = self.condition(2);
        let (fuel, limit) = (self.name("fuel"), self.random.between(1, 6));
        let test = self.random.pick(&[Test::Before, Test::Before, Test::After]);
        let inner = Context {
            flow: Flow::Divergent,
            around: Loop::Around,
            ..context.inside()
        };
        let body = self.block(1, 3, inner);
        Stmt::While {
            fuel,
            limit,
            test,
            condition,
            body,
        }
    }

    fn switch(&mut self, context: Context) -> Stmt {
        let on = self.any_index(2);
        let inner = Context {
            flow: Flow::Divergent,
            ..context.inside()
        };
        let mut labels = (0..8)
            .filter(|_| self.random.percent(60))
            .collect::<Vec<u32>>();
        let mut arms = vec![];
        while !labels.is_empty() && arms.len() < 4 {
            let count = self.random.pick(&[1, 1, 2]).min(labels.len());
            let labels = labels.drain(..count).collect();
            let body = self.block(1, 2, inner);
            let end = self
                .random
                .weighted(&[(3, ArmEnd::Break), (1, ArmEnd::FallThrough)]);
            arms.push(Arm { labels, body, end });
        }
        let default = self.block(0, 1, inner);
        Stmt::Switch { on, arms, default }
    }

    /// A conditional `break`, `continue` or `return`, where one may stand.
    fn leave(&mut self, context: Context) -> Block {
        let mut ways = vec![];
        if context.around == Loop::Around {
            ways.extend([Stmt::Break, Stmt::Continue]);
        }
        match context.returns {
            Returns::Never => {}
            Returns::Kernel => ways.push(Stmt::Return(None)),
            Returns::Value(ty) => ways.push(Stmt::Return(Some(self.expr(ty, 1)))),
        }
        if ways.is_empty() {
            return vec![];
        }
        let chosen = self.random.below(ways.len() as u32) as usize;
        let condition = self.condition(2);
        vec![Stmt::If {
            condition,
            then: vec![ways.swap_remove(chosen)],
            otherwise: vec![],
        }]
    }

    /// The same in every work-item of a group: constants, arguments, and what is known of the group.
    pub fn uniform_value(&mut self) -> Expr {
        let arguments = self
            .module
            .values
            .iter()
            .filter_map(|value| match value.of {
                ValueKind::Plain(ty) if ty.is_integer() && !ty.is_vector() => Some(Expr {
                    ty,
                    kind: Kind::Read(LValue::Variable(value.name)),
                }),
                ValueKind::Plain(_) | ValueKind::Struct(_) => None,
            });
        let mut values: Vec<Expr> = arguments.collect();
        let group = [Query::GroupId, Query::LocalSize, Query::NumGroups];
        let ulong = Type::scalar(Scalar::Ulong);
        values.extend(group.map(|query| Expr {
            ty: ulong,
            kind: Kind::WorkItem(query, 0),
        }));
        values.push(int_literal(u64::from(self.random.below(8))));
        let chosen = self.random.below(values.len() as u32) as usize;
        values.swap_remove(chosen)
    }

    fn uniform_condition(&mut self) -> Expr {
        let op = self
            .random
            .pick(&[CompareOp::Less, CompareOp::Unequal, CompareOp::GreaterEqual]);
        let operands = crate::expressions::pair(self.uniform_value(), self.uniform_value());
        Expr {
            ty: Type::INT,
            kind: Kind::Compare(op, operands),
        }
    }
}
