//! The program's variables in global memory: one object for all of them.

use std::collections::HashMap;

use sluice_kernel::ir::{
    MemoryAttributes, Object, ObjectData, ObjectKind, Param, ParamKind, Qualifiers, Space,
    VariablePointer, Variables,
};

use super::body::Reader;
use super::llvm::{Module, Opcode, Shape, Type, Value, ValueKind};
use super::memory::constant_offset;
use super::metadata::global_location;
use super::objects::Contents;
use super::refusal::{Code, Refusal};
use super::{Result, names, types};

/// The name of the object and of the parameter of the variables.
const NAME: &str = "program_variables";

/// The maximum size of all variables together.
const MAX_BYTES: u64 = 1 << 26;

/// The offset of each variable, and the initial contents.
pub struct ProgramVariables<'m> {
    offsets: HashMap<Value<'m>, u64>,
    variables: Variables,
    align: u32,
}

impl<'m> ProgramVariables<'m> {
    /// Lays out the variables of a module, in its order.
    pub fn of(module: Module<'m>) -> Result<ProgramVariables<'m>> {
        let mut all = ProgramVariables {
            offsets: HashMap::new(),
            variables: Variables::default(),
            align: 1,
        };
        let is_global = |global: &Value<'m>| global.ty().shape() == Shape::Pointer(1);
        let globals: Vec<Value<'m>> = module.globals().filter(is_global).collect();
        for &global in &globals {
            all.allocate(module, global)
                .map_err(|refusal| refusal.at(global_location(global)))?;
        }
        all.variables.bytes = vec![0; all.variables.size as usize];
        for &global in &globals {
            all.fill(module, global)
                .map_err(|refusal| refusal.at(global_location(global)))?;
        }
        let used = all.variables.bytes.iter().rposition(|&byte| byte != 0);
        all.variables
            .bytes
            .truncate(used.map_or(0, |last| last + 1));
        Ok(all)
    }

    /// The offset of a variable.
    pub fn offset_of(&self, global: Value<'m>) -> Option<u64> {
        self.offsets.get(&global).copied()
    }

    fn allocate(&mut self, module: Module<'m>, global: Value<'m>) -> Result<()> {
        let ty = global.global_type();
        let align = global.alignment().max(module.align(ty));
        let offset = self.variables.size.next_multiple_of(align.into());
        let end = offset.saturating_add(module.size(ty));
        if end > MAX_BYTES {
            return Err(Refusal::new(
                Code::ProgramScopeVariable,
                format!("the variables at program scope take more than {MAX_BYTES} bytes"),
            )
            .help("pass large arrays as buffers"));
        }
        self.offsets.insert(global, offset);
        self.variables.size = end;
        self.align = self.align.max(align);
        Ok(())
    }

    fn fill(&mut self, module: Module<'m>, global: Value<'m>) -> Result<()> {
        let name = names::of_global(&global.name());
        let Some(initializer) = global.initializer() else {
            return Err(Refusal::new(
                Code::UnknownFunction,
                format!("the variable `{name}` is declared, but nothing defines it"),
            ));
        };
        let mut contents = Contents {
            module,
            bytes: &mut self.variables.bytes,
            addresses: Vec::new(),
        };
        contents
            .fill(self.offsets[&global] as usize, initializer)
            .map_err(|_| types::unsupported(initializer.ty()))?;
        let addresses = contents.addresses;
        let mut pointers = Vec::new();
        find_pointers(
            module,
            global.global_type(),
            self.offsets[&global],
            &mut pointers,
        );
        for (at, value) in addresses {
            let target = self.target(module, value).ok_or_else(|| {
                Refusal::new(
                    Code::ProgramScopeVariable,
                    format!("`{name}` points to something other than a variable in global memory"),
                )
                .help("let a kernel set the pointer")
            })?;
            let at = at as u64;
            pointers.retain(|&pointer| pointer != at);
            let target = Some(target);
            self.variables.pointers.push(VariablePointer { at, target });
        }
        let plain = pointers.into_iter();
        let plain = plain.map(|at| VariablePointer { at, target: None });
        self.variables.pointers.extend(plain);
        Ok(())
    }

    /// The offset that a constant address points to among the variables.
    fn target(&self, module: Module<'m>, address: Value<'m>) -> Option<u64> {
        if address.kind() == ValueKind::GlobalVariable {
            return self.offset_of(address);
        }
        match address.opcode()? {
            Opcode::LLVMAddrSpaceCast
            | Opcode::LLVMBitCast
            | Opcode::LLVMPtrToInt
            | Opcode::LLVMIntToPtr => self.target(module, address.operand(0)),
            Opcode::LLVMGetElementPtr => {
                let base = self.target(module, address.operand(0))?;
                let offset = constant_offset(module, address)?;
                let target = base.checked_add_signed(offset)?;
                (target <= self.variables.size).then_some(target)
            }
            _ => None,
        }
    }
}

/// Where the pointers are in a variable that begins at `start`.
fn find_pointers<'m>(module: Module<'m>, ty: Type<'m>, start: u64, found: &mut Vec<u64>) {
    match ty.shape() {
        Shape::Pointer(_) => found.push(start),
        Shape::Struct(fields) => {
            for (at, &field) in (0..).zip(&fields) {
                let offset = module.field_offset(ty, at);
                find_pointers(module, field, start + offset, found);
            }
        }
        Shape::Array(element, count) => {
            let before = found.len();
            find_pointers(module, element, start, found);
            let first: Vec<u64> = found.split_off(before);
            let size = module.size(element);
            if !first.is_empty() {
                let each = |at| first.iter().map(move |it| it + at * size);
                found.extend((0..count).flat_map(each));
            }
        }
        Shape::Void
        | Shape::Int(_)
        | Shape::Half
        | Shape::Float
        | Shape::Double
        | Shape::Vector(..)
        | Shape::Opaque(_)
        | Shape::Other => {}
    }
}

impl<'m> Reader<'m> {
    /// The object of the program's variables.
    pub fn variables_object(&mut self) -> Object {
        let kernel = &mut self.b.kernel;
        // The parameters that the host passes are read by now.
        let param = kernel.params.len() as u32;
        let align = self.variables.align;
        *self.variables_object.get_or_insert_with(|| {
            kernel.objects.push(ObjectData {
                name: unique_name(&kernel.params),
                kind: ObjectKind::Buffer {
                    param,
                    space: Space::Global,
                },
                align,
                attributes: MemoryAttributes::default(),
            })
        })
    }

    /// Makes the program's variables the last parameter, if the kernel uses them.
    pub fn add_variables_param(&mut self) {
        let Some(object) = self.variables_object else {
            return;
        };
        let kernel = &mut self.b.kernel;
        kernel.params.push(Param {
            name: unique_name(&kernel.params),
            type_name: String::new(),
            qualifiers: Qualifiers::default(),
            kind: ParamKind::Variables { object },
        });
        kernel.variables = Some(self.variables.variables.clone());
    }
}

/// A name that no parameter of the source has.
fn unique_name(params: &[Param]) -> String {
    let mut name = NAME.to_owned();
    while params.iter().any(|param| param.name == name) {
        name.push('1');
    }
    name
}
