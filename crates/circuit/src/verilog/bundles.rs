//! Modules around ones that have several channels side by side as one port: each channel gets ports of
//! its own.

use std::fmt::Write;

use super::instances::channel_connections;
use super::layout::wrapped;

/// The text of a module whose numbered channels are those of `inner` side by side.
pub(crate) fn numbered(module: &Numbered<'_>) -> String {
    let bundle = |end| {
        move |&(name, width, count): &Channels<'_>| Bundle {
            end,
            inner: name.to_owned(),
            width: width.to_owned(),
            outer: match count {
                Some(count) => (0..count).map(|at| format!("{name}_{at}")).collect(),
                None => vec![name.to_owned()],
            },
        }
    };
    let inputs = module.inputs.iter().map(bundle(End::Input));
    let outputs = module.outputs.iter().map(bundle(End::Output));
    side_by_side(module, &[], &inputs.chain(outputs).collect::<Vec<_>>())
}

/// Which end of channels a module has.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    Input,
    Output,
}

/// Channels that a module inside has side by side as one port.
pub(crate) struct Bundle {
    pub(crate) end: End,
    /// The port's name.
    pub(crate) inner: String,
    /// The width of each channel as an expression.
    pub(crate) width: String,
    /// The channels' names environment. The port inside is there also if there are none.
    pub(crate) outer: Vec<String>,
}

impl Bundle {
    /// Adds its ports and connections, and the wires of ports that are not used.
    fn connect(&self, header: &mut Vec<String>, wires: &mut String, connections: &mut Vec<String>) {
        let (name, width) = (&self.inner, &self.width);
        if self.outer.is_empty() {
            let (wire, ends) = match self.end {
                End::Input => (
                    format!("wire unused_{name}_ready;"),
                    [
                        "1'b0".into(),
                        format!("unused_{name}_ready"),
                        format!("{{{width}{{1'b0}}}}"),
                    ],
                ),
                End::Output => (
                    format!("wire unused_{name}_valid;\n    wire [{width}-1:0] unused_{name};"),
                    [
                        format!("unused_{name}_valid"),
                        "1'b0".into(),
                        format!("unused_{name}"),
                    ],
                ),
            };
            writeln!(wires, "    {wire}").expect("strings take all text");
            let ends = ends.each_ref().map(String::as_str);
            connections.push(channel_connections(name, ends));
            return;
        }
        let (from, to) = match self.end {
            End::Input => ("input ", "output"),
            End::Output => ("output", "input "),
        };
        let range = format!("[{width}-1:0] ");
        for (suffix, direction, range) in
            [("_valid", from, ""), ("_ready", to, ""), ("", from, &range)]
        {
            let names = self.outer.iter().map(|name| format!("{name}{suffix}"));
            let mut names: Vec<String> = names.collect();
            let declared = wrapped("    ", &names.join(", "));
            header.push(format!("{direction} wire {range}{}", declared.trim()));
            names.reverse();
            connections.push(format!(".{name}{suffix}({{{}}})", names.join(", ")));
        }
    }
}

/// The text of a module around another one that has these channels side by side; `literals` are further
/// parameters of the inner one, with their values as Verilog's constants.
pub(crate) fn side_by_side(
    module: &Numbered<'_>,
    literals: &[(&str, String)],
    bundles: &[Bundle],
) -> String {
    let mut header = vec!["input  wire clk".to_string(), "input  wire rst".to_string()];
    let mut connections = vec![".clk(clk), .rst(rst)".to_string()];
    let mut wires = String::new();
    for bundle in bundles {
        bundle.connect(&mut header, &mut wires, &mut connections);
    }
    let declared = module.parameters.iter();
    let declared = declared.map(|(name, value)| format!("parameter {name} = {value}"));
    let fixed = module
        .fixed
        .iter()
        .map(|(name, value)| format!(".{name}({value})"));
    let literals = literals
        .iter()
        .map(|(name, value)| format!(".{name}({value})"));
    let passed = module
        .parameters
        .iter()
        .map(|(name, _)| format!(".{name}({name})"));
    format!(
        "`default_nettype none\n\nmodule {} #(\n    {}\n) (\n    {}\n);\n{wires}    {} #({}) inner (\n        {}\n    );\nendmodule\n\n`default_nettype wire\n",
        module.name,
        declared.collect::<Vec<_>>().join(",\n    "),
        header.join(",\n    "),
        module.inner,
        fixed
            .chain(literals)
            .chain(passed)
            .collect::<Vec<_>>()
            .join(", "),
        connections.join(",\n        "),
    )
}

/// A channel of [`Numbered`]: name, width as an expression, how many there are.
pub(crate) type Channels<'a> = (&'a str, &'a str, Option<u32>);

/// A module around `name` whose channels have ports of their own.
pub(crate) struct Numbered<'a> {
    pub(crate) name: &'a str,
    /// The module that has the channels side by side.
    pub(crate) inner: &'a str,
    /// Its parameters that have one value here.
    pub(crate) fixed: &'a [(&'a str, u32)],
    /// With the values that they have when nothing is said.
    pub(crate) parameters: &'a [(&'a str, u32)],
    pub(crate) inputs: Vec<Channels<'a>>,
    pub(crate) outputs: Vec<Channels<'a>>,
}
