//! Every builtin that clang's own header declares, as kernels that call one each.

use std::process::Command;

/// A declaration of the header.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Prototype {
    pub result: String,
    pub name: String,
    pub parameters: Vec<String>,
}

const FLAGS: &[&str] = &[
    "-E",
    "-P",
    "-x",
    "cl",
    "--target=spir64",
    "-U__SPIR__",
    "-cl-no-stdinc",
    "-include",
    "opencl-c.h",
    "-Xclang",
    "-cl-ext=-all,+cl_khr_fp16,+cl_khr_fp64,+cl_khr_int64_base_atomics,+cl_khr_int64_extended_atomics,\
     +cl_khr_global_int32_base_atomics,+cl_khr_global_int32_extended_atomics,\
     +cl_khr_local_int32_base_atomics,+cl_khr_local_int32_extended_atomics,\
     +__opencl_c_fp64,+__opencl_c_int64,+__opencl_c_generic_address_space,\
     +__opencl_c_work_group_collective_functions",
    "-D__opencl_c_atomic_order_acq_rel=1",
    "-D__opencl_c_atomic_order_seq_cst=1",
    "-D__opencl_c_atomic_scope_device=1",
    "-D__opencl_c_work_group_collective_functions=1",
    "/dev/null",
];

/// What OpenCL C 1.2 does not have and the device does not offer.
const NOT_OFFERED: &[&str] = &[
    "image",
    "sampler",
    "pipe",
    "reserve_id",
    "enqueue",
    "ndrange",
    "queue",
    "clk_event",
    "user_event",
    "kernel_clock",
    "sub_group",
    "vec_step",
    "capture_event",
];

/// The builtins of a version of the language (`CL1.2`), without what the device does not offer.
pub fn prototypes(standard: &str) -> Vec<Prototype> {
    let output = Command::new("clang-19")
        .arg(format!("-cl-std={standard}"))
        .args(FLAGS)
        .output()
        .expect("clang-19 is installed (apt install clang-19)");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let text = String::from_utf8(output.stdout).expect("the header is text");
    let found: Vec<Prototype> = text
        .lines()
        .filter(|line| line.contains("__attribute__((overloadable))"))
        .filter(|line| !NOT_OFFERED.iter().any(|word| line.contains(word)))
        .map(parse)
        .collect();
    assert!(
        found.len() > 10_000,
        "the header declares some eleven thousand: {}",
        found.len()
    );
    found
}

fn parse(line: &str) -> Prototype {
    let mut line = line.trim_end_matches(';').to_owned();
    while let Some(start) = line.find("__attribute__((") {
        let end = line[start..].find("))").expect("attributes close") + start + 2;
        line.replace_range(start..end, "");
    }
    let (head, parameters) = line.split_once('(').expect("a function has parameters");
    let (result, name) = head
        .trim()
        .rsplit_once(' ')
        .expect("a function has a result");
    let parameters = parameters.rsplit_once(')').expect("parentheses close").0;
    Prototype {
        result: result.trim().to_owned(),
        name: name.to_owned(),
        parameters: parameters
            .split(',')
            .map(|parameter| parameter.trim().to_owned())
            .filter(|parameter| !parameter.is_empty() && parameter != "void")
            .collect(),
    }
}

/// A program with one kernel per prototype, each calling it with values from memory.
pub fn program(prototypes: &[Prototype]) -> String {
    let mut text = String::from(
        "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n\
         #pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable\n\
         #pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable\n",
    );
    for (index, prototype) in prototypes.iter().enumerate() {
        text.push_str(&kernel(index, prototype));
    }
    text
}

fn kernel(index: usize, prototype: &Prototype) -> String {
    let arguments: Vec<String> = prototype
        .parameters
        .iter()
        .enumerate()
        .map(|(place, parameter)| argument(place, parameter))
        .collect();
    let call = format!("{}({})", prototype.name, arguments.join(", "));
    let statement = match prototype.result.as_str() {
        "void" => format!("{call};"),
        "event_t" => format!("event = {call};"),
        result => format!("*(global {result} *)out = {call};"),
    };
    let event = if statement.contains("event") {
        "event_t event;"
    } else {
        ""
    };
    format!(
        "kernel void call{index}(global long16 *out, global long16 *in, local long16 *shared, constant long16 *table) \
         {{ long16 own[4] = {{in[0], in[1], in[2], in[3]}}; {event} {statement} out[9] = own[0]; }}\n"
    )
}

/// An argument of the parameter's type, each from its own location in memory.
fn argument(index: usize, parameter: &str) -> String {
    // `size_t n` and `memory_order order` have names; types are the first word.
    let Some((pointee, _)) = parameter.rsplit_once('*') else {
        let type_ = parameter
            .split_whitespace()
            .find(|word| *word != "const")
            .expect("a parameter has a type");
        return match type_ {
            "event_t" => "event".to_owned(),
            "memory_order" => "memory_order_seq_cst".to_owned(),
            "memory_scope" => "memory_scope_device".to_owned(),
            "cl_mem_fence_flags" => "CLK_GLOBAL_MEM_FENCE".to_owned(),
            _ => format!("*(global {type_} *)(in + {})", index + 4),
        };
    };
    if pointee.contains("event_t") {
        return "&event".to_owned();
    }
    let memory = if pointee.contains("__global") {
        "out + 1"
    } else if pointee.contains("__local") {
        "shared"
    } else if pointee.contains("__constant") {
        "table"
    } else if pointee.contains("__private") {
        "own"
    } else if pointee.contains("atomic_") {
        // Without a name it is the generic address space.
        "out + 1"
    } else {
        "own"
    };
    format!("({} *)({memory})", pointee.trim())
}
