//! Smaller programs that still fail: greedy passes over the tree, coarse ones first, until none helps.

use crate::Program;
use crate::ast::*;
use crate::closed::closed;
use crate::render::render;
use crate::types::Type;

/// The smallest program found for which `fails` holds, which must hold for `program`. Every candidate is as well
/// defined as the original. `fails` may stop the search early by answering no from then on.
pub fn shrink(program: Program, fails: &mut dyn FnMut(&Program) -> bool) -> Program {
    // A program without a tree stays as it is.
    let Some(module) = program.module.clone() else {
        return program;
    };
    let mut shrinker = Shrinker {
        best: program,
        module,
        fails,
    };
    loop {
        let before = shrinker.module.clone();
        for pass in [
            drop_statements,
            unwrap,
            shrink_launch,
            drop_declarations,
            simplify_loops,
            simplify_expressions,
        ] {
            pass(&mut shrinker);
        }
        if shrinker.module == before {
            return shrinker.best;
        }
    }
}

struct Shrinker<'f> {
    best: Program,
    /// The tree of the best program.
    module: Module,
    fails: &'f mut dyn FnMut(&Program) -> bool,
}

impl Shrinker<'_> {
    /// Changes a copy and keeps it if it is another program that is closed and fails.
    fn attempt(&mut self, change: impl FnOnce(&mut Module)) -> bool {
        let mut module = self.module.clone();
        change(&mut module);
        if module == self.module || !closed(&mut module) {
            return false;
        }
        let candidate = render(module.clone());
        let failed = (self.fails)(&candidate);
        if failed {
            self.best = candidate;
            self.module = module;
        }
        failed
    }
}

/// Calls `visit` for every block, outer ones before inner ones.
fn each_block(module: &mut Module, visit: &mut dyn FnMut(&mut Block)) {
    fn inside(block: &mut Block, visit: &mut dyn FnMut(&mut Block)) {
        visit(block);
        for stmt in block {
            stmt.blocks_mut()
                .into_iter()
                .for_each(|block| inside(block, visit));
        }
    }
    inside(&mut module.body, visit);
    module
        .functions
        .iter_mut()
        .for_each(|function| inside(&mut function.body, visit));
}

/// Calls `visit` for every expression, outer ones before inner ones.
fn each_expr(module: &mut Module, visit: &mut dyn FnMut(&mut Expr)) {
    fn inside(expr: &mut Expr, visit: &mut dyn FnMut(&mut Expr)) {
        visit(expr);
        expr.children_mut()
            .into_iter()
            .for_each(|child| inside(child, visit));
    }
    each_block(module, &mut |block| {
        let exprs = block.iter_mut().flat_map(Stmt::exprs_mut);
        exprs.for_each(|expr| inside(expr, visit));
    });
    module
        .functions
        .iter_mut()
        .for_each(|function| inside(&mut function.value, visit));
}

/// The lengths of all blocks in the order of [`each_block`].
fn block_lengths(module: &Module) -> Vec<usize> {
    let mut lengths = vec![];
    each_block(&mut module.clone(), &mut |block| lengths.push(block.len()));
    lengths
}

fn with_block(module: &mut Module, index: usize, change: impl FnOnce(&mut Block)) {
    let mut change = Some(change);
    let mut number = 0;
    each_block(module, &mut |block| {
        if number == index
            && let Some(change) = change.take()
        {
            change(block);
        }
        number += 1;
    });
}

fn drop_statements(shrinker: &mut Shrinker) {
    for size in [16, 8, 4, 2, 1] {
        let mut number = 0;
        while let Some(&length) = block_lengths(&shrinker.module).get(number) {
            // From the end, because uses come after declarations.
            let mut end = length;
            while end >= size {
                let dropped = shrinker.attempt(|module| {
                    with_block(module, number, |block| {
                        block.drain(end - size..end);
                    });
                });
                end -= if dropped { size } else { size.div_ceil(2) };
            }
            number += 1;
        }
    }
}

/// Replaces a statement by its body.
fn unwrap(shrinker: &mut Shrinker) {
    let mut number = 0;
    while let Some(&length) = block_lengths(&shrinker.module).get(number) {
        for position in (0..length).rev() {
            for part in 0..3 {
                let unwrapped = shrinker.attempt(|module| {
                    with_block(module, number, |block| replace(block, position, part))
                });
                if unwrapped {
                    break;
                }
            }
        }
        number += 1;
    }
}

fn replace(block: &mut Block, position: usize, part: usize) {
    if let Stmt::DeclareCall { name, ty, .. } = block[position] {
        block[position] = Stmt::Declare {
            name,
            ty,
            value: plain(ty, 1),
        };
        return;
    }
    let is_loop = matches!(block[position], Stmt::For { .. } | Stmt::While { .. });
    let is_switch = matches!(block[position], Stmt::Switch { .. });
    let Some(inner) = block[position]
        .blocks_mut()
        .into_iter()
        .nth(part)
        .map(std::mem::take)
    else {
        return;
    };
    // A `break` must not come to mean another loop, which may have to stay uniform.
    let changes_meaning =
        |stmt: &Stmt| leaves(stmt, &Stmt::Break) || (is_loop && leaves(stmt, &Stmt::Continue));
    if (is_loop || is_switch) && inner.iter().any(changes_meaning) {
        block[position].blocks_mut()[part].extend(inner);
        return;
    }
    block.splice(position..=position, inner);
}

/// Whether `stmt` holds such a `break` or `continue` that means something around it.
fn leaves(stmt: &Stmt, way: &Stmt) -> bool {
    let inside = |block: &Block| block.iter().any(|stmt| leaves(stmt, way));
    match stmt {
        Stmt::Break | Stmt::Continue => stmt == way,
        Stmt::If {
            then, otherwise, ..
        } => inside(then) || inside(otherwise),
        Stmt::Exchange { body, .. } | Stmt::LocalTally { body, .. } => inside(body),
        Stmt::Switch { arms, default, .. } => {
            *way == Stmt::Continue && (inside(default) || arms.iter().any(|arm| inside(&arm.body)))
        }
        Stmt::For { .. }
        | Stmt::While { .. }
        | Stmt::Declare { .. }
        | Stmt::DeclareArray { .. }
        | Stmt::DeclareStruct { .. }
        | Stmt::DeclarePointer { .. }
        | Stmt::DeclareCall { .. }
        | Stmt::Assign { .. }
        | Stmt::Update { .. }
        | Stmt::Increment { .. }
        | Stmt::CopyStruct { .. }
        | Stmt::Return(_)
        | Stmt::Count { .. }
        | Stmt::Emit { .. } => false,
    }
}

fn shrink_launch(shrinker: &mut Shrinker) {
    for dim in 0..3 {
        shrinker.attempt(|module| module.offset[dim] = 0);
        shrinker.attempt(|module| module.groups[dim] = 1);
        while shrinker.attempt(|module| module.local[dim] = module.local[dim].div_ceil(2)) {}
    }
    shrinker.attempt(|module| {
        let last = module.work_dim.saturating_sub(1) as usize;
        if last > 0 && (module.local[last], module.groups[last], module.offset[last]) == (1, 1, 0) {
            module.work_dim -= 1;
        }
    });
}

fn drop_declarations(shrinker: &mut Shrinker) {
    /// Tries to drop each entry of one of the module's lists.
    macro_rules! drop_from {
        ($($list:ident),*) => {$(
            for position in (0..shrinker.module.$list.len()).rev() {
                shrinker.attempt(|module| {
                    module.$list.remove(position);
                });
            }
        )*};
    }
    drop_from!(
        outputs,
        functions,
        tallies,
        local_arrays,
        values,
        inputs,
        tables,
        structs
    );
}

fn simplify_loops(shrinker: &mut Shrinker) {
    let lengths = block_lengths(&shrinker.module);
    for (number, length) in lengths.into_iter().enumerate() {
        for position in 0..length {
            shrinker.attempt(|module| {
                with_block(module, number, |block| {
                    // Dropping an arm renumbers the blocks after it.
                    let Some(stmt) = block.get_mut(position) else {
                        return;
                    };
                    if let Stmt::For { limit, .. } = stmt {
                        *limit = 2;
                    } else if let Stmt::While { limit, .. } = stmt {
                        *limit = 1;
                    } else if let Stmt::Switch { arms, .. } = stmt {
                        arms.pop();
                    }
                });
            });
        }
    }
}

/// Replaces expressions by their operands and by constants.
fn simplify_expressions(shrinker: &mut Shrinker) {
    let mut number = 0;
    loop {
        let Some(options) = replacements(&shrinker.module, number) else {
            return;
        };
        let replaced = options.into_iter().any(|option| {
            shrinker.attempt(|module| {
                let mut at = 0;
                each_expr(module, &mut |expr| {
                    // Inner expressions are counted after this one: it is the index one at most once.
                    if at == number {
                        *expr = option.clone();
                    }
                    at += 1;
                });
            })
        });
        if !replaced {
            number += 1;
        }
    }
}

/// What the expression of this number could be instead, if there is one.
fn replacements(module: &Module, number: usize) -> Option<Vec<Expr>> {
    let mut found = None;
    let mut at = 0;
    each_expr(&mut module.clone(), &mut |expr| {
        if at == number {
            found = Some(expr.clone());
        }
        at += 1;
    });
    let mut expr = found?;
    let (zero, one) = (plain(expr.ty, 0), plain(expr.ty, 1));
    if expr == zero || expr == one {
        return Some(vec![]);
    }
    let ty = expr.ty;
    let children = expr
        .children_mut()
        .into_iter()
        .filter(|child| child.ty == ty)
        .map(|child| child.clone());
    Some([zero, one].into_iter().chain(children).collect())
}

/// A small constant of any type.
fn plain(ty: Type, value: u32) -> Expr {
    let bits = if ty.is_integer() {
        u64::from(value)
    } else {
        f64::from(value).to_bits()
    };
    let literal = Expr {
        ty: ty.lane(),
        kind: Kind::Literal(bits),
    };
    if ty.is_vector() {
        Expr {
            ty,
            kind: Kind::Compose(vec![literal]),
        }
    } else {
        literal
    }
}
