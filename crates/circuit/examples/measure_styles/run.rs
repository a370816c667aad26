//! Tokens through a circuit with one input and one output of 32-bit fields, in the simulator and in
//! Icarus.

use std::fmt::Write;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use sluice_circuit::circuit::Circuit;
use sluice_circuit::sim::{Io, Simulator};
use sluice_circuit::unit::Model;
use sluice_circuit::verilog::emit;

/// Tokens that pass.
const TOKENS: u64 = 1000;

/// A number that looks random.
fn mixed(seed: u64) -> u64 {
    let mut bits = seed.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits ^ bits >> 31
}

fn field(token: u64, field: u64) -> u64 {
    mixed(token * 64 + field) >> 32
}

struct Environment {
    fields: u64,
    given: u64,
    taken: Arc<Mutex<Vec<Vec<u64>>>>,
    /// When the last one came.
    last: Arc<AtomicU64>,
}

impl Environment {
    fn offer(&mut self, io: &mut Io<'_>) {
        if self.given < TOKENS {
            let token: Vec<u64> = (0..self.fields).map(|at| field(self.given, at)).collect();
            io.offer(0, &token);
            self.given += 1;
        }
    }
}

impl Model for Environment {
    fn reset(&mut self, _: &[u64], io: &mut Io<'_>) {
        self.offer(io);
        io.accept(0, true);
    }

    fn clock(&mut self, io: &mut Io<'_>) {
        if let Some(token) = io.taken(0) {
            let mut taken = self
                .taken
                .lock()
                .expect("no thread panics while it holds this");
            taken.push(token.to_vec());
            self.last.store(io.cycle(), Ordering::Relaxed);
        }
        if io.given(0) {
            self.offer(io);
        }
    }
}

/// The tokens at the output, and the cycles that it took.
pub fn simulate(circuit: &Circuit) -> (Vec<Vec<u64>>, u64) {
    let taken = Arc::new(Mutex::new(Vec::new()));
    let last = Arc::new(AtomicU64::new(0));
    let environment = Environment {
        fields: circuit.channels()[circuit.inputs()[0]].fields.len() as u64,
        given: 0,
        taken: Arc::clone(&taken),
        last: Arc::clone(&last),
    };
    let mut simulator = Simulator::new(circuit, Box::new(environment), &[]);
    while simulator.step(100 * TOKENS) {}
    let tokens = taken.lock().expect("the simulator does not panic").clone();
    assert_eq!(tokens.len() as u64, TOKENS, "every token comes out");
    (tokens, last.load(Ordering::Relaxed))
}

/// The tokens at the output of the Verilog in a folder, which is stopped now and then.
pub fn with_icarus(circuit: &Circuit, folder: &Path) -> Vec<Vec<u64>> {
    let port = |at: usize, channels: &[_]| circuit.channels()[channels[at]].clone();
    let (input, output) = (port(0, circuit.inputs()), port(0, circuit.outputs()));
    let (fields, results) = (input.fields.len() as u64, output.fields.len());
    let mut words = String::new();
    for token in 0..TOKENS {
        for at in (0..fields).rev() {
            write!(words, "{:08x}", field(token, at)).expect("strings take all text");
        }
        words.push('\n');
    }
    std::fs::write(folder.join("tokens.hex"), words).expect("the directory is writable");
    let (i, o) = (&input.name, &output.name);
    let bench = format!(
        "module bench;\n\
         reg clk = 0; reg rst = 1; always #1 clk = !clk;\n\
         reg [{}:0] tokens [0:{TOKENS}]; integer given = 0; integer taken = 0;\n\
         reg [15:0] random = 1; wire ready; wire valid; wire [{}:0] data;\n\
         wire offers = !rst && given < {TOKENS} && random[1:0] != 0; wire takes = random[5:4] != 0;\n\
         {} circuit (.clk(clk), .rst(rst), .{i}_valid(offers), .{i}_ready(ready), .{i}(tokens[given]),\n\
         .{o}_valid(valid), .{o}_ready(takes), .{o}(data));\n\
         initial begin $readmemh(\"tokens.hex\", tokens, 0, {}); #9 rst = 0; #1000000 $finish; end\n\
         always @(posedge clk) begin\n\
         random <= {{random[14:0], random[15] ^ random[13] ^ random[12] ^ random[10]}};\n\
         if (offers && ready) given <= given + 1;\n\
         if (!rst && valid && takes) begin $display(\"%h\", data); taken = taken + 1;\n\
         if (taken == {TOKENS}) $finish; end\nend\nendmodule\n",
        32 * fields - 1,
        32 * results - 1,
        circuit.name,
        TOKENS - 1,
    );
    std::fs::write(folder.join("bench.v"), bench).expect("the directory is writable");
    let files = emit(circuit).into_iter().map(|file| file.name);
    let mut compile = Command::new("iverilog");
    compile
        .args(["-g2005", "-s", "bench", "-o", "bench", "bench.v"])
        .args(files);
    output_of(compile.current_dir(folder));
    let text = output_of(Command::new("vvp").arg("bench").current_dir(folder));
    let lines = text.lines().filter(|line| line.len() == 8 * results);
    lines
        .map(|line| {
            let word = |at: usize| u64::from_str_radix(&line[8 * at..8 * at + 8], 16);
            let word = |at: usize| word(at).expect("every bit is known");
            (0..results).rev().map(word).collect()
        })
        .collect()
}

fn output_of(command: &mut Command) -> String {
    let output = command
        .output()
        .expect("install the Debian package `iverilog`");
    let messages = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{messages}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}
