//! The whole program as OpenCL C.

use std::collections::BTreeSet;
use std::fmt::Write;

use crate::ast::*;
use crate::objects::Objects;
use crate::types::{Scalar, Type};

/// The kernel's name in every program.
pub const KERNEL: &str = "fuzz";

/// Text being written.
pub struct Printer<'m> {
    module: &'m Module,
    pub(crate) objects: Objects,
    /// The float types for which the function that removes NaNs is needed.
    pub(crate) settled: BTreeSet<Type>,
    text: String,
    depth: usize,
}

/// The program's text.
pub fn print(module: &Module) -> String {
    let mut printer = Printer {
        module,
        objects: Objects::of(module),
        settled: BTreeSet::new(),
        text: String::new(),
        depth: 0,
    };
    printer.tables();
    module
        .functions
        .iter()
        .for_each(|function| printer.function(function));
    printer.kernel();
    let mut text = prelude(module, &printer.settled);
    text.push_str(&printer.text);
    text
}

/// What stands before the functions: pragmas, the removal of NaNs, struct types.
fn prelude(module: &Module, settled: &BTreeSet<Type>) -> String {
    let mut text = String::from(
        "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n#pragma OPENCL FP_CONTRACT OFF\n\n",
    );
    for ty in settled {
        let value = if ty.is_vector() {
            format!("select(x, ({ty})0, isnan(x))")
        } else {
            "isnan(x) ? 0 : x".into()
        };
        writeln!(text, "{ty} settle_{ty}({ty} x) {{ return {value}; }}\n")
            .expect("a string takes any text");
    }
    for item in &module.structs {
        let fields: String = item
            .fields
            .iter()
            .zip(0..)
            .map(|(ty, i)| format!(" {ty} f{i};"))
            .collect();
        writeln!(text, "typedef struct {{{fields} }} {};\n", item.name)
            .expect("a string takes any text");
    }
    text
}

impl Printer<'_> {
    fn line(&mut self, text: impl AsRef<str>) {
        for _ in 0..self.depth {
            self.text.push_str("  ");
        }
        self.text.push_str(text.as_ref());
        self.text.push('\n');
    }

    fn braces(&mut self, head: &str, body: &Block) {
        self.line(format!("{head} {{"));
        self.block(body);
        self.line("}");
    }

    fn block(&mut self, block: &Block) {
        self.depth += 1;
        block.iter().for_each(|stmt| self.stmt(stmt));
        self.depth -= 1;
    }

    fn tables(&mut self) {
        for table in &self.module.tables {
            let values: Vec<String> = table.values.iter().map(|value| self.expr(value)).collect();
            let (name, len) = (table.name, values.len());
            self.line(format!(
                "__constant {} {name}[{len}] = {{ {} }};\n",
                table.element,
                values.join(", ")
            ));
        }
    }

    fn function(&mut self, function: &Function) {
        let params = function.params.iter().map(|param| match param.of {
            ParamKind::Plain(ty) => format!("{ty} {}", param.name),
            ParamKind::Struct(of) => format!("{of} {}", param.name),
            ParamKind::Pointer { space, element, .. } => {
                format!("{} {element} *{}", space.keyword(), param.name)
            }
        });
        let params: Vec<String> = params.collect();
        self.line(format!(
            "{} {}({})",
            function.result,
            function.name,
            params.join(", ")
        ));
        self.line("{");
        self.block(&function.body);
        let value = self.expr(&function.value);
        self.line(format!("  return {value};"));
        self.line("}\n");
    }

    fn kernel(&mut self) {
        let params = self.kernel_params();
        self.line(format!("__kernel void {KERNEL}({})", params.join(", ")));
        self.line("{");
        self.depth += 1;
        self.positions();
        let group_items = self.module.group_items();
        for array in &self.module.local_arrays {
            if array.storage == LocalStorage::Declared {
                self.line(format!(
                    "__local {} {}[{group_items}];",
                    array.element, array.name
                ));
            }
        }
        self.depth -= 1;
        self.block(&self.module.body);
        self.line("}");
    }

    /// In the order in which the launch passes them.
    fn kernel_params(&self) -> Vec<String> {
        let module = self.module;
        let inputs = module.inputs.iter().map(|input| {
            format!(
                "{} {} *{}",
                input.space.keyword(),
                input.element,
                input.name
            )
        });
        let values = module.values.iter().map(|value| match value.of {
            ValueKind::Plain(ty) => format!("{ty} {}", value.name),
            ValueKind::Struct(of) => format!("{of} {}", value.name),
        });
        let arrays = module
            .local_arrays
            .iter()
            .filter(|array| array.storage == LocalStorage::Argument);
        let arrays = arrays.map(|array| format!("__local {} *{}", array.element, array.name));
        let tallies = module
            .tallies
            .iter()
            .map(|tally| format!("volatile __global {} *{}", tally.scalar.name(), tally.name));
        let outputs = module
            .outputs
            .iter()
            .map(|output| format!("__global {0} *out_{0}", output.element));
        inputs
            .chain(values)
            .chain(arrays)
            .chain(tallies)
            .chain(outputs)
            .collect()
    }

    /// The work-item's linear index in the launch and in its group, if they are used.
    fn positions(&mut self) {
        let linear = |id: &dyn Fn(usize) -> String, size: &str, dims: u32| {
            (0..dims as usize).rev().fold(String::new(), |inner, dim| {
                if inner.is_empty() {
                    id(dim)
                } else {
                    format!("({inner}) * get_{size}_size({dim}) + {}", id(dim))
                }
            })
        };
        let dims = self.module.work_dim;
        if !self.module.outputs.is_empty() {
            let id = |dim: usize| format!("(get_global_id({dim}) - get_global_offset({dim}))");
            self.line(format!(
                "const size_t item = {};",
                linear(&id, "global", dims)
            ));
        }
        if !self.module.local_arrays.is_empty() {
            let id = |dim: usize| format!("get_local_id({dim})");
            self.line(format!(
                "const size_t lid = {};",
                linear(&id, "local", dims)
            ));
        }
    }

    /// The index of one of the work-item's own elements of an output.
    pub fn own(&self, element: Type, slot: u32) -> String {
        let output = self
            .module
            .outputs
            .iter()
            .find(|output| output.element == element);
        let slots = output.expect("every output that is used is declared").slots;
        format!("item * {slots} + {slot}")
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Declare { .. }
            | Stmt::DeclareArray { .. }
            | Stmt::DeclareStruct { .. }
            | Stmt::DeclarePointer { .. }
            | Stmt::DeclareCall { .. } => self.declaration(stmt),
            Stmt::If { .. } | Stmt::For { .. } | Stmt::While { .. } | Stmt::Switch { .. } => {
                self.control(stmt);
            }
            Stmt::Exchange { .. } | Stmt::LocalTally { .. } => self.phase(stmt),
            Stmt::Assign { to, value } => {
                let (to, value) = (self.lvalue(to), self.expr(value));
                self.line(format!("{to} = {value};"));
            }
            Stmt::Update { to, op, value } => self.update(to, *op, value),
            Stmt::Increment { variable, .. } => self.line(format!("{variable}++;")),
            Stmt::CopyStruct { to, from } => self.line(format!("{to} = {from};")),
            Stmt::Break => self.line("break;"),
            Stmt::Continue => self.line("continue;"),
            Stmt::Return(None) => self.line("return;"),
            Stmt::Return(Some(value)) => {
                let value = self.expr(value);
                self.line(format!("return {value};"));
            }
            Stmt::Count {
                tally,
                index,
                value,
            } => self.count(*tally, index, value),
            Stmt::Emit {
                element,
                slot,
                value,
            } => self.emit(*element, *slot, value),
        }
    }

    fn declaration(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Declare { name, ty, value } => {
                let value = self.expr(value);
                self.line(format!("{ty} {name} = {value};"));
            }
            Stmt::DeclareArray {
                name,
                element,
                dims,
                values,
            } => {
                self.declare_array(*name, *element, dims, values);
            }
            Stmt::DeclareStruct {
                name,
                of,
                len,
                rows,
            } => {
                self.declare_struct(*name, *of, *len, rows);
            }
            Stmt::DeclarePointer {
                name,
                condition,
                objects: [a, b],
            } => {
                let condition = self.expr(condition);
                let object = &self.objects.arrays[name];
                let (space, element) = (object.space.keyword(), object.element);
                self.line(format!(
                    "{space} {element} *{name} = {condition} ? {a} : {b};"
                ));
            }
            Stmt::DeclareCall {
                name,
                ty,
                function,
                args,
            } => {
                let call = self.call(*function, args);
                self.line(format!("{ty} {name} = {call};"));
            }
            other => unreachable!("not a declaration: {other:?}"),
        }
    }

    fn declare_array(&mut self, name: Name, element: Type, dims: &[u32], values: &[Expr]) {
        let row = *dims.last().expect("an array has a dimension") as usize;
        let rows: Vec<String> = values
            .chunks(row)
            .map(|row| {
                row.iter()
                    .map(|value| self.expr(value))
                    .collect::<Vec<_>>()
                    .join(", ")
            })
            .map(|row| format!("{{ {row} }}"))
            .collect();
        let extent: String = dims.iter().map(|dim| format!("[{dim}]")).collect();
        let values = if dims.len() == 1 {
            rows[0].clone()
        } else {
            format!("{{ {} }}", rows.join(", "))
        };
        self.line(format!("{element} {name}{extent} = {values};"));
    }

    fn declare_struct(&mut self, name: Name, of: Name, len: Option<u32>, rows: &[Vec<Expr>]) {
        let rows: Vec<String> = rows
            .iter()
            .map(|row| {
                row.iter()
                    .map(|value| self.expr(value))
                    .collect::<Vec<_>>()
                    .join(", ")
            })
            .map(|row| format!("{{ {row} }}"))
            .collect();
        match len {
            None => self.line(format!("{of} {name} = {};", rows[0])),
            Some(len) => self.line(format!("{of} {name}[{len}] = {{ {} }};", rows.join(", "))),
        }
    }

    /// `op=` where the operator is defined for every operand, else the guarded operator written out.
    fn update(&mut self, to: &LValue, op: BinaryOp, value: &Expr) {
        let ty = value.ty;
        let (to, text) = (self.lvalue(to), self.expr(value));
        let plain = match op {
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul => {
                let narrow =
                    !ty.is_vector() && ty.scalar.is_narrow() && ty.scalar != Scalar::Ushort;
                narrow || (!ty.scalar.is_signed() && ty.scalar != Scalar::Ushort)
            }
            BinaryOp::And | BinaryOp::Or | BinaryOp::Xor | BinaryOp::Shl | BinaryOp::Shr => true,
            BinaryOp::SmallAdd
            | BinaryOp::SmallSub
            | BinaryOp::SmallMul
            | BinaryOp::Div
            | BinaryOp::Rem
            | BinaryOp::MaskedShl
            | BinaryOp::MaskedShr => false,
        };
        if plain {
            return self.line(format!("{to} {}= {text};", op.sign()));
        }
        let result = if ty.is_vector() || ty.scalar.is_float() {
            ty
        } else {
            Type::scalar(ty.scalar.promoted())
        };
        let value = crate::print_expression::binary(op, result, (ty, &to), (ty, &text));
        self.line(format!("{to} = {value};"));
    }

    fn count(&mut self, tally: Name, index: &Expr, value: &Expr) {
        let declared = self
            .module
            .tallies
            .iter()
            .find(|declared| declared.name == tally);
        let declared = declared.expect("every tally that is used is declared");
        let index = self.index(index, declared.len);
        self.atomic(declared.op, &format!("&{tally}[{index}]"), value);
    }

    fn atomic(&mut self, op: AtomicOp, address: &str, value: &Expr) {
        let name = op.name();
        match op {
            AtomicOp::Inc | AtomicOp::Dec => self.line(format!("{name}({address});")),
            AtomicOp::Add
            | AtomicOp::Sub
            | AtomicOp::Min
            | AtomicOp::Max
            | AtomicOp::And
            | AtomicOp::Or
            | AtomicOp::Xor => {
                let value = self.expr(value);
                self.line(format!("{name}({address}, {value});"));
            }
        }
    }

    fn emit(&mut self, element: Type, slot: u32, value: &Expr) {
        let own = self.own(element, slot);
        let text = self.settled_text(value);
        if value.ty == element {
            self.line(format!("out_{element}[{own}] = {text};"));
        } else {
            self.line(format!(
                "vstore{}({text}, 0, out_{element} + {own});",
                value.ty.lanes
            ));
        }
    }

    fn control(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::If {
                condition,
                then,
                otherwise,
            } => {
                let condition = self.expr(condition);
                self.braces(&format!("if ({condition})"), then);
                if !otherwise.is_empty() {
                    self.braces("else", otherwise);
                }
            }
            Stmt::For {
                counter,
                order,
                bound,
                limit,
                body,
            } => {
                let bound = format!("({} & {})", self.expr(bound), limit - 1);
                let head = match order {
                    Order::Up => {
                        format!("for (uint {counter} = 0; {counter} < {bound}; ++{counter})")
                    }
                    Order::UpByTwo => {
                        format!("for (uint {counter} = 1; {counter} <= {bound}; {counter} += 2)")
                    }
                    Order::Down => {
                        format!("for (uint {counter} = {bound}; {counter} > 0; --{counter})")
                    }
                };
                self.braces(&head, body);
            }
            Stmt::While {
                fuel,
                limit,
                test,
                condition,
                body,
            } => {
                self.line(format!("int {fuel} = {limit};"));
                let condition = format!("{fuel}-- > 0 && {}", self.expr(condition));
                match test {
                    Test::Before => self.braces(&format!("while ({condition})"), body),
                    Test::After => {
                        self.line("do {");
                        self.block(body);
                        self.line(format!("}} while ({condition});"));
                    }
                }
            }
            Stmt::Switch { on, arms, default } => self.switch(on, arms, default),
            other => unreachable!("not control flow: {other:?}"),
        }
    }

    fn switch(&mut self, on: &Expr, arms: &[Arm], default: &Block) {
        let on = self.expr(on);
        self.line(format!("switch ({on} & 7) {{"));
        for arm in arms {
            let labels: Vec<String> = arm
                .labels
                .iter()
                .map(|label| format!("case {label}:"))
                .collect();
            self.braces(&labels.join(" "), &arm.body);
            match arm.end {
                ArmEnd::Break => self.line("  break;"),
                ArmEnd::FallThrough => self.line("  // falls through"),
            }
        }
        self.braces("default:", default);
        self.line("  break;");
        self.line("}");
    }

    fn phase(&mut self, stmt: &Stmt) {
        const BARRIER: &str = "barrier(CLK_LOCAL_MEM_FENCE);";
        let last = self.module.group_items() - 1;
        let body = match stmt {
            Stmt::Exchange {
                array,
                slot,
                value,
                body,
            } => {
                let value = self.expr(value);
                match slot {
                    Slot::Own => self.line(format!("{array}[lid] = {value};")),
                    Slot::Mirrored => self.line(format!("{array}[{last} - lid] = {value};")),
                }
                body
            }
            Stmt::LocalTally {
                array,
                op,
                start,
                index,
                value,
                body,
            } => {
                let start = self.expr(start);
                self.line(format!("{array}[lid] = {start};"));
                self.line(BARRIER);
                let index = self.index(index, last + 1);
                self.atomic(*op, &format!("&{array}[{index}]"), value);
                body
            }
            other => unreachable!("not a phase: {other:?}"),
        };
        self.line(BARRIER);
        self.line("{");
        self.block(body);
        self.line("}");
        self.line(BARRIER);
    }
}
