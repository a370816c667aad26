//! What a pragma or an attribute says about a loop.

use sluice_kernel::ir::{Coalesce, Independence, LoopHints, Pipelining};

/// A hint as the source writes it, without `#pragma` or `__attribute__`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Directive {
    /// `ivdep`, `ivdep array(a)`, `ivdep safelen(4)`.
    Ivdep(Independence),
    /// `ii 2`.
    Interval(u32),
    /// `loop_coalesce`, `loop_coalesce 2`.
    Coalesce(Coalesce),
    /// `xcl_pipeline_loop`, `xcl_pipeline_loop(2)`.
    Pipeline(Option<u32>),
    /// `disable_loop_pipelining`.
    DoNotPipeline,
    /// `max_concurrency 1`.
    Concurrency(u32),
    /// `xcl_pipeline_workitems`.
    PipelineWorkItems,
}

/// Names that begin a pragma of this module.
const PRAGMAS: [&str; 5] = [
    "ivdep",
    "ii",
    "loop_coalesce",
    "disable_loop_pipelining",
    "max_concurrency",
];

/// Names of attributes of this module.
const ATTRIBUTES: [&str; 2] = ["xcl_pipeline_loop", "xcl_pipeline_workitems"];

impl Directive {
    /// Whether a pragma of this name is a hint.
    pub(crate) fn is_pragma(name: &str) -> bool {
        PRAGMAS.contains(&name)
    }

    /// Whether an attribute of this name is a hint.
    pub(crate) fn is_attribute(name: &str) -> bool {
        ATTRIBUTES.contains(&name)
    }

    /// Whether it has a meaning only for a loop.
    pub(crate) fn needs_loop(&self) -> bool {
        // Work-items always overlap.
        *self != Directive::PipelineWorkItems
    }

    /// Reads a hint; the error says what is expected.
    pub(crate) fn parse(text: &str) -> Result<Directive, String> {
        let words = words(text);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let (name, rest) = words.split_first().ok_or("a name is missing")?;
        let nothing = |directive: Directive| match rest {
            [] => Ok(directive),
            [..] => Err(format!("`{name}` has no arguments")),
        };
        match *name {
            "ivdep" => independence(rest).map(Directive::Ivdep),
            "ii" => number(name, rest, 1).map(Directive::Interval),
            "max_concurrency" => number(name, rest, 0).map(Directive::Concurrency),
            "loop_coalesce" if rest.is_empty() => Ok(Directive::Coalesce(Coalesce::All)),
            "loop_coalesce" => {
                let levels = number(name, rest, 1)?;
                Ok(Directive::Coalesce(Coalesce::Levels(levels)))
            }
            "xcl_pipeline_loop" if rest.is_empty() => Ok(Directive::Pipeline(None)),
            "xcl_pipeline_loop" => Ok(Directive::Pipeline(Some(number(name, rest, 1)?))),
            "disable_loop_pipelining" => nothing(Directive::DoNotPipeline),
            "xcl_pipeline_workitems" => nothing(Directive::PipelineWorkItems),
            other => Err(format!("`{other}` is no hint for loops")),
        }
    }

    /// Adds it to the hints of a loop; later ones replace earlier ones.
    pub(crate) fn apply(self, hints: &mut LoopHints) {
        match self {
            Directive::Ivdep(independence) => hints.independence.push(independence),
            Directive::Interval(cycles) => hints.interval = Some(cycles),
            Directive::Coalesce(coalesce) => hints.coalesce = Some(coalesce),
            Directive::Pipeline(cycles) => {
                hints.pipelining = Some(Pipelining::Wanted);
                hints.interval = cycles.or(hints.interval);
            }
            Directive::DoNotPipeline => hints.pipelining = Some(Pipelining::Never),
            Directive::Concurrency(most) => hints.concurrency = Some(most),
            Directive::PipelineWorkItems => hints.work_items = true,
        }
    }

    /// The array that it is about.
    pub(crate) fn array(&self) -> Option<&str> {
        match self {
            Directive::Ivdep(independence) => independence.array.as_deref(),
            Directive::Interval(_)
            | Directive::Coalesce(_)
            | Directive::Pipeline(_)
            | Directive::DoNotPipeline
            | Directive::Concurrency(_)
            | Directive::PipelineWorkItems => None,
        }
    }
}

/// `array(a) safelen(4)`, in any order.
fn independence(mut words: &[&str]) -> Result<Independence, String> {
    let mut found = Independence {
        array: None,
        safe_length: None,
        conflict: None,
    };
    while let [name, rest @ ..] = words {
        let (is_new, left) = match (*name, rest) {
            ("array", ["(", array, ")", left @ ..]) => {
                (found.array.replace((*array).to_owned()).is_none(), left)
            }
            ("safelen", ["(", length, ")", left @ ..]) => {
                let length = number("safelen", &[*length], 2)?;
                (found.safe_length.replace(length).is_none(), left)
            }
            _ => return Err("`ivdep` is followed by `array(NAME)`, `safelen(N)` or both".into()),
        };
        if !is_new {
            return Err(format!("`{name}` is given twice"));
        }
        words = left;
    }
    Ok(found)
}

/// `4` or `(4)`.
fn number(name: &str, words: &[&str], least: u32) -> Result<u32, String> {
    let number = match words {
        [number] | ["(", number, ")"] => number.trim_end_matches(['u', 'U']).parse().ok(),
        _ => None,
    };
    let number: Option<u32> = number.filter(|&number| number >= least);
    number.ok_or_else(|| format!("`{name}` needs a number of at least {least}"))
}

/// Words and numbers, and other characters one by one.
fn words(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut is_open = false;
    for c in text.chars() {
        let is_word = c.is_alphanumeric() || c == '_';
        match words.last_mut() {
            Some(word) if is_word && is_open => word.push(c),
            _ if c.is_whitespace() => {}
            _ => words.push(c.to_string()),
        }
        is_open = is_word;
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directives_are_read_as_documented() {
        let ivdep = |array: Option<&str>, safe_length| {
            Ok(Directive::Ivdep(Independence {
                array: array.map(str::to_owned),
                safe_length,
                conflict: None,
            }))
        };
        assert_eq!(Directive::parse("ivdep"), ivdep(None, None));
        assert_eq!(
            Directive::parse("ivdep safelen(8) array( x1 )"),
            ivdep(Some("x1"), Some(8))
        );
        assert_eq!(Directive::parse("ii 3"), Ok(Directive::Interval(3)));
        assert_eq!(
            Directive::parse("xcl_pipeline_loop(2)"),
            Ok(Directive::Pipeline(Some(2)))
        );
        assert_eq!(
            Directive::parse("loop_coalesce"),
            Ok(Directive::Coalesce(Coalesce::All))
        );
        for wrong in [
            "ii",
            "ii 0",
            "ii N",
            "ivdep safelen(1)",
            "ivdep array",
            "max_concurrency x",
        ] {
            assert!(Directive::parse(wrong).is_err(), "{wrong}");
        }
    }
}
