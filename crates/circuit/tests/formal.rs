//! Proofs about the glue, on the Verilog as it is emitted, for small parameters: whatever the environment
//! does, what is offered stays, no token is lost, doubled or overtaken where order is promised, and
//! no count is beyond a limit. What is asked of each unit stands in `formal/`.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use sluice_circuit::access::Access;
use sluice_circuit::circuit::Circuit;
use sluice_circuit::unit::{Fields, UnitKind};
use sluice_circuit::units::arbiter::{Arbiter, Flush};
use sluice_circuit::units::barrier::Barrier;
use sluice_circuit::units::branch::Branch;
use sluice_circuit::units::buffer::Buffer;
use sluice_circuit::units::credits::Credits;
use sluice_circuit::units::fifo::Fifo;
use sluice_circuit::units::fork::Fork;
use sluice_circuit::units::group_slots::GroupSlots;
use sluice_circuit::units::join::Join;
use sluice_circuit::units::loop_gate::LoopGate;
use sluice_circuit::units::rejoin::Rejoin;
use sluice_circuit::units::runahead::Runahead;
use sluice_circuit::units::select::{Policy, Select};
use sluice_circuit::units::slots::Slots;
use sluice_circuit::units::turns::Turns;
use sluice_circuit::verilog::emit;

/// A circuit, and the file of `formal/` that says what holds for it.
struct Proof {
    bench: &'static str,
    circuit: Circuit,
    parameters: Vec<(&'static str, u32)>,
}

/// How assertions are shown to hold in all states that can be reached.
#[derive(Clone, Copy, Debug)]
enum Method {
    /// A search finds a stronger property that each cycle hands on to the next.
    Search,
    /// This number of cycles in which they hold is followed by one in which they do.
    Induction(u32),
    /// Not in all: in the first cycles, this number of them.
    Bounded(u32),
}

/// What is covered can be reached: as an assertion that it never is so.
const NEVER_COVERED: &str = "\
(* techmap_celltype = \"$cover\" *)
module never_covered (input A, input EN);
    \\$assert never (.A(!A), .EN(EN));
endmodule
";

/// Cycles in which everything that is covered has happened.
const WITHIN: u32 = 40;

impl Proof {
    fn of(bench: &'static str, kind: impl UnitKind + 'static) -> Proof {
        Proof::of_units(bench, vec![Box::new(kind)])
    }

    fn of_units(bench: &'static str, kinds: Vec<Box<dyn UnitKind>>) -> Proof {
        Proof {
            bench,
            circuit: Circuit::of_units("unit", kinds),
            parameters: Vec::new(),
        }
    }

    fn with(mut self, parameters: &[(&'static str, u32)]) -> Proof {
        self.parameters.extend(parameters);
        self
    }

    /// Shows that all assertions of the bench hold in all states that can be reached, and that all
    /// that it covers can.
    fn holds(&self, name: &str, method: Method) {
        let folder = self.translate(name);
        match method {
            Method::Search => {
                let search = "read_aiger holds.aig; fold; strash; scorr; dc2; pdr";
                let said = run(&folder, "yosys-abc", &["-q", search]);
                assert!(said.contains("Property proved"), "{name}:\n{said}");
            }
            Method::Bounded(cycles) => {
                let search =
                    format!("read_aiger holds.aig; fold; strash; scorr; dc2; bmc3 -F {cycles}");
                let said = run(&folder, "yosys-abc", &["-q", &search]);
                let none = format!("No output asserted in {cycles} frames");
                assert!(said.contains(&none), "{name}:\n{said}");
            }
            Method::Induction(cycles) => {
                let cycles = cycles.to_string();
                for step in [&[][..], &["-i"]] {
                    let arguments = [&["-s", "z3", "-t", &cycles], step, &["holds.smt2"]].concat();
                    let said = run(&folder, "yosys-smtbmc", &arguments);
                    assert!(said.contains("Status: PASSED"), "{name}:\n{said}");
                }
            }
        }
        self.reaches(name, &folder);
    }

    /// Shows that all that the bench covers can be reached.
    fn reaches(&self, name: &str, folder: &Path) {
        let mut search = String::from("read_aiger covered.aig; fold; strash; write_aiger each.aig");
        let covered = bad_states(&folder.join("covered.aig"));
        for each in 0..covered {
            search += &format!("; read_aiger each.aig; cone -s -O {each}; bmc3 -F {WITHIN}");
        }
        let said = run(folder, "yosys-abc", &["-q", &search]);
        let reached = said.matches("was asserted in frame").count();
        assert!(
            covered > 0 && reached == covered,
            "{name}: of {covered}\n{said}"
        );
    }

    /// A folder with the circuit as the solver reads it: `holds.aig` and `holds.smt2` with the
    /// assertions of its bench, `covered.aig` with what that covers.
    fn translate(&self, name: &str) -> PathBuf {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR"))
            .join("formal")
            .join(name);
        fs::create_dir_all(&folder).expect("the target directory is writable");
        let write = |name: &str, text: &str| {
            fs::write(folder.join(name), text).expect("the target directory is writable");
        };
        for file in emit(&self.circuit) {
            write(&file.name, &file.text);
        }
        write("never_covered.v", NEVER_COVERED);
        let formal = Path::new(env!("CARGO_MANIFEST_DIR")).join("formal");
        let [checks, bench] = ["checks.sv", self.bench].map(|file| formal.join(file));
        let parameters = self.parameters.iter();
        let parameters = parameters.map(|(name, value)| format!(" -chparam {name} {value}"));
        // The files of units that the bench needs are found by their names.
        let script = format!(
            "read_verilog -sv -formal {} {}; hierarchy -check -libdir . -top bench{}; \
             proc; flatten; memory_map; opt -full {FLIP_FLOPS}; setundef -undriven -anyseq; \
             opt_clean; design -save all; \
             delete t:$cover; write_smt2 -wires holds.smt2; {TO_GATES}; write_aiger -zinit holds.aig; \
             design -load all; delete t:$assert; techmap -map never_covered.v; {TO_GATES}; \
             write_aiger -zinit covered.aig",
            checks.display(),
            bench.display(),
            parameters.collect::<String>(),
        );
        run(&folder, "yosys", &["-q", "-p", &script]);
        folder
    }
}

/// Flip-flops stay plain: the format knows no others.
const FLIP_FLOPS: &str = "-nodffe -nosdff";

const TO_GATES: &str = "techmap; opt -fast -nodffe -nosdff; abc -g AND -fast; opt_clean";

/// How many bad states a file in the AIGER format names: the sixth number of its header.
fn bad_states(file: &Path) -> usize {
    let bytes = fs::read(file).expect("it was written");
    let header = bytes.split(|&byte| byte == b'\n').next();
    let header = String::from_utf8_lossy(header.expect("there is a first line"));
    let number = header.split(' ').nth(6);
    number.map_or(0, |it| it.parse().expect("a number"))
}

/// Runs a tool and gives what it says.
fn run(folder: &Path, tool: &str, arguments: &[&str]) -> String {
    let output = Command::new(tool)
        .args(arguments)
        .current_dir(folder)
        .output();
    let output = output.unwrap_or_else(|error| {
        panic!("{tool} runs ({error}): install the Debian packages `yosys` and `z3`")
    });
    let said = [output.stdout, output.stderr].concat();
    let said = String::from_utf8_lossy(&said).into_owned();
    assert!(
        output.status.success(),
        "{tool} in {}:\n{said}",
        folder.display()
    );
    said
}

fn bits(count: u32) -> Fields {
    Fields::new((0..count).map(|_| 1))
}

/// A queue that for `shut` cycles may take nothing though it holds less than it can.
fn queue(name: &str, kind: impl UnitKind + 'static, shut: u32) {
    let parameters = [
        ("CAPACITY", kind.capacity()),
        ("LATENCY", kind.latency()),
        ("SHUT", shut),
    ];
    Proof::of("queue.sv", kind)
        .with(&parameters)
        .holds(name, Method::Search);
}

#[test]
fn a_buffer_keeps_its_tokens_and_their_order() {
    queue("buffer", Buffer { fields: bits(2) }, 0);
}

#[test]
fn a_queue_keeps_its_tokens_and_their_order() {
    for depth in 1..=4 {
        let fifo = Fifo {
            fields: bits(2),
            depth,
        };
        // What comes into the only place behind the register moves on in the cycle after.
        queue(&format!("fifo_{depth}"), fifo, u32::from(depth == 1));
    }
}

#[test]
fn a_join_keeps_what_belongs_together() {
    let join = Join {
        inputs: vec![bits(1), bits(1)],
    };
    Proof::of("join.sv", join).holds("join", Method::Search);
}

#[test]
fn a_fork_gives_every_token_to_everyone() {
    let fork = Fork {
        fields: bits(2),
        outputs: vec![vec![0, 1], vec![1]],
    };
    Proof::of("fork.sv", fork).holds("fork", Method::Search);
}

#[test]
fn a_branch_gives_every_token_to_whom_its_condition_names() {
    let branch = Branch {
        fields: bits(1),
        on_true: vec![0],
        on_false: vec![0],
    };
    Proof::of("branch.sv", branch).holds("branch", Method::Search);
}

#[test]
fn a_select_keeps_tokens_and_is_as_fair_as_it_says() {
    for (name, policy, fair) in [
        ("select_first", Policy::FirstInputFirst, 0),
        ("select_round_robin", Policy::RoundRobin, 1),
    ] {
        let select = Select {
            fields: Fields::new([2, 1]),
            inputs: 3,
            policy,
        };
        let proof = Proof::of("select.sv", select).with(&[("ROUND_ROBIN", fair)]);
        proof.holds(name, Method::Search);
    }
}

#[test]
fn a_gate_admits_no_more_than_its_limit() {
    for limit in [1, 3] {
        let gate = LoopGate {
            entry: bits(1),
            exits: vec![bits(1), bits(1)],
            limit,
        };
        let gate_holds = gate.capacity();
        let proof = Proof::of("loop_gate.sv", gate).with(&[("LIMIT", limit), ("HELD", gate_holds)]);
        proof.holds(&format!("loop_gate_{limit}"), Method::Search);
    }
}

#[test]
fn all_credits_are_there_at_first_and_come_back() {
    for count in [1, 3, 4] {
        let proof = Proof::of("credits.sv", Credits { count }).with(&[("COUNT", count)]);
        proof.holds(&format!("credits_{count}"), Method::Search);
    }
}

#[test]
fn a_series_is_done_when_all_its_iterations_have_ended() {
    let rejoin = Rejoin { ended: 2, bits: 6 };
    let latency = rejoin.latency();
    let proof = Proof::of("rejoin.sv", rejoin).with(&[("LATENCY", latency)]);
    proof.holds("rejoin", Method::Search);
}

#[test]
fn iterations_start_within_a_window_and_the_first_one_is_marked() {
    for (start, window) in [(2, 2), (1, 3)] {
        let runahead = Runahead {
            fields: Fields::new([1, 1]),
            start,
            window,
        };
        let proof = Proof::of("runahead.sv", runahead);
        let proof = proof.with(&[("START", start), ("WINDOW", window)]);
        proof.holds(&format!("runahead_{start}_{window}"), Method::Search);
    }
}

#[test]
fn a_slot_is_out_once_and_none_is_lost() {
    let proof = Proof::of("slots.sv", Slots { count: 4 });
    proof
        .with(&[("COUNT", 4), ("NUMBER", 2)])
        .holds("slots", Method::Search);
}

#[test]
fn as_many_groups_have_slots_as_may_and_no_two_the_same() {
    for (count, most_items) in [(2, 2), (4, 1)] {
        let slots = GroupSlots {
            count,
            most_items,
            fields: bits(1),
        };
        let bits = slots.bits();
        let proof = Proof::of("group_slots.sv", slots);
        let proof = proof.with(&[("SLOTS", count), ("SLOT", bits), ("ITEMS", most_items)]);
        proof.holds(&format!("group_slots_{count}"), Method::Search);
    }
}

#[test]
fn no_item_leaves_a_barrier_before_the_group_is_complete() {
    // Places of all groups and of each, and the size of groups: two groups, one that does not fill
    // its places, two that are more than are read ahead.
    for (place, shift, size, method) in [
        (2, 0, 1, Method::Search),
        (2, 1, 2, Method::Search),
        (2, 2, 3, Method::Search),
        (4, 3, 5, Method::Bounded(22)),
    ] {
        let barrier = Barrier {
            fields: bits(2),
            slot: 0,
            slots: 2,
            places: 1 << place,
        };
        let latency = barrier.latency();
        let proof = Proof::of("barrier.sv", barrier);
        let proof = proof.with(&[("SLOTS", 2), ("SLOT", 1), ("PLACE", place)]);
        let proof = proof.with(&[("SIZE", size), ("SHIFT", shift), ("LATENCY", latency)]);
        proof.holds(&format!("barrier_{size}"), method);
    }
}

#[test]
fn those_who_take_turns_get_their_own_answers() {
    Proof::of("turns.sv", Turns { askers: 3 }).holds("turns", Method::Search);
}

#[test]
fn an_arbiter_keeps_the_order_of_acceptance_and_starves_no_requester() {
    let access = Access {
        bytes: 1,
        address_bits: 2,
    };
    let arbiter = Arbiter {
        readers: 2,
        writers: 1,
        access,
        outstanding: 2,
        flush: Flush::Passed,
    };
    Proof::of("arbiter.sv", arbiter).holds("arbiter", Method::Search);
}

/// A loop in which those who enter go before those who come back, with the limit that is made of what
/// its units hold. The bench connects them, and decides who goes round again.
fn loop_with(limit: impl FnOnce(u32) -> u32) -> Proof {
    let select = Select {
        fields: bits(1),
        inputs: 2,
        policy: Policy::FirstInputFirst,
    };
    let body = Fifo {
        fields: bits(2),
        depth: 1,
    };
    let branch = Branch {
        fields: bits(1),
        on_true: vec![0],
        on_false: vec![0],
    };
    let back = Fifo {
        fields: bits(1),
        depth: 1,
    };
    let storage = select.capacity() + body.capacity() + branch.capacity() + back.capacity();
    let limit = limit(storage);
    let gate = LoopGate {
        entry: bits(1),
        exits: vec![bits(1)],
        limit,
    };
    let units: [Box<dyn UnitKind>; 5] = [
        Box::new(gate),
        Box::new(select),
        Box::new(body),
        Box::new(branch),
        Box::new(back),
    ];
    Proof::of_units("loop.sv", units.into()).with(&[("LIMIT", limit)])
}

#[test]
fn a_loop_that_may_fill_its_storage_can_stand_still_for_ever() {
    let full = loop_with(|storage| storage);
    full.with(&[("FULL", 1)])
        .holds("loop_full", Method::Induction(4));
}

#[test]
fn a_loop_with_one_less_than_its_storage_goes_on() {
    let below = loop_with(|storage| storage - 1);
    below
        .with(&[("FULL", 0)])
        .holds("loop", Method::Induction(4));
}
