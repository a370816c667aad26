//! Work-items' ids, from their positions: groups one after the other, work-items of a group one
//! after the other.

use crate::{ir::Query, launch::NdRange};

/// An index space, prepared for going through it.
pub(super) struct IndexSpace {
    pub range: NdRange,
    /// Sizes of a group in each dimension, then numbers of groups.
    sizes: [u64; 6],
    /// The coordinate that tells neighbours apart.
    fastest: usize,
}

/// A work-item's local id, then its group's.
pub(super) struct Coordinates([u64; 6]);

impl IndexSpace {
    /// Prepares an index space.
    pub fn new(range: NdRange) -> IndexSpace {
        let [x, y, z] = range.local;
        let [groups_x, groups_y, groups_z] = range.num_groups();
        let sizes = [x, y, z, groups_x, groups_y, groups_z];
        IndexSpace {
            range,
            sizes,
            fastest: sizes.iter().position(|&size| size > 1).unwrap_or(0),
        }
    }

    /// The coordinates of the n-th work-item.
    pub fn coordinates(&self, mut position: u64) -> Coordinates {
        Coordinates(self.sizes.map(|size| {
            let coordinate = position % size;
            position /= size;
            coordinate
        }))
    }

    /// The global id of the n-th work-item.
    pub fn global_id(&self, position: u64) -> [u64; 3] {
        let at = self.coordinates(position);
        std::array::from_fn(|dim| self.global(&at, dim))
    }

    /// The local id of the n-th work-item, and the id of its group.
    pub fn local_and_group_id(&self, position: u64) -> [[u64; 3]; 2] {
        let Coordinates([x, y, z, group_x, group_y, group_z]) = self.coordinates(position);
        [[x, y, z], [group_x, group_y, group_z]]
    }

    fn global(&self, Coordinates(at): &Coordinates, dim: usize) -> u64 {
        self.range.offset[dim] + at[dim + 3] * self.range.local[dim] + at[dim]
    }

    /// How many work-items from here on differ in the fastest coordinate alone.
    pub fn run_length(&self, Coordinates(at): &Coordinates) -> u64 {
        self.sizes[self.fastest] - at[self.fastest]
    }

    /// Goes on by at most as many work-items as a run is long.
    pub fn advance(&self, Coordinates(at): &mut Coordinates, by: u64) {
        at[self.fastest] += by;
        for axis in self.fastest..5 {
            if at[axis] < self.sizes[axis] {
                return;
            }
            at[axis] = 0;
            at[axis + 1] += 1;
        }
    }

    /// A work-item function, and what it grows by from one work-item of a run to the next.
    pub fn query(&self, at: &Coordinates, query: Query, dim: usize) -> (u64, u64) {
        let grows = |coordinate: usize| u64::from(coordinate == self.fastest);
        match query {
            // Groups are neighbours only if they have one work-item each.
            Query::GlobalId => (self.global(at, dim), grows(dim) | grows(dim + 3)),
            Query::LocalId => (at.0[dim], grows(dim)),
            Query::GroupId => (at.0[dim + 3], grows(dim + 3)),
            Query::GlobalSize => (self.range.global[dim], 0),
            Query::LocalSize => (self.range.local[dim], 0),
            Query::NumGroups => (self.sizes[dim + 3], 0),
            Query::GlobalOffset => (self.range.offset[dim], 0),
            Query::WorkDim => (self.range.dims.into(), 0),
            Query::ItemSlot | Query::GroupSlot => (0, 0),
        }
    }
}
