//! Help for errors of clang that only say what is not accepted.

/// Parts of clang's messages, and the help for them. An error together with the source line under it must contain all
/// the parts.
const ADVICE: &[(&[&str], &str)] = &[
    (
        &["pointers to functions are not allowed"],
        "call functions by their names; choose between several with if or switch",
    ),
    (
        &["taking address of function is not allowed"],
        "call functions by their names; choose between several with if or switch",
    ),
    (
        &["variadic arguments are not allowed"],
        "give the function a fixed list of parameters",
    ),
    (
        &["variable length arrays are not supported"],
        "give the array a constant size, or pass memory of that size as a kernel argument",
    ),
    (
        &["changes address space", "__builtin_alloca"],
        "declare an array of constant size, or pass memory as a kernel argument",
    ),
    (
        &["undeclared identifier 'malloc'"],
        "there is no heap: declare an array of constant size, or pass memory as a kernel argument",
    ),
    (
        &["program scope variable must reside in constant address space"],
        "build with -cl-std=CL3.0, declare the variable `constant`, or pass a buffer as a kernel argument",
    ),
    (
        &["variables in function scope cannot be declared static"],
        "build with -cl-std=CL3.0, or pass a buffer as a kernel argument: nothing else outlives a work-item",
    ),
    (
        &["blocks support disabled"],
        "write a function and call it by its name; kernels are enqueued by the host program",
    ),
    (
        &["undeclared identifier 'enqueue_kernel'"],
        "kernels are enqueued by the host program: the device has no queues",
    ),
    (
        &["'pipe' type qualifier"],
        "pass the data through a buffer in global memory: the device has no pipes",
    ),
    (
        &["undeclared identifier", "_pipe'"],
        "pass the data through a buffer in global memory: the device has no pipes",
    ),
    (
        &["unknown type name 'channel'"],
        "pass the data through a buffer in global memory: the device has no channels",
    ),
    (
        &["undeclared identifier", "sub_group_"],
        "the device has no sub-groups: use local memory and barrier()",
    ),
    (
        &["undeclared identifier", "_image"],
        "the device has no images: pass the data as a buffer and compute the address",
    ),
    (
        &["call to 'atomic_", "is ambiguous"],
        "atomic arithmetic takes integers of 32 and 64 bits; for floats, repeat atomic_cmpxchg with as_int until it succeeds",
    ),
    (
        &["__int128 is not supported"],
        "use two ulong, with mul_hi for the upper half of a product",
    ),
    (
        &["undeclared identifier 'bool", "'; did you mean 'bool'"],
        "there are no vectors of bool: comparisons of vectors give vectors of integers",
    ),
    (
        &[
            "'__private size_t'",
            "cannot be used as the type of a kernel parameter",
        ],
        "take a uint or a ulong: the host cannot know how large a size_t is",
    ),
    (
        &[
            "'__private bool'",
            "cannot be used as the type of a kernel parameter",
        ],
        "take an int: the host cannot know how large a bool is",
    ),
    (
        &["kernel parameter cannot be declared as a pointer to a pointer"],
        "pass each buffer as an argument of its own, or one buffer with offsets into it",
    ),
    (
        &["struct kernel parameters may not contain pointers"],
        "pass each buffer as an argument of its own, or one buffer with offsets into it",
    ),
    (&["unknown type name 'class'"], CPP),
    (&["unknown type name 'template'"], CPP),
    (&["unknown type name 'namespace'"], CPP),
    (&["unknown type name 'using'"], CPP),
    (&["'auto' storage class specifier"], CPP),
    (
        &["undeclared identifier 'new'"],
        "there is no heap: declare an array of constant size, or pass memory as a kernel argument",
    ),
    (
        &["'bits/libc-header-start.h' file not found"],
        "leave the headers of the C library out: OpenCL C declares its functions by itself",
    ),
];

const CPP: &str = "write OpenCL C, or build with -cl-std=CLC++ for C++ without its library";

/// clang's errors, followed by what to do about those that are known, each advice once.
pub(super) fn with_advice(mut messages: String) -> String {
    let applies = |parts: &[&str]| {
        let lines = messages.lines();
        let mut errors = lines.clone().zip(lines.skip(1).chain([""]));
        errors.any(|(line, source)| {
            let holds = |part: &&str| line.contains(part) || source.contains(part);
            line.contains("error: ") && parts.iter().all(holds)
        })
    };
    let mut given: Vec<&str> = Vec::new();
    for (parts, advice) in ADVICE {
        if applies(parts) && !given.contains(advice) {
            given.push(advice);
        }
    }
    if !given.is_empty() && !messages.ends_with('\n') {
        messages.push('\n');
    }
    for advice in given {
        messages.push_str(&format!("help: {advice}\n"));
    }
    messages
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn advice_is_given_once_and_only_for_errors() {
        let error = "k.cl:1:5: error: pointers to functions are not allowed\n";
        let twice = with_advice(format!("{error}{error}"));
        assert_eq!(twice.matches("help: ").count(), 1);
        let warning = error.replace("error", "warning");
        assert_eq!(with_advice(warning.clone()), warning);
    }
}
