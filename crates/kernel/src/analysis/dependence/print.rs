//! Dependences as text: for each loop its dependences through memory, its recurrences and its control.

use std::fmt;

use super::{
    Basis, Cause, DependenceKind, Dependences, Distance, LoopDependences, MemoryDependence, Node,
    Recurrence,
};

impl fmt::Display for Dependences {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (loop_, dependences) in self.iter() {
            let data = self.loops().get(loop_);
            write!(f, "{loop_}: {}", data.header)?;
            if let Some(parent) = data.parent {
                write!(f, " in {parent}")?;
            }
            match dependences.iterations {
                Some(count) => writeln!(f, ", at most {count} iterations")?,
                None => writeln!(f)?,
            }
            write!(f, "{dependences}")?;
        }
        Ok(())
    }
}

impl fmt::Display for LoopDependences {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for dependence in &self.memory {
            writeln!(f, "  {dependence}")?;
        }
        for inst in &self.ordered {
            writeln!(f, "  ordered: {inst}")?;
        }
        for recurrence in self.recurrences() {
            writeln!(f, "  {recurrence}")?;
        }
        let exits: Vec<String> = self.control.exits.iter().map(|it| it.to_string()).collect();
        let exits = match exits.is_empty() {
            true => "no exit".to_owned(),
            false => exits.join(", "),
        };
        let nodes = listed(&self.control.nodes);
        match (nodes.is_empty(), self.control.reads_memory) {
            (true, _) => writeln!(f, "  control: {exits}"),
            (false, false) => writeln!(f, "  control: {exits} by {nodes}"),
            (false, true) => writeln!(f, "  control: {exits} by {nodes}, reads memory"),
        }
    }
}

impl fmt::Display for MemoryDependence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let MemoryDependence {
            source, sink, kind, ..
        } = self;
        write!(
            f,
            "{kind}: {source} to {sink}, {} ({})",
            self.distance, self.basis
        )?;
        if let Some(narrowed) = &self.narrowed {
            match narrowed.distance {
                Some(distance) => write!(f, ", {distance} if {}", narrowed.conditions)?,
                None => write!(f, ", none if {}", narrowed.conditions)?,
            }
        }
        Ok(())
    }
}

impl fmt::Display for DependenceKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            DependenceKind::Flow => "flow",
            DependenceKind::Anti => "anti",
            DependenceKind::Output => "output",
            DependenceKind::Order => "order",
        })
    }
}

impl fmt::Display for Distance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Distance::Exactly(0) => f.write_str("same iteration"),
            Distance::Exactly(distance) => write!(f, "distance {distance}"),
            Distance::AtLeast(distance) => write!(f, "distance at least {distance}"),
        }
    }
}

impl fmt::Display for Basis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Basis::Exact => "exact",
            Basis::Data => "an address depends on data",
            Basis::UnknownAddress => "assumed: an address is not known",
            Basis::Aliasing => "assumed: the buffers may be the same",
            Basis::Ordered => "assumed: an access is atomic or volatile",
            Basis::NotLinear => "assumed: an address is not linear",
            Basis::MayWrap => "assumed: the computation of an address may wrap",
            Basis::TooLarge => "assumed: the question is too large",
        })
    }
}

impl fmt::Display for Recurrence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "recurrence: {}", listed(&self.nodes))?;
        let distances = self.edges.iter().filter(|edge| edge.distance > 0);
        let distances: Vec<String> = distances
            .map(|edge| {
                let cause = match edge.cause {
                    Cause::Value => String::new(),
                    Cause::Control => " by control".to_owned(),
                    Cause::Memory(kind) => format!(" by memory, {kind}"),
                };
                format!("{} to {} {}{cause}", edge.from, edge.to, edge.distance)
            })
            .collect();
        write!(f, "; carried: {}", distances.join("; "))
    }
}

fn listed(nodes: &[Node]) -> String {
    let nodes: Vec<String> = nodes.iter().map(Node::to_string).collect();
    nodes.join(" ")
}
