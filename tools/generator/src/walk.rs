//! Going through the tree: the parts of each node, in the order in which they are printed.

use crate::ast::*;

impl Stmt {
    /// The blocks directly inside this statement.
    pub fn blocks_mut(&mut self) -> Vec<&mut Block> {
        match self {
            Stmt::If {
                then, otherwise, ..
            } => vec![then, otherwise],
            Stmt::For { body, .. }
            | Stmt::While { body, .. }
            | Stmt::Exchange { body, .. }
            | Stmt::LocalTally { body, .. } => vec![body],
            Stmt::Switch { arms, default, .. } => {
                let arms = arms.iter_mut().map(|arm| &mut arm.body);
                arms.chain([default]).collect()
            }
            Stmt::Declare { .. }
            | Stmt::DeclareArray { .. }
            | Stmt::DeclareStruct { .. }
            | Stmt::DeclarePointer { .. }
            | Stmt::DeclareCall { .. }
            | Stmt::Assign { .. }
            | Stmt::Update { .. }
            | Stmt::Increment { .. }
            | Stmt::CopyStruct { .. }
            | Stmt::Break
            | Stmt::Continue
            | Stmt::Return(_)
            | Stmt::Count { .. }
            | Stmt::Emit { .. } => vec![],
        }
    }

    /// The expressions directly inside this statement, its blocks left out.
    pub fn exprs_mut(&mut self) -> Vec<&mut Expr> {
        match self {
            Stmt::Declare { value, .. } | Stmt::Emit { value, .. } => vec![value],
            Stmt::DeclareArray { values, .. } => values.iter_mut().collect(),
            Stmt::DeclareStruct { rows, .. } => rows.iter_mut().flatten().collect(),
            Stmt::DeclarePointer { condition, .. } | Stmt::If { condition, .. } => vec![condition],
            Stmt::DeclareCall { args, .. } => plain_arguments(args),
            Stmt::Assign { to, value } | Stmt::Update { to, value, .. } => {
                let mut all = to.indices_mut();
                all.push(value);
                all
            }
            Stmt::For { bound, .. } => vec![bound],
            Stmt::While { condition, .. } => vec![condition],
            Stmt::Switch { on, .. } => vec![on],
            Stmt::Return(value) => value.iter_mut().collect(),
            Stmt::Exchange { value, .. } => vec![value],
            Stmt::LocalTally {
                start,
                index,
                value,
                ..
            } => vec![start, index, value],
            Stmt::Count { index, value, .. } => vec![index, value],
            Stmt::Increment { .. } | Stmt::CopyStruct { .. } | Stmt::Break | Stmt::Continue => {
                vec![]
            }
        }
    }
}

impl LValue {
    /// The expressions that choose an element.
    pub fn indices_mut(&mut self) -> Vec<&mut Expr> {
        match self {
            LValue::Variable(_) | LValue::Lanes(..) => vec![],
            LValue::Element { indices, .. } => indices.iter_mut().collect(),
            LValue::Field { index, .. } => index.iter_mut().map(|index| &mut **index).collect(),
        }
    }

    /// The variable, array or struct of which this is a part.
    pub fn base(&self) -> Name {
        match self {
            LValue::Variable(name) | LValue::Lanes(name, _) => *name,
            LValue::Element { array, .. } => *array,
            LValue::Field { object, .. } => *object,
        }
    }
}

impl Expr {
    /// The operands.
    pub fn children_mut(&mut self) -> Vec<&mut Expr> {
        match &mut self.kind {
            Kind::Literal(_) | Kind::WorkItem(..) | Kind::Recall { .. } => vec![],
            Kind::Read(lvalue) => lvalue.indices_mut(),
            Kind::Load { from, index } | Kind::VectorLoad { from, index } => match from {
                Memory::Object(_) => vec![&mut **index],
                Memory::Either(condition, _) => vec![&mut **condition, &mut **index],
            },
            Kind::Unary(_, a)
            | Kind::Convert(_, a)
            | Kind::Reinterpret(a)
            | Kind::Swizzle(a, _) => vec![&mut **a],
            Kind::Binary(_, pair) | Kind::Compare(_, pair) | Kind::Logic(_, pair) => {
                pair.iter_mut().collect()
            }
            Kind::Choose(three) => three.iter_mut().collect(),
            Kind::Builtin(_, args) | Kind::Compose(args) => args.iter_mut().collect(),
            Kind::Call(_, args) => plain_arguments(args),
        }
    }

    /// The names that this node itself mentions, its operands left out.
    pub fn names(&self) -> Vec<Name> {
        match &self.kind {
            Kind::Read(lvalue) => vec![lvalue.base()],
            Kind::Load { from, .. } | Kind::VectorLoad { from, .. } => match from {
                Memory::Object(name) => vec![*name],
                Memory::Either(_, names) => names.to_vec(),
            },
            Kind::Call(function, args) => {
                let mut names = object_arguments(args);
                names.push(*function);
                names
            }
            Kind::Literal(_)
            | Kind::WorkItem(..)
            | Kind::Recall { .. }
            | Kind::Unary(..)
            | Kind::Binary(..)
            | Kind::Compare(..)
            | Kind::Logic(..)
            | Kind::Choose(_)
            | Kind::Builtin(..)
            | Kind::Convert(..)
            | Kind::Reinterpret(_)
            | Kind::Swizzle(..)
            | Kind::Compose(_) => vec![],
        }
    }
}

fn plain_arguments(args: &mut [Argument]) -> Vec<&mut Expr> {
    let plain = args.iter_mut().filter_map(|arg| match arg {
        Argument::Plain(expr) => Some(expr),
        Argument::Object(_) => None,
    });
    plain.collect()
}

/// The objects that a call passes.
pub fn object_arguments(args: &[Argument]) -> Vec<Name> {
    let objects = args.iter().filter_map(|arg| match arg {
        Argument::Object(name) => Some(*name),
        Argument::Plain(_) => None,
    });
    objects.collect()
}
