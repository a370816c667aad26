//! What tokens leave for those behind them, in Verilog: a row of registers per history, and for each
//! state the selection of the register that has it.

use std::fmt::Write;

use super::{At, Writer, active, line, net};
use crate::units::segment::graph::Operand;
use crate::units::segment::inline::Term;
use crate::units::segment::names::base;
use crate::units::segment::schedule::{History, Tap};
use crate::units::segment::storage::counter_bits;

/// The nets of a history.
#[derive(Clone)]
pub(super) struct HistoryNets {
    /// What a token leaves.
    next: String,
    /// What tokens left, the last one first.
    left: Vec<String>,
}

impl Writer<'_> {
    /// Declares the registers of all histories. What comes into them is assigned in its cycle.
    pub(super) fn histories(&mut self) {
        let mut heading = "\n    // What tokens leave for those behind them\n";
        for history in &self.segment.schedule.histories {
            self.body.push_str(std::mem::take(&mut heading));
            let nets = self.history(history);
            self.histories.push(nets);
        }
    }

    fn history(&mut self, history: &History) -> HistoryNets {
        let first = history.taps[0].operation as usize;
        let base = base(&self.graph.operations[first], first);
        let width = self.graph.width(history.next);
        let next = self.names.unique(&format!("{base}_next"));
        let left = (1..=history.depth).map(|at| self.names.unique(&format!("{base}_left{at}")));
        let left: Vec<String> = left.collect();
        line!(self, "    wire {};", net(width, &next));
        line!(self, "    reg  {};", net(width, &left.join(", ")));
        let zero = Term::Literal(0, width).text();
        let (mut cleared, mut moved) = (String::new(), String::new());
        let sources = std::iter::once(&next).chain(&left);
        for (to, from) in left.iter().zip(sources) {
            writeln!(cleared, "            {to} <= {zero};").expect("strings take all text");
            writeln!(moved, "            {to} <= {from};").expect("strings take all text");
        }
        line!(
            self,
            "    always @(posedge clk)\n        if (rst) begin\n{cleared}        end else if ({}) begin\n{moved}        end",
            active(history.cycle)
        );
        HistoryNets { next, left }
    }

    /// Assigns what tokens leave in a cycle, and whether they enter again.
    pub(super) fn left_in(&mut self, cycle: u32) {
        let schedule = &self.segment.schedule;
        for (index, history) in schedule.histories.iter().enumerate() {
            if history.cycle == cycle {
                let value = self.term(history.next, At::Cycle(cycle)).text();
                line!(self, "    assign {} = {value};", self.histories[index].next);
            }
        }
        if let Some(again) = self.graph.repeat.filter(|_| schedule.repeat == Some(cycle)) {
            let value = self.term(again, At::Cycle(cycle)).text();
            line!(self, "    assign again = {value};");
        }
    }

    /// A state in the cycle in which it is read; one that is in no history stays 0.
    pub(super) fn state(&mut self, index: u32, at: At) {
        let operation = &self.graph.operations[index as usize];
        let name = self.names.unique(&base(operation, index as usize));
        let width = operation.result_widths()[0];
        let source = operation
            .line
            .map(|line| format!(" // line {line}"))
            .unwrap_or_default();
        let value = match at {
            At::Cycle(cycle) => self.state_value(index, &name, cycle),
            At::Always | At::Output(_) => Term::Literal(0, width).text(),
        };
        line!(self, "    wire {} = {value};{source}", net(width, &name));
        self.parts.push((name.clone(), index));
        let value = Operand::Result {
            operation: index,
            output: 0,
        };
        let at = self.segment.schedule.done(value);
        let at = at.map_or(At::Always, At::Cycle);
        self.nets.insert((value, at), name);
    }

    fn state_value(&mut self, index: u32, name: &str, cycle: u32) -> String {
        let histories = self.segment.schedule.histories.iter().enumerate();
        let taps = histories.flat_map(|(at, history)| history.taps.iter().map(move |it| (at, it)));
        let (at, &tap) = taps
            .into_iter()
            .find(|(_, tap)| tap.operation == index)
            .expect("a state with a time is in a history");
        let written = self.segment.schedule.histories[at].cycle;
        let nets = self.histories[at].clone();
        // The register that has the value if no token is between, then one, and more.
        let registers = (0..tap.registers()).map(|ahead| tap.distance - ahead);
        let registers: Vec<&str> = registers
            .map(|at| nets.left[at as usize - 1].as_str())
            .collect();
        if tap.ahead == 0 {
            return registers[0].into();
        }
        let count = self.tokens_between(&tap, name, [cycle, written]);
        let selected = selection(&count, &registers);
        match tap.is_bypassed() {
            true => {
                let all = Term::Literal(tap.distance.into(), counter_bits(tap.ahead)).text();
                format!("{} == {all} ? {} : {selected}", count.text(), nets.next)
            }
            false => selected,
        }
    }

    /// Counts the tokens that have passed the first cycle and not the second. More than fit into the
    /// counter are between only while no token is in the first cycle.
    fn tokens_between(&mut self, tap: &Tap, name: &str, cycles: [u32; 2]) -> Term {
        let bits = counter_bits(tap.ahead);
        let count = self.names.unique(&format!("{name}_ahead"));
        let [comes, goes] = cycles.map(active);
        let [zero, one] = [0, 1].map(|number| Term::Literal(number, bits).text());
        line!(self, "    reg  {};", net(bits, &count));
        line!(
            self,
            "    always @(posedge clk)\n        if (rst)\n            {count} <= {zero};\n        \
             else if ({comes} != {goes})\n            {count} <= {comes} ? {count} + {one} : {count} - {one};"
        );
        Term::Net(count, bits)
    }
}

/// The value whose number is counted.
fn selection(count: &Term, values: &[&str]) -> String {
    match values {
        [value] => (*value).into(),
        _ => {
            let bit = values.len().next_power_of_two().trailing_zeros() - 1;
            let (low, high) = values.split_at(1 << bit);
            let bit = count.part(bit, 1);
            let (low, high) = (selection(count, low), selection(count, high));
            format!("({bit} ? {high} : {low})")
        }
    }
}
