//! What the entries of loops say.

use sluice_kernel::loops::MOST_COPIES;
use sluice_kernel::plan::{LoopKey, LoopWay, Unroll, names};

use super::apply::{AUTO, Checked, check_reasons, list, unknown_place};
use super::file::{Factor, LoopEntry, Name, NumberOrWord, PlanMistake};

/// All iterations of a loop.
const FULL: &str = "full";

/// A loop, and the way that an entry gives it; none if the rules are to choose.
pub(super) fn loop_plan(
    name: &Name,
    entry: &LoopEntry,
    loops: &[names::NamedLoop],
) -> Checked<(LoopKey, Option<LoopWay>)> {
    let given = [
        ("way", entry.way.is_some()),
        ("coalesce", entry.coalesce.is_some()),
        ("unroll", entry.unroll.is_some()),
    ];
    check_reasons(&entry.reason, &given)?;
    let Some(named) = loops.iter().find(|it| it.name == name.text) else {
        let all = loops.iter().map(|it| it.name.as_str());
        return Err(unknown_place(name, "loop", list(all)));
    };
    let Some(way) = entry.way.as_ref().filter(|way| way.text != AUTO) else {
        return Ok((named.key, None));
    };
    let known = LoopWay::ALL.into_iter().find(|it| it.name() == way.text);
    let known = known.ok_or_else(|| {
        let all = LoopWay::ALL.map(|it| format!("`{}`", it.name())).join(", ");
        PlanMistake::new(
            &way.span,
            format!("the way of a loop cannot be `{}`", way.text),
            format!("one of {all}, or `{AUTO}` for what suits the loop"),
        )
    })?;
    Ok((named.key, Some(known)))
}

/// How far a loop is unrolled.
pub(super) fn unroll_of(factor: &Factor) -> Checked<Unroll> {
    let (most, shown) = match &factor.what {
        NumberOrWord::Word(word) if word == FULL => return Ok(Unroll::Full),
        NumberOrWord::Number(number) => match u32::try_from(*number) {
            Ok(count @ 1..=MOST_COPIES) => return Ok(Unroll::By(count)),
            _ => (MOST_COPIES, number.to_string()),
        },
        NumberOrWord::Word(word) => (MOST_COPIES, format!("`{word}`")),
    };
    Err(PlanMistake::new(
        &factor.span,
        format!("unroll cannot be {shown}"),
        format!("a number from 1 to {most}, or `{FULL}` for all iterations"),
    ))
}
