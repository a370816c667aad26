//! What is said on standard error beside what the API answers: each message once per process.

use std::collections::BTreeSet;
use std::sync::Mutex;

static SAID: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());

/// Most different messages that are remembered; what comes then is not said.
const MOST: usize = 1000;

/// Says something, unless it was said before.
pub(crate) fn say_once(message: &str) {
    let mut said = SAID.lock().unwrap_or_else(|it| it.into_inner());
    if said.len() < MOST && said.insert(message.to_owned()) {
        eprintln!("sluice: {message}");
    }
}
