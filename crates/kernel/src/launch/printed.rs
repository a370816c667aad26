//! The prints of a launch on a circuit, up to a limit: a kernel may print without end.

use std::sync::{Arc, Mutex, MutexGuard};

/// Prints of a launch that are kept.
pub const MOST_PRINTS: usize = 1 << 20;

/// What is said of prints that are not kept.
pub fn lost_prints(lost: u64) -> String {
    format!("[{lost} more prints are lost: {MOST_PRINTS} are kept]\n")
}

/// The prints that have left a circuit. Clones are the same.
#[derive(Clone, Debug, Default)]
pub(crate) struct Printed(Arc<Mutex<Prints>>);

#[derive(Debug, Default)]
struct Prints {
    /// Which print, and its arguments.
    kept: Vec<(usize, Vec<u64>)>,
    lost: u64,
}

impl Printed {
    fn lock(&self) -> MutexGuard<'_, Prints> {
        self.0.lock().expect("adding a print does not panic")
    }

    /// Adds a print, or counts it as lost.
    pub(crate) fn add(&self, print: usize, args: &[u64]) {
        let mut prints = self.lock();
        match prints.kept.len() < MOST_PRINTS {
            true => prints.kept.push((print, args.to_vec())),
            false => prints.lost += 1,
        }
    }

    /// How many there were, lost ones included.
    pub(crate) fn count(&self) -> u64 {
        let prints = self.lock();
        prints.kept.len() as u64 + prints.lost
    }

    /// All text, in the order in which it came, and how many prints are missing from it.
    pub(crate) fn text(&self, format: impl Fn(usize, &[u64]) -> Vec<u8>) -> Vec<u8> {
        let prints = self.lock();
        let kept = prints.kept.iter();
        let mut text: Vec<u8> = kept
            .flat_map(|(print, args)| format(*print, args))
            .collect();
        if prints.lost > 0 {
            text.extend(lost_prints(prints.lost).bytes());
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prints_beyond_the_limit_are_counted() {
        let printed = Printed::default();
        for print in 0..MOST_PRINTS + 2 {
            printed.add(print, &[7]);
        }
        let format = |print: usize, args: &[u64]| match print {
            1 => format!("{args:?}\n").into_bytes(),
            _ => Vec::new(),
        };
        let text = String::from_utf8(printed.text(format)).expect("text");
        assert_eq!(text, "[7]\n[2 more prints are lost: 1048576 are kept]\n");
    }
}
