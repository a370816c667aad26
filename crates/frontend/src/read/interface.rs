//! The kernel's interface: parameters and work-group size attributes.

use sluice_kernel::ir::{
    Element, MemoryAttributes, Object, ObjectData, ObjectKind, Param, ParamKind, Qualifiers,
    Scalar, Space, WorkGroupSize,
};
use sluice_kernel::lanes::CHOICES;

use super::body::{Reader, one};
use super::llvm::{Shape, Type, Value};
use super::metadata::Node;
use super::parameters::{element_of_value, pointee};
use super::refusal::{Code, Refusal};
use super::{Lanes, Result, names, types};
use crate::memory_choices::{BANK_BYTES, BANKS, LOCATION};

/// What the metadata says about one parameter.
struct Description {
    name: String,
    type_name: String,
    base_type: String,
    qualifiers: Qualifiers,
    /// Size of what a pointer points to, from the debug information.
    pointee_size: u64,
}

impl<'m> Reader<'m> {
    /// Reads everything about the kernel but its body.
    pub fn read_interface(&mut self) -> Result<()> {
        self.b.kernel.work_group_size = WorkGroupSize {
            required: size_attribute(self.function, "reqd_work_group_size"),
            hint: size_attribute(self.function, "work_group_size_hint"),
        };
        self.b.kernel.lanes = lanes(self.function, self.b.kernel.work_group_size.required)?;
        self.b.kernel.vec_type_hint = vector_hint(self.function);
        let descriptions = self.descriptions();
        for (at, param) in self.function.params().into_iter().enumerate() {
            self.read_param(at as u32, param, &descriptions[at])?;
        }
        Ok(())
    }

    fn descriptions(&self) -> Vec<Description> {
        let strings = |kind| -> Vec<String> {
            Node::of_function(self.function, kind)
                .map_or(Vec::new(), Node::operands)
                .into_iter()
                .map(|node| node.and_then(Node::as_string).unwrap_or_default())
                .collect()
        };
        let (names, type_names) = (strings("kernel_arg_name"), strings("kernel_arg_type"));
        let (base_types, qualifiers) = (
            strings("kernel_arg_base_type"),
            strings("kernel_arg_type_qual"),
        );
        let debug_types = Node::subprogram(self.function).map_or(Vec::new(), Node::parameter_types);
        let describe = |(at, param): (usize, Value<'m>)| {
            let text = |list: &[String]| list.get(at).cloned().unwrap_or_default();
            let pointee = debug_types.get(at).copied().flatten().and_then(pointee_of);
            Description {
                name: match names.get(at) {
                    Some(name) => name.clone(),
                    None => names::of_variable(&param.name()),
                },
                type_name: text(&type_names),
                base_type: text(&base_types),
                qualifiers: qualifiers_of(&text(&qualifiers)),
                pointee_size: pointee.and_then(Node::debug_size).unwrap_or(0),
            }
        };
        let params = self.function.params().into_iter();
        params.enumerate().map(describe).collect()
    }

    fn read_param(&mut self, at: u32, param: Value<'m>, description: &Description) -> Result<()> {
        let (kind, lanes) = match param.ty().shape() {
            Shape::Pointer(number) => match self.function.by_value_type(at) {
                Some(ty) => self.struct_param(at, ty, description),
                None => self.pointer_param(at, types::space(number)?, description)?,
            },
            Shape::Opaque(_) => {
                return Err(Refusal::new(
                    Code::UnsupportedType,
                    format!(
                        "the parameter `{}` is of the opaque type `{}`",
                        description.name, description.type_name
                    ),
                )
                .help("kernels take scalars, vectors, structures and buffers"));
            }
            Shape::Void
            | Shape::Int(_)
            | Shape::Half
            | Shape::Float
            | Shape::Double
            | Shape::Vector(..)
            | Shape::Array(..)
            | Shape::Struct(_)
            | Shape::Other => self.value_param(at, param, description)?,
        };
        self.values.insert(param, lanes);
        self.b.kernel.params.push(Param {
            name: description.name.clone(),
            type_name: description.type_name.clone(),
            qualifiers: description.qualifiers,
            kind,
        });
        Ok(())
    }

    fn value_param(
        &mut self,
        at: u32,
        param: Value<'m>,
        description: &Description,
    ) -> Result<(ParamKind, Lanes)> {
        let types = types::lanes(param.ty())?;
        let element = element_of_value(&types, &description.base_type)
            .ok_or_else(|| types::unsupported(param.ty()))?;
        let lanes = types.iter().enumerate();
        let lanes: Lanes = lanes
            .map(|(lane, &ty)| self.b.argument(at, lane as u8, ty))
            .collect();
        for (lane, &value) in lanes.iter().enumerate() {
            let name = match lanes.len() {
                1 => description.name.clone(),
                _ => format!("{}_{lane}", description.name),
            };
            self.b.kernel.set_value_name(value, &name);
        }
        Ok((ParamKind::Value(element), lanes))
    }

    fn struct_param(
        &mut self,
        param: u32,
        ty: Type<'m>,
        description: &Description,
    ) -> (ParamKind, Lanes) {
        let size = self.module.size(ty);
        let align = self.function.param_align(param);
        let object = self.b.kernel.objects.push(ObjectData {
            name: description.name.clone(),
            kind: ObjectKind::StructArg { param, size },
            align: align.unwrap_or_else(|| self.module.align(ty)),
            attributes: MemoryAttributes::default(),
        });
        let lanes = self.object_lanes(object, description);
        (ParamKind::Struct { object }, lanes)
    }

    fn pointer_param(
        &mut self,
        param: u32,
        space: Space,
        description: &Description,
    ) -> Result<(ParamKind, Lanes)> {
        let kind = match space {
            Space::Global | Space::Constant => ObjectKind::Buffer { param, space },
            Space::Local => ObjectKind::LocalArg { param },
            Space::Private | Space::Generic => {
                return Err(Refusal::new(
                    Code::UnsupportedType,
                    format!(
                        "the kernel parameter `{}` points to {space} memory",
                        description.name
                    ),
                ));
            }
        };
        let pointee = pointee(&description.base_type, description.pointee_size);
        let object = self.b.kernel.objects.push(ObjectData {
            name: description.name.clone(),
            kind,
            align: self.function.param_align(param).unwrap_or(1),
            attributes: self.attributes(param),
        });
        let lanes = self.object_lanes(object, description);
        let kind = match space {
            Space::Local => ParamKind::Local { object, pointee },
            Space::Global | Space::Constant | Space::Private | Space::Generic => {
                ParamKind::Buffer { object, pointee }
            }
        };
        Ok((kind, lanes))
    }

    /// What the source asks for what a parameter points to.
    fn attributes(&self, param: u32) -> MemoryAttributes {
        let text = |name| self.function.param_text(param, name);
        let number = |name| text(name).and_then(|text| text.parse().ok());
        MemoryAttributes {
            banks: number(BANKS),
            bank_bytes: number(BANK_BYTES),
            location: text(LOCATION),
        }
    }

    fn object_lanes(&mut self, object: Object, description: &Description) -> Lanes {
        let address = self.b.address(object);
        self.b.kernel.set_value_name(address, &description.name);
        one(address)
    }
}

/// What the debug type of a pointer parameter points to, typedefs of the pointer looked through.
fn pointee_of(ty: Node<'_>) -> Option<Node<'_>> {
    match ty.is_pointer_type() {
        true => ty.base_type(),
        false => pointee_of(ty.base_type()?),
    }
}

fn qualifiers_of(text: &str) -> Qualifiers {
    let has = |word| text.split_whitespace().any(|qualifier| qualifier == word);
    Qualifiers {
        is_const: has("const"),
        is_restrict: has("restrict"),
        is_volatile: has("volatile"),
    }
}

/// The type that `vec_type_hint` names: metadata has a value of it, and whether it is signed.
fn vector_hint(function: Value<'_>) -> Option<Element> {
    let hint = Node::of_function(function, "vec_type_hint")?;
    let lanes = types::lanes(hint.operand(0)?.as_value()?.ty()).ok()?;
    let element = element_of_value(&lanes, "")?;
    let is_signed = hint.operand(1)?.as_int()? != 0;
    Some(match element.scalar {
        Scalar::Signed(bits) if !is_signed => Element {
            scalar: Scalar::Unsigned(bits),
            ..element
        },
        Scalar::Signed(_) | Scalar::Unsigned(_) | Scalar::Half | Scalar::Float | Scalar::Double => {
            element
        }
    })
}

/// What `num_simd_work_items` says, which clang has as a sub-group size beyond all others.
fn lanes(function: Value<'_>, required: Option<[u32; 3]>) -> Result<Option<u32>> {
    let node = Node::of_function(function, "intel_reqd_sub_group_size");
    // LLVM gives the number itself where it is all that a node has.
    let number = node.and_then(|node| node.as_int());
    let Some(lanes) = number.and_then(|it| u32::try_from(it).ok()?.checked_sub(SIMD)) else {
        return Ok(None);
    };
    let refusal = |message: String| Err(Refusal::new(Code::Lanes, message).help(LANES_HELP));
    match required {
        _ if !CHOICES.contains(&lanes) => refusal(format!("num_simd_work_items cannot be {lanes}")),
        None => refusal("num_simd_work_items needs reqd_work_group_size".into()),
        Some([x, ..]) if !x.is_multiple_of(lanes) => refusal(format!(
            "num_simd_work_items({lanes}) does not divide the {x} of reqd_work_group_size"
        )),
        Some(_) => Ok(Some(lanes)),
    }
}

/// What the macro for `num_simd_work_items` adds.
const SIMD: u32 = 65536;

const LANES_HELP: &str =
    "1, 2, 4, 8 or 16 work-items, which divide the first size of reqd_work_group_size";

fn size_attribute(function: Value<'_>, kind: &str) -> Option<[u32; 3]> {
    let sizes = Node::of_function(function, kind)?.operands();
    let size = |at: usize| u32::try_from(sizes.get(at)?.as_ref()?.as_int()?).ok();
    Some([size(0)?, size(1)?, size(2)?])
}
