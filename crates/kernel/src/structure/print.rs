//! A control tree as indented text: one line per node, with its entry and the edges out of it.

use std::fmt::{self, Display, Formatter};

use super::{ControlTree, Edge, Node};

impl Display for ControlTree {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut work = vec![(self.root(), 0)];
        while let Some((node, depth)) = work.pop() {
            self.print_node(node, depth, f)?;
            let children = self.node(node).children.iter().rev();
            work.extend(children.map(|&child| (child, depth + 1)));
        }
        Ok(())
    }
}

impl ControlTree {
    fn print_node(&self, node: Node, depth: usize, f: &mut Formatter<'_>) -> fmt::Result {
        let data = self.node(node);
        let indent = 2 * depth;
        write!(
            f,
            "{:indent$}{node} {} {}",
            "",
            data.kind.name(),
            data.entry
        )?;
        for (at, edge) in data.exits.iter().enumerate() {
            let separator = if at == 0 { " : " } else { ", " };
            write!(f, "{separator}{edge}")?;
        }
        writeln!(f)
    }
}

impl Display for Edge {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.to {
            Some(to) => write!(f, "{}->{to}", self.from),
            None => write!(f, "{}->return", self.from),
        }
    }
}
