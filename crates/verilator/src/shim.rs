//! The C++ between a verilated model and Rust: ports by index, and the loop over test vectors,
//! which must not cross the language boundary for each value.

use std::fmt::Write;

use crate::{Design, Direction, Port, Trace};

const PREAMBLE: &str = r#"#include "Vmodel.h"
#include "verilated.h"
#include <cstdint>

namespace {
struct Instance {
    VerilatedContext context;
    Vmodel top{&context};
    TRACE_MEMBER
    void eval() { top.eval(); TRACE_DUMP context.timeInc(1); }
};
Instance* as_instance(void* pointer) { return static_cast<Instance*>(pointer); }
}

extern "C" {
void* sluice_create() { return new Instance; }
void sluice_destroy(void* self) {
    as_instance(self)->top.final();
    delete as_instance(self);
}
void sluice_eval(void* self) { as_instance(self)->eval(); }
"#;

/// The shim's text.
pub fn shim(design: &Design) -> String {
    let (member, dump, start) = match design.trace {
        Trace::Off => ("", "", "(void)self; (void)path; return 0;"),
        Trace::Vcd => (
            "VerilatedVcdC trace;",
            "if (trace.isOpen()) trace.dump(context.time());",
            "auto i = as_instance(self); i->context.traceEverOn(true);\n    \
             i->top.trace(&i->trace, 99); i->trace.open(path); return 1;",
        ),
    };
    let mut text = String::new();
    if design.trace == Trace::Vcd {
        text.push_str("#include \"verilated_vcd_c.h\"\n");
    }
    text += &PREAMBLE
        .replace("TRACE_MEMBER", member)
        .replace("TRACE_DUMP", dump);
    write!(
        text,
        "int sluice_trace(void* self, const char* path) {{\n    {start}\n}}\n"
    )
    .unwrap();
    text += &accessors(design.ports);
    text += &vectors(design.ports);
    text += "}\n";
    text
}

/// What Verilator calls a port in C++, where it keeps double underscores for itself: of two in a row,
/// the second becomes its code.
fn member(port: &str) -> String {
    port.replace("__", "___05F")
}

fn accessors(ports: &[Port]) -> String {
    let [mut set, mut get, mut set_word, mut get_word] = [const { String::new() }; 4];
    for (
        index,
        Port {
            name,
            width,
            direction,
        },
    ) in ports.iter().enumerate()
    {
        let (read, write) = if *width <= 64 {
            (&mut get, &mut set)
        } else {
            (&mut get_word, &mut set_word)
        };
        let name = member(name);
        let element = if *width <= 64 { "" } else { "[word]" };
        writeln!(read, "    case {index}: return top.{name}{element};").unwrap();
        if *direction == Direction::Input {
            writeln!(
                write,
                "    case {index}: top.{name}{element} = value; break;"
            )
            .unwrap();
        }
    }
    format!(
        "void sluice_set(void* self, uint32_t port, uint64_t value) {{
    auto& top = as_instance(self)->top; (void)top; (void)value;
    switch (port) {{\n{set}    default: break;\n    }}\n}}
uint64_t sluice_get(void* self, uint32_t port) {{
    auto& top = as_instance(self)->top; (void)top;
    switch (port) {{\n{get}    default: return 0;\n    }}\n}}
void sluice_set_word(void* self, uint32_t port, uint32_t word, uint32_t value) {{
    auto& top = as_instance(self)->top; (void)top; (void)word; (void)value;
    switch (port) {{\n{set_word}    default: break;\n    }}\n}}
uint32_t sluice_get_word(void* self, uint32_t port, uint32_t word) {{
    auto& top = as_instance(self)->top; (void)top; (void)word;
    switch (port) {{\n{get_word}    default: return 0;\n    }}\n}}\n"
    )
}

/// `sluice_run`: a row of inputs per cycle; an output of latency l answers l cycles later.
fn vectors(ports: &[Port]) -> String {
    let narrow = ports
        .iter()
        .filter(|port| port.width <= 64 && !port.is_clock());
    let (inputs, outputs): (Vec<_>, Vec<_>) =
        narrow.partition(|port| port.direction == Direction::Input);
    let (mut drive, mut sample) = (String::new(), String::new());
    for (index, port) in inputs.iter().enumerate() {
        writeln!(
            drive,
            "            top.{} = in[{index}];",
            member(&port.name)
        )
        .unwrap();
    }
    for (index, port) in outputs.iter().enumerate() {
        let count = outputs.len();
        writeln!(
            sample,
            "        if (cycle >= latency[{index}] && cycle - latency[{index}] < rows)\n            \
             out[(cycle - latency[{index}]) * {count} + {index}] = top.{};",
            member(&port.name)
        )
        .unwrap();
    }
    let edges = if ports.iter().any(Port::is_clock) {
        "top.clk = 1; self->eval(); top.clk = 0;"
    } else {
        ""
    };
    format!(
        "void sluice_run(void* pointer, const uint64_t* in, uint64_t rows, uint64_t* out,
                const uint32_t* latency) {{
    auto self = as_instance(pointer);
    auto& top = self->top; (void)out;
    uint64_t cycles = rows;
    for (int i = 0; i < {n_outputs}; ++i)
        if (rows + latency[i] > cycles) cycles = rows + latency[i];
    for (uint64_t cycle = 0; cycle < cycles; ++cycle) {{
        if (cycle < rows) {{
{drive}            in += {n_inputs};
        }}
        self->eval();
{sample}        {edges}
    }}
}}\n",
        n_outputs = outputs.len(),
        n_inputs = inputs.len(),
    )
}
