//! Launches that use different numbers of slots: a unit sets the constants, as the registers of a
//! circuit do, and groups take slots and end.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use sluice_circuit::area::Area;
use sluice_circuit::circuit::Circuit;
use sluice_circuit::sim::Io;
use sluice_circuit::text::Declared;
use sluice_circuit::unit::{Fields, Model, Module, Port, UnitKind, Wire};
use sluice_circuit::units::group_slots::GroupSlots;

/// Drives two constants as it is told.
#[derive(Debug)]
struct Settings;

impl Declared for Settings {
    fn word(&self) -> &'static str {
        "settings"
    }

    fn print_parameters(&self, _: &mut String) {}
}

impl UnitKind for Settings {
    fn module(&self) -> Module {
        let text = "\
`default_nettype none
module settings (
    input  wire        clk,
    input  wire        rst,
    output reg  [31:0] size,
    output reg  [31:0] count,
    input  wire        in_valid,
    output wire        in_ready,
    input  wire [63:0] in
);
    assign in_ready = 1'b1;
    always @(posedge clk)
        if (rst)
            {count, size} <= 64'd0;
        else if (in_valid)
            {count, size} <= in;
endmodule
`default_nettype wire
";
        Module {
            name: "settings".into(),
            parameters: Vec::new(),
            sources: Vec::new(),
            text: Some(text.into()),
        }
    }

    fn inputs(&self) -> Vec<Port> {
        vec![Port::new("in", Fields::new([32, 32]))]
    }

    fn outputs(&self) -> Vec<Port> {
        Vec::new()
    }

    fn drives(&self) -> Vec<Wire> {
        let wire = |name: &str| Wire {
            name: name.into(),
            width: 32,
        };
        vec![wire("size"), wire("count")]
    }

    fn latency(&self) -> u32 {
        1
    }

    fn capacity(&self) -> u32 {
        0
    }

    fn area(&self) -> Area {
        Area::default()
    }

    fn model(&self) -> Box<dyn Model> {
        Box::new(Setting)
    }
}

struct Setting;

impl Model for Setting {
    fn reset(&mut self, _: &[u64], io: &mut Io<'_>) {
        io.accept(0, true);
    }

    fn clock(&mut self, io: &mut Io<'_>) {
        if let Some(&[size, count]) = io.taken(0) {
            io.drive(0, size);
            io.drive(1, count);
        }
    }
}

/// Settings and slots. Inputs are the settings, groups, and ends of work-items; the output is the slots
/// of groups.
pub fn circuit(slots: GroupSlots) -> Circuit {
    let mut circuit = Circuit::new("launches");
    let constants = ["size", "count"].map(|name| circuit.add_constant(name, 32));
    let number = Fields::new([slots.bits()]);
    let set = circuit.add_channel("sizes", Fields::new([32, 32]));
    let group = circuit.add_channel("group", Fields::NONE);
    let [ended, begun] = ["ended", "begun"].map(|name| circuit.add_channel(name, number.clone()));
    [set, group, ended]
        .into_iter()
        .for_each(|channel| circuit.add_input(channel));
    circuit.add_output(begun);
    circuit
        .unit("settings", Settings)
        .inputs_in_order([set])
        .drives(constants)
        .add();
    circuit
        .unit("slots", slots)
        .input(GroupSlots::IN, group)
        .input(GroupSlots::ENDED, ended)
        .output(GroupSlots::OUT, begun)
        .constants(constants)
        .add();
    circuit
}

/// A launch: work-items of a group, slots that are used, groups.
pub type Launch = (u64, u64, u64);

/// What has happened: the cycle, the launch, and the slot that a group got.
pub type Begun = (u64, usize, u64);

/// Gives launches one after the other. Work-items end some time after their group began, those of
/// later groups sometimes earlier.
pub struct Launches {
    launches: Vec<Launch>,
    launch: usize,
    /// Of the launch: groups that were given, and groups that have a slot.
    given: u64,
    begun: u64,
    /// Cycles since anything was under way.
    quiet: u64,
    /// Groups under way: when their next item ends, slot, items left.
    running: Vec<(u64, u64, u64)>,
    /// Slots whose items have ended.
    ended: VecDeque<u64>,
    log: Arc<Mutex<Vec<Begun>>>,
}

/// Cycles between settings and groups, and between the last end and the next settings.
const PAUSE: u64 = 12;

const SET: usize = 0;
const GROUP: usize = 1;
const ENDED: usize = 2;

impl Launches {
    pub fn new(launches: Vec<Launch>) -> (Launches, Arc<Mutex<Vec<Begun>>>) {
        let log = Arc::new(Mutex::new(Vec::new()));
        let environment = Launches {
            launches,
            launch: 0,
            given: 0,
            begun: 0,
            quiet: 0,
            running: Vec::new(),
            ended: VecDeque::new(),
            log: Arc::clone(&log),
        };
        (environment, log)
    }

    fn begin(&self, io: &mut Io<'_>) {
        if let Some(&(size, used, _)) = self.launches.get(self.launch) {
            io.offer(SET, &[size, used]);
        }
    }

    fn end_items(&mut self, cycle: u64) {
        for (at, slot, left) in &mut self.running {
            if *left > 0 && *at <= cycle {
                self.ended.push_back(*slot);
                *at += 1 + *slot % 3;
                *left -= 1;
            }
        }
        self.running.retain(|&(_, _, left)| left > 0);
    }
}

impl Model for Launches {
    fn reset(&mut self, _: &[u64], io: &mut Io<'_>) {
        self.begin(io);
        io.accept(0, true);
        io.wake(0);
    }

    fn clock(&mut self, io: &mut Io<'_>) {
        let cycle = io.cycle();
        let Some(&(size, _, groups)) = self.launches.get(self.launch) else {
            return;
        };
        if let Some(&[slot]) = io.taken(0) {
            let mut log = self.log.lock().expect("no thread panicked");
            log.push((cycle, self.launch, slot));
            self.begun += 1;
            let mut running = self.running.iter().map(|&(_, slot, _)| slot);
            let is_out = running.any(|it| it == slot) || self.ended.contains(&slot);
            assert!(!is_out, "cycle {cycle}: slot {slot} is out twice");
            self.running.push((cycle + 20 - 7 * (slot % 3), slot, size));
        }
        self.end_items(cycle);
        if !io.offering(ENDED)
            && let Some(slot) = self.ended.pop_front()
        {
            io.offer(ENDED, &[slot]);
        }
        let ending = !self.running.is_empty() || !self.ended.is_empty() || io.offering(ENDED);
        let busy = ending || self.begun < self.given;
        self.quiet = if busy { 0 } else { self.quiet + 1 };
        let rested = self.quiet > PAUSE;
        if self.given == groups && rested {
            (self.launch, self.given, self.begun, self.quiet) = (self.launch + 1, 0, 0, 0);
            self.begin(io);
        } else if self.given < groups && (self.given > 0 || rested) && !io.offering(GROUP) {
            io.offer(GROUP, &[]);
            self.given += 1;
        }
        io.wake(cycle + 1);
    }
}
