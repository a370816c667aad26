//! Global variables as memory objects: local variables and constant tables.

use sluice_kernel::ir::{self, CastOp, MemoryAttributes, Object, ObjectData, ObjectKind};

use super::body::Reader;
use super::llvm::{Module, Shape, Value, ValueKind};
use super::metadata::{Node, global_location};
use super::refusal::{Code, Refusal};
use super::{Result, names, types};
use crate::memory_choices::{BANK_BYTES, BANKS};

impl<'m> Reader<'m> {
    /// The object of a local variable or constant table.
    pub fn global_object(&mut self, global: Value<'m>) -> Result<Object> {
        if let Some(&object) = self.globals.get(&global) {
            return Ok(object);
        }
        let data = self
            .describe(global)
            .map_err(|refusal| refusal.at(global_location(global)))?;
        let object = self.b.kernel.objects.push(data);
        self.globals.insert(global, object);
        Ok(object)
    }

    /// The local memory with a slot of `bytes` bytes for each work-item.
    pub fn per_item_object(&mut self, bytes: u64) -> Object {
        let kernel = &mut self.b.kernel;
        *self.per_item.entry(bytes).or_insert_with(|| {
            let kind = match kernel.work_group_size.required {
                Some(sizes) => ObjectKind::Local {
                    size: sizes.iter().map(|&size| u64::from(size)).product::<u64>() * bytes,
                },
                None => ObjectKind::LocalPerItem { bytes },
            };
            kernel.objects.push(ObjectData {
                name: format!("work_group_{}", 8 * bytes),
                kind,
                align: bytes as u32,
                attributes: MemoryAttributes::default(),
            })
        })
    }

    /// The address of a global variable, in the space that LLVM sees it in.
    pub fn global_address(&mut self, global: Value<'m>) -> Result<ir::Value> {
        let address = match self.variables.offset_of(global) {
            Some(offset) => {
                let object = self.variables_object();
                let first = self.b.address(object);
                self.b.offset_constant(first, offset as i64)
            }
            None => {
                let object = self.global_object(global)?;
                self.b.address(object)
            }
        };
        let wanted = types::scalar(global.ty())?;
        Ok(self.b.cast(CastOp::SpaceCast, address, wanted))
    }

    fn describe(&self, global: Value<'m>) -> Result<ObjectData> {
        let module = self.module;
        let name = names::of_global(&global.name());
        let ty = global.global_type();
        let shape = global.ty().shape();
        let kind = if shape == Shape::Pointer(3) {
            let size = module.size(ty);
            ObjectKind::Local { size }
        } else if shape == Shape::Pointer(2) {
            let mut bytes = table(module, global, &name)?;
            let initializer = global.initializer().expect("it has bytes");
            for entry in self.entries_of(initializer) {
                let code = self.code_of(entry).ok_or_else(|| holds_addresses(&name))?;
                let at = entry.offset as usize;
                bytes[at..at + 8].copy_from_slice(&code.to_le_bytes());
            }
            ObjectKind::Table { bytes }
        } else {
            return Err(Refusal::new(
                Code::ProgramScopeVariable,
                format!(
                    "the program-scope variable `{name}` is in no memory that outlives a work-item"
                ),
            )
            .help("declare the variable `global` or `constant`"));
        };
        let align = global.alignment().max(module.align(ty));
        let number = |name| {
            let number = Node::of_function(global, name)?.as_int()?;
            u32::try_from(number).ok()
        };
        Ok(ObjectData {
            name,
            kind,
            align,
            attributes: MemoryAttributes {
                banks: number(BANKS),
                bank_bytes: number(BANK_BYTES),
                location: None,
            },
        })
    }
}

fn holds_addresses(name: &str) -> Refusal {
    Refusal::new(
        Code::PointerInTable,
        format!("the constant table `{name}` holds addresses of what is not constant"),
    )
    .help("store indices instead of pointers")
}

/// The largest table: more than the block RAM of any FPGA, and little for a buffer.
const MAX_BYTES: u64 = 16 << 20;

/// The bytes of a constant global variable, with zeros for addresses.
pub fn table<'m>(module: Module<'m>, global: Value<'m>, name: &str) -> Result<Vec<u8>> {
    let Some(initializer) = global.initializer() else {
        return Err(Refusal::new(
            Code::UnknownFunction,
            format!("the variable `{name}` is declared, but nothing defines it"),
        ));
    };
    let size = module.size(global.global_type());
    if size > MAX_BYTES {
        return Err(Refusal::new(
            Code::TooLarge,
            format!("the constant table `{name}` has {size} bytes; at most {MAX_BYTES} are taken"),
        )
        .help("pass the data as a buffer"));
    }
    let mut bytes = vec![0; size as usize];
    let mut contents = Contents {
        module,
        bytes: &mut bytes,
        addresses: Vec::new(),
    };
    contents
        .fill(0, initializer)
        .map_err(|_| types::unsupported(initializer.ty()))?;
    // Addresses of constants are filled in by the reader, which numbers their targets.
    let is_constant = |value: &Value<'m>| value.ty().shape() == Shape::Pointer(2);
    match contents
        .addresses
        .iter()
        .all(|(_, value)| is_constant(value))
    {
        true => {}
        false => return Err(holds_addresses(name)),
    }
    Ok(bytes)
}

/// A constant of a type without a byte representation.
pub struct NoBytes;

/// What a constant writes to memory, which is zero.
pub struct Contents<'m, 'b> {
    pub module: Module<'m>,
    pub bytes: &'b mut [u8],
    /// The addresses, and where they are: they have no bytes yet.
    pub addresses: Vec<(usize, Value<'m>)>,
}

impl<'m> Contents<'m, '_> {
    /// Writes a constant to `start`.
    pub fn fill(&mut self, start: usize, value: Value<'m>) -> std::result::Result<(), NoBytes> {
        let module = self.module;
        let kind = value.kind();
        if matches!(kind, ValueKind::Undefined | ValueKind::Null) {
            return Ok(());
        }
        match value.ty().shape() {
            Shape::Struct(fields) => {
                for at in 0..fields.len() as u32 {
                    let offset = module.field_offset(value.ty(), at) as usize;
                    self.fill(start + offset, value.element(at))?;
                }
            }
            Shape::Array(element, count) => {
                let size = module.size(element) as usize;
                for at in 0..count as usize {
                    self.fill(start + at * size, value.element(at as u32))?;
                }
            }
            Shape::Vector(element, count) => {
                let bits = module.bits(element) as usize;
                if !bits.is_multiple_of(8) {
                    return Err(NoBytes);
                }
                for at in 0..count as usize {
                    let offset = at * bits / 8;
                    self.fill(start + offset, value.element(at as u32))?;
                }
            }
            Shape::Int(1..=64) | Shape::Half | Shape::Float | Shape::Double => {
                let bits = if kind == ValueKind::Int {
                    value.int_bits()
                } else if kind == ValueKind::Real {
                    let bits = module.bits(value.ty()) as u32;
                    value.as_integer_constant(bits).int_bits()
                } else {
                    self.addresses.push((start, value));
                    return Ok(());
                };
                let size = module.store_size(value.ty()) as usize;
                self.bytes[start..start + size].copy_from_slice(&bits.to_le_bytes()[..size]);
            }
            Shape::Pointer(_) => self.addresses.push((start, value)),
            Shape::Int(_) | Shape::Void | Shape::Opaque(_) | Shape::Other => {
                return Err(NoBytes);
            }
        }
        Ok(())
    }
}
