//! Random kernels of a few work-items with loop nests over arrays: subscripts, bounds and memories of many
//! kinds, and so dependences at all distances.
//!
//! Their results are defined: elements are unsigned, so that nothing overflows; each work-item has its own
//! part of each buffer; subscripts either are small sums of small counters, or are reduced by a mask. Loops end:
//! their bounds are small, and other exits only shorten them.

use std::fmt::Write;

use crate::random::Random;
use crate::types::{Scalar, Type};
use crate::{ArgSpec, BufferSpec, Program};

/// Elements of each array; work-items use as many of each buffer.
const ELEMENTS: u32 = 128;
/// The greatest value of a small counter, and the greatest number of its iterations.
const MOST_TRIPS: u32 = 9;
/// Nested loops.
const MOST_DEPTH: usize = 3;
/// The greatest values of the arguments `n`, `m` and `k`.
const MOST: [u32; 3] = [8, 8, 9];

/// The kernel of a seed.
pub fn loop_nest(seed: u64) -> Program {
    let mut writer = Writer {
        random: Random::new(seed ^ 0x6c6f_6f70),
        text: String::new(),
        loops: 0,
        open: Vec::new(),
    };
    writer.kernel();
    let Writer {
        mut random, text, ..
    } = writer;
    let items = random.pick(&[1, 1, 1, 2, 4]);
    let buffers = [(); 3].map(|()| BufferSpec {
        bytes: (0..ELEMENTS * items)
            .flat_map(|_| random.below(256).to_le_bytes())
            .collect(),
        element: Type::scalar(Scalar::Uint),
    });
    let values = MOST.map(|most| random.below(most + 1).to_le_bytes().to_vec());
    let buffer_args = (0..buffers.len()).map(ArgSpec::Buffer);
    Program {
        source: text,
        kernel: "nest".into(),
        work_dim: 1,
        global: [items.into(), 1, 1],
        local: [1, 1, 1],
        offset: [0; 3],
        args: buffer_args.chain(values.map(ArgSpec::Value)).collect(),
        buffers: buffers.into(),
        module: None,
    }
}

/// The variable of a loop.
#[derive(Clone)]
struct Counter {
    name: String,
    /// It is at most [`MOST_TRIPS`] and not negative in the loop.
    is_small: bool,
}

struct Writer {
    random: Random,
    text: String,
    /// Loops so far: each has a variable of its own.
    loops: usize,
    /// The loops around.
    open: Vec<Counter>,
}

impl Writer {
    fn line(&mut self, text: &str) {
        let indent = 4 * (1 + self.open.len());
        writeln!(self.text, "{:indent$}{text}", "").expect("strings can be written to");
    }

    fn kernel(&mut self) {
        let size = ELEMENTS;
        self.text += "__kernel void nest(__global uint *A, __global uint *B, __global const uint *X, int n, uint m, \
                      uint k)\n{\n";
        for (part, whole) in [("uint *a", "A"), ("uint *b", "B"), ("const uint *x", "X")] {
            self.line(&format!(
                "__global {part} = {whole} + get_global_id(0) * {size};"
            ));
        }
        self.line(&format!("uint p[{size}];"));
        self.line(&format!("__local uint l[{size}];"));
        self.line("uint s = 1, t = 2;");
        self.line(&format!("for (int i = 0; i < {size}; i++) {{"));
        self.line("    p[i] = x[i] + i;");
        self.line("    l[i] = x[i] ^ i;");
        self.line("}");
        for _ in 0..self.random.between(1, 3) {
            self.nest();
        }
        self.line(&format!("for (int i = 0; i < {size}; i++)"));
        self.line("    b[i] += p[i] * 3 + l[i] + s + t;");
        self.text += "}\n";
    }

    /// A loop with statements and perhaps inner loops.
    fn nest(&mut self) {
        let name = format!("i{}", self.loops);
        self.loops += 1;
        let closing = match self.random.percent(20) {
            true => self.open_at_end(&name),
            false => self.open_at_start(&name),
        };
        for _ in 0..self.random.between(1, 3) {
            match self.open.len() < MOST_DEPTH && self.random.percent(35) {
                true => self.nest(),
                false => self.statement(),
            }
        }
        if self.random.percent(20) {
            let decision = self.decision();
            let how = self.random.pick(&["break", "break", "continue"]);
            self.line(&format!("if ({decision})"));
            self.line(&format!("    {how};"));
            let last = self.element();
            self.line(&format!("s += {last};"));
        }
        self.open.pop();
        self.line(&closing);
    }

    /// A condition that depends on data, and that rarely or often holds.
    fn decision(&mut self) -> String {
        let value = match self.random.percent(40) {
            true => "s".to_owned(),
            false => self.value(),
        };
        let mask = self.random.pick(&[3, 7, 15, 63]);
        let chance = self.random.below(mask + 1);
        format!("({value} & {mask}) == {chance}")
    }

    /// A loop that tests at its end, and so has an iteration whatever the bound is. Returns its last line.
    fn open_at_end(&mut self, name: &str) -> String {
        let start = self.random.below(MOST_TRIPS + 1);
        let (bound, _) = self.bound();
        self.line(&format!("int {name} = {start};"));
        self.line("do {");
        self.open.push(Counter {
            name: name.to_owned(),
            is_small: true,
        });
        match self.random.percent(30) {
            // The other exit only shortens it.
            true => {
                let decision = self.decision();
                format!("}} while (++{name} < {bound} && !({decision}));")
            }
            false => format!("}} while (++{name} < {bound});"),
        }
    }

    /// A loop that tests at its start. Returns its last line.
    fn open_at_start(&mut self, name: &str) -> String {
        let (header, is_small) = self.header(name);
        self.line(&header);
        self.open.push(Counter {
            name: name.to_owned(),
            is_small,
        });
        "}".to_owned()
    }

    /// A bound of at most [`MOST_TRIPS`], and a number of that size.
    fn bound(&mut self) -> (String, u32) {
        let trips = self.random.between(1, MOST_TRIPS);
        let outer = self.open.last().filter(|outer| outer.is_small).cloned();
        let bound = match (self.random.below(6), outer) {
            (0 | 1, _) => "n".to_owned(),
            (2, Some(Counter { name, .. })) => format!("(int){name}"),
            (3, Some(Counter { name, .. })) => format!("{trips} - (int)({name} & 3)"),
            _ => trips.to_string(),
        };
        (bound, trips)
    }

    /// `for (int i0 = 0; i0 < n; i0++) {`, in many ways, and whether the counter is small.
    fn header(&mut self, name: &str) -> (String, bool) {
        let (bound, trips) = self.bound();
        let step = self.random.pick(&[1, 1, 1, 2, 3]);
        let (header, is_small) = match self.random.below(9) {
            0..=2 => (
                format!("int {name} = 0; {name} < {bound}; {name} += {step}"),
                true,
            ),
            3 => (
                format!("int {name} = {bound}; {name} > 0; {name} -= {step}"),
                true,
            ),
            4 => (format!("uint {name} = 0; {name} < m; {name}++"), true),
            5 => (format!("uint {name} = k; {name} < k + m; {name}++"), false),
            6 => {
                let end = format!("(uchar)(250 + {trips})");
                (
                    format!("uchar {name} = 250; {name} != {end}; {name}++"),
                    false,
                )
            }
            7 => (
                format!("long {name} = 2; {name} <= {bound}; {name} += {step}"),
                true,
            ),
            _ => (format!("uint {name} = {trips}; {name}-- > 0;"), true),
        };
        (format!("for ({header}) {{"), is_small)
    }

    fn statement(&mut self) {
        let target = self.element();
        let value = self.value();
        let statement = match self.random.below(9) {
            0 | 1 => format!("{target} = {value};"),
            2 | 3 => format!("{target} += {value};"),
            4 => format!("s = s * 5 + {value};"),
            5 => format!("t ^= {value} + (t >> 3);"),
            6 => format!("if ({value} & 1) {target} = s; else t += {value};"),
            7 => format!("if (({value} & 7) == 3) s = t - {value};"),
            _ => format!("{target} = {value} - {target};"),
        };
        self.line(&statement);
    }

    fn value(&mut self) -> String {
        match self.random.below(6) {
            0 => "s".to_owned(),
            1 => format!("({} + {})", self.element(), self.element()),
            2 => format!("x[{}]", self.subscript()),
            _ => self.element(),
        }
    }

    fn element(&mut self) -> String {
        let array = self.random.pick(&["a", "a", "b", "p", "l"]);
        format!("{array}[{}]", self.subscript())
    }

    /// A subscript that is less than the size of the arrays.
    fn subscript(&mut self) -> String {
        let mask = ELEMENTS - 1;
        match self.random.below(10) {
            0 => format!("x[{}] & {mask}", self.small_sum()),
            1 => self.random.below(ELEMENTS).to_string(),
            2 => format!("(uchar)({}) % {ELEMENTS}", self.any_sum()),
            3 => format!("({}) & {mask}", self.any_sum()),
            _ => self.small_sum(),
        }
    }

    /// Loop variables with coefficients, arguments and constants.
    fn any_sum(&mut self) -> String {
        let mut sum = self.random.below(24).to_string();
        for Counter { name, .. } in self.open.clone() {
            if self.random.percent(75) {
                let by = self.random.pick(&["1", "1", "2", "3", "4", "8", "m", "n"]);
                let sign = self.random.pick(&["+", "+", "+", "-"]);
                write!(sum, " {sign} {name} * {by}").expect("strings can be written to");
            }
        }
        if self.random.percent(20) {
            sum += self.random.pick(&[" + k", " + m", " + n", " + s"]);
        }
        sum
    }

    /// Small counters with coefficients that keep the sum below the size of the arrays: one of them may
    /// be an argument of at most 8, all others are at most 3 together.
    fn small_sum(&mut self) -> String {
        let mut base = self.random.below(16);
        let mut sum = String::new();
        let (mut left, mut is_symbolic) = (3, false);
        for Counter { name, is_small } in self.open.clone() {
            if !is_small || left == 0 || self.random.percent(25) {
                continue;
            }
            if !is_symbolic && self.random.percent(15) {
                is_symbolic = true;
                let by = self.random.pick(&["m", "n"]);
                write!(sum, " + {name} * {by}").expect("strings can be written to");
                continue;
            }
            let by = self.random.between(1, left);
            left -= by;
            let sign = match self.random.percent(25) {
                true => {
                    base += by * MOST_TRIPS;
                    "-"
                }
                false => "+",
            };
            write!(sum, " {sign} {name} * {by}").expect("strings can be written to");
        }
        if self.random.percent(15) {
            sum += self.random.pick(&[" + k", " + m", " + n"]);
        }
        format!("{base}{sum}")
    }
}
