//! What is said on standard error beside what the API answers: each thing once per process.

use std::collections::BTreeSet;
use std::sync::Mutex;

static SAID: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());

/// Most different things that are remembered; what comes then is not said.
const MOST: usize = 1000;

/// Says something, unless something was said about the same before.
pub(crate) fn say_once(about: String, message: &str) {
    let mut said = SAID.lock().unwrap_or_else(|it| it.into_inner());
    if said.len() < MOST && said.insert(about) {
        eprintln!("sluice: {message}");
    }
}
