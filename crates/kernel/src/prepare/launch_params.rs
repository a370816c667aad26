//! What is known at launch like a scalar argument, and is none: what is read at a fixed place in a
//! struct passed by value, and the sizes of what the host sizes.

use std::collections::BTreeMap;

use super::LaunchValue;
use crate::ir::{
    CastOp, Element, Inst, InstData, Kernel, Object, ObjectKind, Param, ParamKind, Qualifiers,
    Scalar, Type, Value,
};
use crate::launch::{Argument, Launch, NdRange};

/// Parameters that stand for such values, behind those that the kernel had.
#[derive(Debug)]
pub(crate) struct LaunchParams {
    first: u32,
    values: Vec<LaunchValue>,
}

impl LaunchParams {
    /// None yet, behind the parameters of the kernel.
    pub(crate) fn of(kernel: &Kernel) -> LaunchParams {
        LaunchParams {
            first: kernel.params.len() as u32,
            values: Vec::new(),
        }
    }

    /// Makes loads at fixed places in structs read parameters.
    pub(crate) fn take_fields(&mut self, kernel: &mut Kernel) {
        let mut instead: BTreeMap<Value, Value> = BTreeMap::new();
        for block in kernel.layout().to_vec() {
            let insts = std::mem::take(&mut kernel.block_mut(block).insts);
            let mut kept = Vec::with_capacity(insts.len());
            for inst in insts {
                match self.of_load(kernel, inst) {
                    None => kept.push(inst),
                    Some(params) => {
                        for (result, param) in kernel.results(inst).to_vec().into_iter().zip(params)
                        {
                            let read = argument(kernel, inst, param, kernel.ty(result));
                            let last = *read.last().expect("at least the argument");
                            instead.insert(result, kernel.result(last));
                            kept.extend(read);
                        }
                    }
                }
            }
            kernel.block_mut(block).insts = kept;
        }
        if !instead.is_empty() {
            kernel.map_operands(|value| instead.get(&value).copied().unwrap_or(value));
        }
    }

    /// What a constant holds, in terms of the parameters that the host sees.
    pub(crate) fn named(&self, value: LaunchValue) -> LaunchValue {
        match value {
            LaunchValue::Argument { param, .. } if param >= self.first => {
                self.values[(param - self.first) as usize]
            }
            other => other,
        }
    }

    /// A launch of the kernel with a value for each of the parameters that were added; the host is given one of the index
    /// space `given`. What only circuits have is 0.
    pub(crate) fn launch(&self, kernel: &Kernel, launch: &Launch, given: &NdRange) -> Launch {
        let added = self.values.iter().map(|value| {
            let bits = value.of_launch(kernel, launch, given).unwrap_or(0);
            Argument::Value([bits].into_iter().collect())
        });
        Launch {
            range: launch.range,
            args: launch.args.iter().cloned().chain(added).collect(),
        }
    }

    /// The parameters for the lanes of a load, if it reads a struct at a fixed place.
    fn of_load(&mut self, kernel: &mut Kernel, inst: Inst) -> Option<Vec<u32>> {
        let InstData::Load {
            ptr,
            access,
            objects,
            guard: None,
        } = kernel.inst(inst)
        else {
            return None;
        };
        let (object, offset) = place(kernel, *ptr)?;
        let ObjectKind::StructArg { param, size } = kernel.objects[object].kind else {
            return None;
        };
        let end = offset.checked_add(access.bytes().into())?;
        if objects.single() != Some(object) || end > size {
            return None;
        }
        let (ty, bytes) = (access.ty, u64::from(access.lane_bytes()));
        let lanes = (0..u64::from(access.lanes)).map(|lane| LaunchValue::Field {
            param,
            offset: (offset + lane * bytes) as u32,
            bits: ty.bits() as u8,
        });
        Some(lanes.map(|field| self.param(kernel, field, ty)).collect())
    }

    /// The parameter for a value, made with this type if it is new.
    pub(crate) fn param(&mut self, kernel: &mut Kernel, value: LaunchValue, ty: Type) -> u32 {
        let known = self.values.iter().position(|&known| known == value);
        let at = known.unwrap_or_else(|| {
            kernel.params.push(Param {
                name: value.name(kernel),
                type_name: ty.to_string(),
                qualifiers: Qualifiers::default(),
                kind: ParamKind::Value(Element {
                    scalar: match ty {
                        Type::F16 => Scalar::Half,
                        Type::F32 => Scalar::Float,
                        Type::F64 => Scalar::Double,
                        Type::Int(_) | Type::Ptr(_) => Scalar::Unsigned(ty.bits() as u8),
                    },
                    lanes: 1,
                }),
            });
            self.values.push(value);
            self.values.len() - 1
        });
        self.first + at as u32
    }
}

/// Instructions that read a parameter, the last one as a value of this type: a field may be read as
/// several types of one width.
fn argument(kernel: &mut Kernel, load: Inst, param: u32, ty: Type) -> Vec<Inst> {
    let ParamKind::Value(element) = kernel.params[param as usize].kind else {
        unreachable!("fields are values");
    };
    let (loc, own) = (kernel.loc(load), element.scalar.ty());
    let read = kernel.make_inst(InstData::Arg { param, lane: 0 }, &[own], loc);
    if own == ty {
        return vec![read];
    }
    let cast = InstData::Cast {
        op: CastOp::Bitcast,
        arg: kernel.result(read),
    };
    vec![read, kernel.make_inst(cast, &[ty], loc)]
}

/// The object and the place in it that an address always is.
pub(super) fn place(kernel: &Kernel, address: Value) -> Option<(Object, u64)> {
    match kernel.def_inst(address)? {
        InstData::Addr(object) => Some((*object, 0)),
        InstData::PtrAdd { base, offset } => {
            let (object, start) = place(kernel, *base)?;
            let unused = 64 - kernel.ty(*offset).bits();
            let offset = (kernel.constant(*offset)? << unused) as i64 >> unused;
            Some((object, start.checked_add_signed(offset)?))
        }
        _ => None,
    }
}
