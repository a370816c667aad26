//! What makes work-items: the groups of a launch, and the items of groups.

use std::collections::BTreeMap;

use sluice_circuit::circuit::{Channel, Circuit, Constant};
use sluice_circuit::unit::{Fields, UnitKind};
use sluice_circuit::units::groups::{self, Groups};
use sluice_circuit::units::items::{Coordinate, Id, Items};

/// All identifiers of all dimensions, whole.
#[allow(dead_code, reason = "not all tests want all")]
pub fn all_ids() -> Vec<Coordinate> {
    let ids = [Id::Global, Id::Local, Id::Group];
    let coordinate = |id, dimension| Coordinate {
        id,
        dimension,
        width: 32,
    };
    (0..3)
        .flat_map(|dimension| ids.map(|id| coordinate(id, dimension)))
        .collect()
}

/// Constants for the sizes of a launch: `num_groups`, `local_size`, `offset`, each for three dimensions.
pub fn add_sizes(circuit: &mut Circuit) -> Vec<Constant> {
    let names = ["num_groups", "local_size", "offset"];
    let names = names
        .iter()
        .flat_map(|name| (0..3).map(move |d| format!("{name}_{d}")));
    names.map(|name| circuit.add_constant(name, 32)).collect()
}

/// What groups must bring so that their items have these identifiers.
fn of_groups(ids: &[Coordinate]) -> Vec<groups::Coordinate> {
    let mut widths = BTreeMap::new();
    for it in ids {
        let id = match it.id {
            Id::Global => groups::Id::Base,
            Id::Group => groups::Id::Group,
            Id::Local => continue,
        };
        let key = (it.dimension, id == groups::Id::Base);
        let (_, width) = widths.entry(key).or_insert((id, 0));
        *width = it.width.max(*width);
    }
    let coordinate = |((dimension, _), (id, width))| groups::Coordinate {
        id,
        dimension,
        width,
    };
    widths.into_iter().map(coordinate).collect()
}

/// Adds what makes work-items with these identifiers from a start on; gives where they come.
pub fn add(
    circuit: &mut Circuit,
    start: Channel,
    sizes: &[Constant],
    ids: Vec<Coordinate>,
) -> Channel {
    let outputs = of_groups(&ids);
    let unfold = Items {
        inputs: outputs.clone(),
        carried: Fields::NONE,
        outputs: ids,
        size_bits: vec![32; 3],
    };
    let deal = Groups {
        dimensions: 3,
        ways: 1,
        order: groups::Order::ToRoom,
        outputs,
    };
    let bases = || deal.bases();
    let of_bases = bases().map(|d| 3 + d).chain(bases().map(|d| 6 + d));
    let of_groups: Vec<Constant> = (0..3).chain(of_bases).map(|at| sizes[at]).collect();
    let group = circuit.add_channel("group", deal.outputs()[0].fields.clone());
    let item = circuit.add_channel("item", unfold.outputs()[0].fields.clone());
    let units: [(Box<dyn UnitKind>, _, _, _); 2] = [
        (Box::new(deal), start, group, of_groups),
        (Box::new(unfold), group, item, sizes[3..6].to_vec()),
    ];
    for (kind, input, output, constants) in units {
        circuit
            .any_unit(kind.word(), kind)
            .inputs_in_order([input])
            .outputs_in_order([output])
            .constants(constants)
            .add();
    }
    item
}
