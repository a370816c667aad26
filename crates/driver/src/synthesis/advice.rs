//! What would shorten a critical path: what the user can change about the unit that takes most of it,
//! and about the path as a whole.

use super::path::Step;

/// The share of routing from which distance is the problem.
const MOSTLY_ROUTING: f64 = 0.6;

/// How large a design is, as far as the user chooses it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Size {
    /// Datapaths of the kernel that has most of them.
    pub(crate) datapaths: u32,
    /// Whether it has caches.
    pub(crate) has_caches: bool,
}

/// What can be done about a path.
pub(crate) fn advice(steps: &[Step], mhz: f64, wanted_mhz: f64, size: Size) -> Vec<String> {
    let total: f64 = steps.iter().map(Step::ns).sum();
    let Some(worst) = steps.iter().max_by(|a, b| a.ns().total_cmp(&b.ns())) else {
        return Vec::new();
    };
    let mut advice = Vec::new();
    if let Some(change) = change_of_unit(worst) {
        let share = 100.0 * worst.ns() / total;
        let name = worst.name();
        advice.push(format!("{share:.0} % of the path is in {name}: {change}"));
    }
    let routing: f64 = steps.iter().map(|step| step.routing_ns).sum();
    if routing / total >= MOSTLY_ROUTING
        && let Some(smaller) = size.reduction()
    {
        advice.push(format!(
            "{:.0} % of the path is routing: a smaller design, with {smaller}, is placed closer \
             together",
            100.0 * routing / total
        ));
    }
    if mhz < wanted_mhz {
        advice.push(format!(
            "as it is, the design runs at {0} MHz: `clock.mhz = {0}` in a copy of the target's file \
             makes simulated times true, and pipelines shorter",
            mhz.floor()
        ));
    }
    advice
}

impl Size {
    /// What makes the design smaller, if the user can choose that.
    fn reduction(self) -> Option<&'static str> {
        match (self.datapaths, self.has_caches) {
            (0 | 1, false) => None,
            (0 | 1, true) => Some("smaller caches (`cache_bytes` in a plan)"),
            (_, false) => Some("fewer --datapaths"),
            (_, true) => Some("fewer --datapaths or smaller caches (`cache_bytes` in a plan)"),
        }
    }
}

/// What makes a unit of this kind smaller or faster; nothing if the user cannot change it.
fn change_of_unit(step: &Step) -> Option<String> {
    let text = match step.unit_kind() {
        "cache" => {
            "a smaller cache has fewer block memories, closer together: `cache_bytes` of its buffer \
             in a plan (`sluice plan` prints one)"
        }
        "memory_port" => "several memory ports (--banks) have fewer caches each to choose from",
        "arbiter" => {
            "it chooses among the accesses to one buffer: fewer accesses to it in the source, or \
             fewer --datapaths, make it smaller"
        }
        "segment" => {
            let operation = step.kind.split_once(", ").map_or("arithmetic", |it| it.1);
            return Some(format!(
                "a higher `clock.mhz` in the target's file puts more registers into `{operation}`"
            ));
        }
        "load" | "store" => {
            "it has room for as many accesses as external memory takes cycles: a smaller `latency` \
             in a plan makes its queues shorter"
        }
        "local_memory" => {
            "its banks hold all resident work-groups: --local-bytes and --work-group make it smaller"
        }
        "private_memory" | "rom" => {
            "smaller arrays and tables in the source need fewer block memories, closer together"
        }
        "barrier" | "group_slots" | "slots" => {
            "it has room for whole work-groups: a smaller --work-group makes it smaller"
        }
        "atomics" => "fewer atomic operations on one buffer make it smaller",
        "groups" | "items" | "turns" | "select" | "fork" | "join" => {
            "it is there for control flow: fewer --datapaths and fewer branches make it smaller"
        }
        "registers" => {
            "the host reads and writes a register for each argument: fewer kernel arguments make it \
             smaller"
        }
        _ => return None,
    };
    Some(text.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(unit: &str, kind: &str, logic_ns: f64, routing_ns: f64) -> Step {
        Step {
            unit: Some(unit.into()),
            part: None,
            kind: kind.into(),
            lines: Vec::new(),
            logic_ns,
            routing_ns,
        }
    }

    fn size(datapaths: u32, has_caches: bool) -> Size {
        Size {
            datapaths,
            has_caches,
        }
    }

    #[test]
    fn only_what_the_design_has_can_be_smaller() {
        let steps = [step("counter", "counter", 1.0, 5.0)];
        assert!(advice(&steps, 200.0, 140.0, size(1, false)).is_empty());
        let advice = advice(&steps, 200.0, 140.0, size(4, false));
        assert!(
            advice[0].contains("with fewer --datapaths, is"),
            "{advice:?}"
        );
    }

    #[test]
    fn the_longest_step_and_the_distance_decide() {
        let steps = [
            step("cache_a", "cache", 2.0, 5.0),
            step("line2_stage1", "segment, fadd", 1.0, 0.5),
        ];
        let advice = advice(&steps, 98.7, 140.0, size(2, true));
        assert_eq!(advice.len(), 3);
        assert!(advice[0].starts_with("82 % of the path is in cache_a: "));
        assert!(advice[0].contains("cache_bytes"));
        assert!(advice[1].starts_with("65 % of the path is routing"));
        assert!(advice[2].contains("`clock.mhz = 98`"));
    }

    #[test]
    fn a_segment_s_operator_is_named() {
        let steps = [step("line2_stage1", "segment, fadd", 4.0, 1.0)];
        let advice = advice(&steps, 200.0, 140.0, size(1, true));
        assert_eq!(advice.len(), 1);
        assert!(advice[0].ends_with("puts more registers into `fadd`"));
    }

    #[test]
    fn nothing_is_said_of_no_path() {
        assert!(advice(&[], 100.0, 140.0, size(1, true)).is_empty());
    }
}
