//! Whether everything that a program mentions is declared where it is mentioned: what shrinking must not break.

use crate::ast::*;
use crate::types::Type;
use crate::walk::object_arguments;

/// Whether every name is visible where it is used. The module is only read, through the walks that can also change it.
pub fn closed(module: &mut Module) -> bool {
    let mut checker = Checker {
        visible: module.tables.iter().map(|table| table.name).collect(),
        structs: module.structs.iter().map(|item| item.name).collect(),
        local_arrays: module.local_arrays.iter().map(|array| array.name).collect(),
        outputs: module.outputs.iter().map(|output| output.element).collect(),
    };
    for function in &mut module.functions {
        let outside = checker.visible.len();
        for param in &function.params {
            match param.of {
                ParamKind::Struct(of) if !checker.structs.contains(&of) => return false,
                ParamKind::Struct(_) | ParamKind::Plain(_) | ParamKind::Pointer { .. } => {
                    checker.visible.push(param.name);
                }
            }
        }
        let inside = checker.stmts(&mut function.body) && checker.expr(&mut function.value);
        checker.visible.truncate(outside);
        checker.visible.push(function.name);
        if !inside {
            return false;
        }
    }
    for value in &module.values {
        match value.of {
            ValueKind::Struct(of) if !checker.structs.contains(&of) => return false,
            ValueKind::Struct(_) | ValueKind::Plain(_) => checker.visible.push(value.name),
        }
    }
    checker
        .visible
        .extend(module.inputs.iter().map(|input| input.name));
    checker
        .visible
        .extend(module.tallies.iter().map(|tally| tally.name));
    checker.stmts(&mut module.body)
}

struct Checker {
    visible: Vec<Name>,
    structs: Vec<Name>,
    local_arrays: Vec<Name>,
    outputs: Vec<Type>,
}

impl Checker {
    fn sees(&self, names: &[Name]) -> bool {
        names.iter().all(|name| self.visible.contains(name))
    }

    fn expr(&self, expr: &mut Expr) -> bool {
        let recalls = matches!(expr.kind, Kind::Recall { .. });
        (!recalls || self.outputs.contains(&expr.ty))
            && self.sees(&expr.names())
            && expr
                .children_mut()
                .into_iter()
                .all(|child| self.expr(child))
    }

    fn block(&mut self, block: &mut Block, declared: &[Name]) -> bool {
        let outside = self.visible.len();
        self.visible.extend(declared);
        let inside = self.stmts(block);
        self.visible.truncate(outside);
        inside
    }

    /// Statements one after the other; what they declare stays visible.
    fn stmts(&mut self, block: &mut Block) -> bool {
        block.iter_mut().all(|stmt| self.stmt(stmt))
    }

    fn stmt(&mut self, stmt: &mut Stmt) -> bool {
        let (uses, declares, inner): (Vec<Name>, Vec<Name>, Vec<Name>) = match stmt {
            Stmt::Declare { name, .. } | Stmt::DeclareArray { name, .. } => {
                (vec![], vec![*name], vec![])
            }
            Stmt::DeclareStruct { name, of, .. } => {
                if !self.structs.contains(of) {
                    return false;
                }
                (vec![], vec![*name], vec![])
            }
            Stmt::DeclarePointer { name, objects, .. } => (objects.to_vec(), vec![*name], vec![]),
            Stmt::DeclareCall {
                name,
                function,
                args,
                ..
            } => {
                let mut uses = object_arguments(args);
                uses.push(*function);
                (uses, vec![*name], vec![])
            }
            Stmt::Assign { to, .. } | Stmt::Update { to, .. } => (vec![to.base()], vec![], vec![]),
            Stmt::Increment { variable, .. } => (vec![*variable], vec![], vec![]),
            Stmt::CopyStruct { to, from } => (vec![*to, *from], vec![], vec![]),
            Stmt::For { counter, .. } => (vec![], vec![], vec![*counter]),
            Stmt::Exchange { array, .. } | Stmt::LocalTally { array, .. } => {
                if !self.local_arrays.contains(array) {
                    return false;
                }
                (vec![], vec![], vec![*array])
            }
            Stmt::Count { tally, .. } => (vec![*tally], vec![], vec![]),
            Stmt::Emit { element, .. } => {
                if !self.outputs.contains(element) {
                    return false;
                }
                (vec![], vec![], vec![])
            }
            Stmt::If { .. }
            | Stmt::While { .. }
            | Stmt::Switch { .. }
            | Stmt::Break
            | Stmt::Continue
            | Stmt::Return(_) => (vec![], vec![], vec![]),
        };
        let parts = self.sees(&uses)
            && stmt.exprs_mut().into_iter().all(|expr| self.expr(expr))
            && stmt
                .blocks_mut()
                .into_iter()
                .all(|block| self.block(block, &inner));
        self.visible.extend(declares);
        parts
    }
}
