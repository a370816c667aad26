//! The requests of a cache on their way to and through its tags.

use crate::elastic::SKID_DEPTH;

/// What a request does.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Kind {
    #[default]
    Load,
    Store,
    /// The line of this place leaves.
    Flush,
}

/// A request on its way to and through the tags.
#[derive(Clone, Copy, Default)]
pub(super) struct Look {
    pub(super) kind: Kind,
    pub(super) word: u8,
    /// The line's place.
    pub(super) index: u32,
    pub(super) line: u64,
}

/// The requests from the entrance to the tags' answer. They keep their places in a ring while they
/// move on.
#[derive(Default)]
pub(super) struct Looks {
    places: [Look; Looks::PLACES],
    first: usize,
    /// The first one has its tag.
    is_answered: bool,
    /// The next one's tag is being read.
    is_asked: bool,
    /// Those behind them, in a skid buffer.
    entered: usize,
}

impl Looks {
    const PLACES: usize = 2 + SKID_DEPTH;

    /// Whether there is one that will have its tag.
    #[inline]
    pub(super) fn are_coming(&self) -> bool {
        self.is_asked || self.entered > 0
    }

    /// Whether nothing is in the entrance.
    #[inline]
    pub(super) fn is_entrance_empty(&self) -> bool {
        self.entered == 0
    }

    /// Whether another one can enter.
    #[inline]
    pub(super) fn has_room(&self) -> bool {
        self.entered < SKID_DEPTH
    }

    #[inline]
    pub(super) fn push(&mut self, look: Look) {
        let before = usize::from(self.is_answered) + usize::from(self.is_asked) + self.entered;
        self.places[(self.first + before) % Looks::PLACES] = look;
        self.entered += 1;
    }

    /// The one that has its tag.
    #[inline]
    pub(super) fn answered(&self) -> Option<Look> {
        self.is_answered
            .then(|| self.places[self.first % Looks::PLACES])
    }

    /// All move on, and the one that has its tag leaves.
    #[inline]
    pub(super) fn advance(&mut self) {
        self.first = (self.first + usize::from(self.is_answered)) % Looks::PLACES;
        self.is_answered = self.is_asked;
        self.is_asked = self.entered > 0;
        self.entered -= usize::from(self.is_asked);
    }
}
