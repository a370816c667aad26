//! Parameters and objects: V22 to V24, and V27.

use super::{Check, Verifier, ensure};
use crate::ir::{
    Element, Kernel, Object, ObjectData, ObjectKind, Param, ParamKind, Pointee, Scalar, Space,
};

impl Verifier<'_> {
    /// V22 to V24, and V27.
    pub fn check_interface(&mut self) {
        let kernel = self.kernel;
        for (at, param) in kernel.params.iter().enumerate() {
            self.in_interface(check_element(param));
            self.in_interface(check_param(kernel, at as u32, param));
        }
        self.in_interface(check_variables(kernel));
        for (object, data) in &kernel.objects {
            self.in_interface(check_object(kernel, object, data));
            self.in_interface(check_object_align(object, data));
        }
    }
}

fn check_element(param: &Param) -> Check {
    let element = match param.kind {
        ParamKind::Value(element) => element,
        ParamKind::Buffer { pointee, .. } | ParamKind::Local { pointee, .. } => match pointee {
            Pointee::Element(element) => element,
            Pointee::Opaque(_) => return Ok(()),
        },
        ParamKind::Struct { .. } | ParamKind::Variables { .. } => return Ok(()),
    };
    ensure!(
        22,
        is_opencl_type(element),
        "parameter {:?} has the type {element}",
        param.name
    );
    Ok(())
}

fn is_opencl_type(element: Element) -> bool {
    let is_scalar = match element.scalar {
        Scalar::Signed(bits) | Scalar::Unsigned(bits) => matches!(bits, 8 | 16 | 32 | 64),
        Scalar::Half | Scalar::Float | Scalar::Double => true,
    };
    is_scalar && matches!(element.lanes, 1 | 2 | 3 | 4 | 8 | 16)
}

/// The object that stands for a parameter.
fn object_of(param: &Param) -> Option<Object> {
    match param.kind {
        ParamKind::Value(_) => None,
        ParamKind::Buffer { object, .. }
        | ParamKind::Local { object, .. }
        | ParamKind::Variables { object }
        | ParamKind::Struct { object } => Some(object),
    }
}

/// The parameter that an object stands for.
fn param_of(data: &ObjectData) -> Option<u32> {
    match data.kind {
        ObjectKind::Buffer { param, .. }
        | ObjectKind::LocalArg { param }
        | ObjectKind::StructArg { param, .. } => Some(param),
        ObjectKind::Local { .. }
        | ObjectKind::LocalPerItem { .. }
        | ObjectKind::Private { .. }
        | ObjectKind::Table { .. } => None,
    }
}

fn check_param(kernel: &Kernel, at: u32, param: &Param) -> Check {
    let Some(object) = object_of(param) else {
        return Ok(());
    };
    let name = &param.name;
    let Some(data) = kernel.objects.get(object) else {
        ensure!(
            23,
            false,
            "parameter {name:?} names {object}, which does not exist"
        );
        return Ok(());
    };
    let is_of_kind = match param.kind {
        ParamKind::Value(_) => false,
        ParamKind::Buffer { .. } => matches!(data.kind, ObjectKind::Buffer { .. }),
        ParamKind::Local { .. } => matches!(data.kind, ObjectKind::LocalArg { .. }),
        ParamKind::Struct { .. } => matches!(data.kind, ObjectKind::StructArg { .. }),
        ParamKind::Variables { .. } => matches!(
            data.kind,
            ObjectKind::Buffer {
                space: Space::Global,
                ..
            }
        ),
    };
    ensure!(
        23,
        is_of_kind,
        "parameter {name:?} names {object}, which is of another kind"
    );
    ensure!(
        23,
        param_of(data) == Some(at),
        "parameter {name:?} names {object}, which does not name it"
    );
    Ok(())
}

fn check_object(kernel: &Kernel, object: Object, data: &ObjectData) -> Check {
    if let Some(param) = param_of(data) {
        let named = kernel.params.get(param as usize).and_then(object_of);
        ensure!(
            23,
            named == Some(object),
            "{object} stands for parameter {param}, which does not name it"
        );
    }
    if let ObjectKind::Buffer { space, .. } = data.kind {
        ensure!(
            23,
            matches!(space, Space::Global | Space::Constant),
            "{object} is a buffer in {space} memory"
        );
    }
    Ok(())
}

fn check_variables(kernel: &Kernel) -> Check {
    let is_variables = |param: &Param| matches!(param.kind, ParamKind::Variables { .. });
    let params = kernel.params.iter().filter(|param| is_variables(param));
    let Some(variables) = &kernel.variables else {
        ensure!(27, params.count() == 0, "there are no variables");
        return Ok(());
    };
    let is_value = |param: &Param| matches!(param.kind, ParamKind::Value(_));
    let mut behind = kernel
        .params
        .iter()
        .skip_while(|param| !is_variables(param));
    ensure!(
        27,
        params.count() == 1 && behind.by_ref().skip(1).all(is_value),
        "one parameter stands for the variables, with nothing but values behind it"
    );
    let size = variables.size;
    ensure!(
        27,
        variables.bytes.len() as u64 <= size,
        "{} bytes of contents for variables of {size}",
        variables.bytes.len()
    );
    for pointer in &variables.pointers {
        let end = pointer.at.checked_add(8);
        ensure!(
            27,
            end.is_some_and(|end| end <= size) && pointer.target.unwrap_or(0) <= size,
            "the pointer at {} or its target is not within variables of {size} bytes",
            pointer.at
        );
    }
    Ok(())
}

fn check_object_align(object: Object, data: &ObjectData) -> Check {
    let align = data.align;
    ensure!(
        24,
        align.is_power_of_two(),
        "{object} has the alignment {align}"
    );
    Ok(())
}
