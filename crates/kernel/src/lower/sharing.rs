//! Arbiters before a cache or memory, where several units share a port.
//!
//! A write is done when the arbiter before the memory accepts it, so all writers are there. A read is
//! done when its response comes: where there are many units, readers share arbiters in front of that one.

use sluice_circuit::access::Access;
use sluice_circuit::circuit::{Channel, Circuit};
use sluice_circuit::units::arbiter::{Arbiter, Flush};

use super::users::{Answer, User};

/// Most units that one arbiter serves; where there are more, its readers have arbiters in front of it.
pub(super) const MOST_AT_ONE_ARBITER: usize = 128;

/// Most readers of an arbiter in front of another one: such an arbiter takes a cycle less than a wider one.
const MOST_IN_FRONT: usize = 16;

/// An arbiter to be, if one is needed.
pub(super) struct Sharing {
    pub(super) name: String,
    pub(super) access: Access,
    /// Reads under way.
    pub(super) outstanding: u32,
    /// A cache's flush passes there, too.
    pub(super) flush: Option<Channel>,
}

/// One port for all users of a cache or memory; gives where a flush comes out.
pub(super) fn share(
    circuit: &mut Circuit,
    sharing: Sharing,
    mut users: Vec<User>,
) -> (User, Option<Channel>) {
    if users.len() == 1 {
        return (users.remove(0), sharing.flush);
    }
    // Those who read come first: only they have a response.
    users.sort_by_key(|user| user.response().is_none());
    if users.len() > MOST_AT_ONE_ARBITER {
        users = share_in_front(circuit, &sharing, users);
    }
    let readers = users
        .iter()
        .filter(|user| user.response().is_some())
        .count();
    let arbiter = Arbiter {
        readers: readers as u32,
        writers: (users.len() - readers) as u32,
        access: sharing.access,
        outstanding: sharing.outstanding,
        flush: match sharing.flush {
            Some(_) => Flush::Passed,
            None => Flush::None,
        },
    };
    let mut unit = circuit.unit(sharing.name, arbiter.clone());
    unit = unit.inputs(sharing.flush.map(|flush| (arbiter.flush(), flush)));
    for (at, user) in users.iter().enumerate() {
        unit = unit
            .input(Arbiter::from(at), user.request)
            .outputs(user.response().map(|response| (Arbiter::to(at), response)));
    }
    let unit = unit.with_new_channels().add();
    let user = User {
        request: unit.output(arbiter.request()),
        answer: Answer::Response(unit.input(arbiter.response())),
    };
    let flush = sharing.flush.map(|_| unit.output(arbiter.flush_out()));
    (user, flush)
}

/// Gives readers arbiters in front of the one that all share.
fn share_in_front(circuit: &mut Circuit, sharing: &Sharing, users: Vec<User>) -> Vec<User> {
    let (readers, writers): (Vec<User>, Vec<User>) = users
        .into_iter()
        .partition(|user| user.response().is_some());
    let in_front = readers.chunks(MOST_IN_FRONT).enumerate();
    let in_front = in_front.map(|(at, readers)| {
        let name = format!("{}_{at}", sharing.name);
        share_reads(circuit, name, sharing, readers)
    });
    in_front
        .collect::<Vec<_>>()
        .into_iter()
        .chain(writers)
        .collect()
}

/// One port for some readers of a memory; in front of another arbiter, or of a local memory.
pub(super) fn share_reads(
    circuit: &mut Circuit,
    name: String,
    sharing: &Sharing,
    readers: &[User],
) -> User {
    let in_front = Sharing {
        name,
        flush: None,
        ..*sharing
    };
    share(circuit, in_front, readers.to_vec()).0
}
