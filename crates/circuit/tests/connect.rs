//! The builder of units connects typed ports, and refuses what would be a mistake.

use std::panic::{AssertUnwindSafe, catch_unwind};

use sluice_circuit::access::{Access, Enable};
use sluice_circuit::circuit::{Channel, Circuit, End};
use sluice_circuit::unit::{Fields, UnitKind};
use sluice_circuit::units::arbiter::{Arbiter, Flush};
use sluice_circuit::units::fork::Fork;
use sluice_circuit::units::load::{Load, Vector};

const ACCESS: Access = Access {
    bytes: 4,
    address_bits: 16,
};

fn load() -> Load {
    Load {
        vector: Vector {
            lanes: 1,
            lane_bits: 32,
            alignment: 4,
        },
        access: ACCESS,
        outstanding: 4,
        results: 4,
        enable: Enable::Always,
    }
}

fn fork() -> Fork {
    Fork {
        fields: Fields::new([8]),
        outputs: vec![vec![0], vec![]],
    }
}

fn arbiter() -> Arbiter {
    Arbiter {
        readers: 2,
        writers: 1,
        access: ACCESS,
        outstanding: 8,
        flush: Flush::None,
    }
}

/// The message with which adding something fails.
fn failure(add: impl FnOnce(&mut Circuit, Channel)) -> String {
    let mut circuit = Circuit::new("mistakes");
    let byte = circuit.add_channel("byte", Fields::new([8]));
    let result = catch_unwind(AssertUnwindSafe(|| add(&mut circuit, byte)));
    let payload = result.expect_err("it is refused");
    match payload.downcast::<String>() {
        Ok(message) => *message,
        Err(payload) => (*payload.downcast::<&str>().expect("a message")).to_string(),
    }
}

#[test]
fn ports_that_are_not_connected_get_channels_named_after_them() {
    let mut circuit = Circuit::new("load");
    let address = circuit.add_channel("address", Fields::new([16]));
    let unit = circuit.unit("load", load()).input(Load::IN, address);
    let unit = unit.with_new_channels().add();
    assert_eq!(unit.input(Load::IN), address);
    let name = |channel: Channel| circuit.channels()[channel].name.as_str();
    assert_eq!(name(unit.input(Load::RESPONSE)), "load_response");
    assert_eq!(name(unit.output(Load::OUT)), "load_out");
    let request = unit.output(Load::REQUEST);
    let data = &circuit.channels()[request];
    assert_eq!(data.name, "load_request");
    assert_eq!(data.fields, ACCESS.request());
    assert_eq!(data.from, End::Unit(unit.unit, 1));
}

#[test]
fn typed_ports_stand_where_the_unit_lists_them() {
    let mut circuit = Circuit::new("arbiter");
    let names = |ports: Vec<sluice_circuit::unit::Port>| -> Vec<String> {
        ports.into_iter().map(|port| port.name).collect()
    };
    let arbiter = Arbiter {
        flush: Flush::Passed,
        ..arbiter()
    };
    let (inputs, outputs) = (names(arbiter.inputs()), names(arbiter.outputs()));
    assert_eq!(inputs, ["from_0", "from_1", "from_2", "response", "flush"]);
    assert_eq!(outputs, ["to_0", "to_1", "request", "flush_out"]);
    let unit = circuit.unit("arbiter", arbiter.clone());
    let unit = unit.with_new_channels().add();
    let name = |channel: Channel| circuit.channels()[channel].name.as_str();
    assert_eq!(name(unit.input(Arbiter::from(2))), "arbiter_from_2");
    assert_eq!(name(unit.input(arbiter.flush())), "arbiter_flush");
    assert_eq!(name(unit.output(arbiter.request())), "arbiter_request");
}

#[test]
fn a_port_that_is_left_open_is_refused() {
    let message = failure(|circuit, byte| {
        circuit.unit("copy", fork()).input(Fork::IN, byte).add();
    });
    assert_eq!(message, "copy: out_0 is not connected");
}

#[test]
fn a_port_that_is_connected_twice_is_refused() {
    let message = failure(|circuit, byte| {
        let unit = circuit.unit("copy", fork());
        let unit = unit.input(Fork::IN, byte).input(Fork::IN, byte);
        unit.with_new_channels().add();
    });
    assert!(message.contains("copy: in is connected once"), "{message}");
}

#[test]
fn a_port_that_the_parameters_do_not_give_is_refused() {
    let message = failure(|circuit, byte| {
        let unit = circuit.unit("copy", fork()).output(Fork::out(2), byte);
        unit.with_new_channels().add();
    });
    assert_eq!(message, "copy: there is no port out_2");
    let message = failure(|circuit, byte| {
        let unit = circuit.unit("share", arbiter());
        let unit = unit.input(arbiter().flush(), byte);
        unit.with_new_channels().add();
    });
    assert_eq!(message, "share: there is no port flush");
    // The port of an arbiter with fewer requesters.
    let message = failure(|circuit, byte| {
        let smaller = Arbiter {
            writers: 0,
            ..arbiter()
        };
        let unit = circuit.unit("share", arbiter());
        let unit = unit.input(smaller.response(), byte);
        unit.with_new_channels().add();
    });
    assert!(message.contains("share: the port at 2"), "{message}");
}

#[test]
fn a_channel_with_other_fields_is_refused() {
    let message = failure(|circuit, byte| {
        let unit = circuit.unit("load", load()).input(Load::IN, byte);
        unit.with_new_channels().add();
    });
    assert!(message.contains("load: c0 fits its port"), "{message}");
}
