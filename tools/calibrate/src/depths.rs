//! The number of registers between the operands of a pipeline and each of its registers, in a netlist.

use std::collections::{BTreeMap, HashMap};
use std::error::Error;
use std::fs;
use std::path::Path;

use serde::Deserialize;

#[derive(Deserialize)]
struct JsonNetlist {
    modules: BTreeMap<String, JsonModule>,
}

#[derive(Deserialize)]
struct JsonModule {
    #[serde(default)]
    attributes: BTreeMap<String, serde_json::Value>,
    #[serde(default)]
    cells: BTreeMap<String, Cell>,
}

#[derive(Deserialize)]
struct Cell {
    r#type: String,
    port_directions: BTreeMap<String, String>,
    connections: BTreeMap<String, Vec<Bit>>,
}

/// A net, or a constant as text.
#[derive(Deserialize)]
#[serde(untagged)]
enum Bit {
    Net(u64),
    #[allow(dead_code, reason = "constants drive no path")]
    Constant(String),
}

impl Cell {
    fn is_register(&self) -> bool {
        matches!(&*self.r#type, "TRELLIS_FF" | "DP16KD")
    }

    fn nets(&self, direction: &'static str) -> impl Iterator<Item = u64> + '_ {
        let ports = self.connections.iter();
        let ports = ports.filter(move |(port, _)| self.port_directions[*port] == direction);
        ports
            .flat_map(|(_, bits)| bits)
            .filter_map(|bit| match bit {
                Bit::Net(net) => Some(*net),
                Bit::Constant(_) => None,
            })
    }

    /// Where values come from that it computes with.
    fn sources(&self) -> impl Iterator<Item = u64> + '_ {
        let clocks = ["CLK", "CLKA", "CLKB", "CLK0"].into_iter();
        let clocks = clocks.filter_map(|port| match self.connections.get(port)?.first()? {
            Bit::Net(net) => Some(*net),
            Bit::Constant(_) => None,
        });
        let clocks: Vec<u64> = clocks.collect();
        self.nets("input").filter(move |net| !clocks.contains(net))
    }
}

/// By cell that is a register: how many registers a value passes from those that are `operands` to
/// it, itself included; zero for the operands' registers.
pub fn depths(
    netlist: &Path,
    is_operand: impl Fn(&str) -> bool,
) -> Result<HashMap<String, usize>, Box<dyn Error>> {
    let netlist: JsonNetlist = serde_json::from_slice(&fs::read(netlist)?)?;
    let mut modules = netlist.modules.into_values();
    let top = modules.find(|module| module.attributes.contains_key("top"));
    let cells = top.ok_or("the netlist has no top module")?.cells;
    let mut drivers = HashMap::new();
    for (name, cell) in &cells {
        drivers.extend(cell.nets("output").map(|net| (net, name.as_str())));
    }
    let mut search = Search {
        cells: &cells,
        drivers,
        known: HashMap::new(),
    };
    for name in cells.keys().filter(|name| is_operand(name)) {
        search.known.insert(name, 0);
    }
    let registers = cells.iter().filter(|(_, cell)| cell.is_register());
    Ok(registers
        .map(|(name, _)| (name.clone(), search.depth(name)))
        .collect())
}

struct Search<'a> {
    cells: &'a BTreeMap<String, Cell>,
    drivers: HashMap<u64, &'a str>,
    known: HashMap<&'a str, usize>,
}

impl<'a> Search<'a> {
    fn depth(&mut self, name: &'a str) -> usize {
        if let Some(&depth) = self.known.get(name) {
            return depth;
        }
        let cell = &self.cells[name];
        let mut depth = 0;
        for net in cell.sources() {
            if let Some(&driver) = self.drivers.get(&net) {
                depth = depth.max(self.depth(driver));
            }
        }
        depth += usize::from(cell.is_register());
        self.known.insert(name, depth);
        depth
    }
}
