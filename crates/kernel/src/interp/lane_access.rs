//! Accesses of single lanes: the region that each goes to, and what is wrong with one that may not be
//! made.

use crate::ir::{AccessKind, Loc, Object, ObjectSet};

use super::{
    checks::{Observer, Watched},
    execute::Worker,
    fault::{Fault, SourceLocation, WorkItem},
    memory::{Region, STRIDE, Storage, base_of},
    program::Target,
    strip::Strip,
};

/// An access that one lane makes.
#[derive(Clone, Copy)]
pub(super) struct LaneAccess<'t> {
    pub target: &'t Target,
    pub kind: AccessKind,
    pub lane: usize,
    pub bytes: u32,
}

impl<'a, O: Observer> Worker<'a, O> {
    /// The region and offset of a lane's access, if it may be made.
    pub(super) fn find(
        &mut self,
        strip: &Strip,
        access: LaneAccess<'_>,
    ) -> Result<Option<(Region<'a>, u64)>, Box<Fault>> {
        let pointer = self.addresses[access.lane];
        let Some((number, offset)) = self.regions.locate(pointer) else {
            return self.violation(strip, access);
        };
        let region = *self.regions.region(number);
        let read_only = matches!(region.storage, Storage::ReadOnly(_));
        let allowed = self
            .regions
            .among(&access.target.objects, pointer)
            .is_some();
        if !allowed
            || offset + u64::from(access.bytes) > region.len
            || !offset.is_multiple_of(access.target.align.into())
            || (read_only && access.kind != AccessKind::Read)
        {
            return self.violation(strip, access);
        }
        if O::WATCHES {
            let object = self.regions.reported(&access.target.objects, pointer);
            let verdict = self.observer.watch(
                self.program,
                &self.space,
                Watched {
                    region: number,
                    of: region,
                    object: object.unwrap_or(region.object),
                    offset,
                    bytes: access.bytes,
                    kind: access.kind,
                    item: strip.first_item + access.lane as u64,
                    inst: access.target.inst,
                    strip,
                    lane: access.lane,
                    loc: access.target.loc,
                },
            );
            self.report(verdict)?;
        }
        Ok(Some((region, offset)))
    }

    fn violation<T>(
        &mut self,
        strip: &Strip,
        access: LaneAccess<'_>,
    ) -> Result<Option<T>, Box<Fault>> {
        if !self.options.checks.bounds {
            self.outcome.violations += 1;
            return Ok(None);
        }
        self.report(Err(Box::new(self.describe(strip, access))))?;
        Ok(None)
    }

    /// Notes a fault if they are collected.
    pub fn report(&self, verdict: Result<(), Box<Fault>>) -> Result<(), Box<Fault>> {
        match (verdict, self.options.findings) {
            (Err(fault), Some(findings)) => {
                findings.add(*fault);
                Ok(())
            }
            (verdict, _) => verdict,
        }
    }

    fn describe(&self, strip: &Strip, access: LaneAccess<'_>) -> Fault {
        let LaneAccess { kind, bytes, .. } = access;
        let pointer = self.addresses[access.lane];
        let item = self.work_item(strip, access.lane);
        let place = self.place(access.target.loc);
        if pointer.wrapping_add(1 << 32) < 1 << 33 {
            return Fault::NullPointer {
                kind,
                bytes,
                item,
                place,
            };
        }
        let Some((region, object, offset)) = self.intended(&access.target.objects, pointer) else {
            return Fault::WildPointer {
                kind,
                bytes,
                address: pointer,
                item,
                place,
            };
        };
        let object = self.program.kernel.objects[object].name.clone();
        let outside = offset < 0 || offset as u64 + u64::from(bytes) > region.len;
        let align = access.target.align;
        if outside {
            Fault::OutOfBounds {
                kind,
                bytes,
                offset,
                object,
                size: region.len,
                item,
                place,
            }
        } else if self
            .regions
            .among(&access.target.objects, pointer)
            .is_none()
        {
            Fault::OtherObject {
                kind,
                bytes,
                offset,
                object,
                item,
                place,
            }
        } else if offset % i64::from(align) != 0 {
            Fault::Misaligned {
                kind,
                bytes,
                align,
                offset,
                object,
                item,
                place,
            }
        } else {
            Fault::ReadOnly {
                bytes,
                offset,
                object,
                item,
                place,
            }
        }
    }

    /// The object that an access was meant for, and the offset from its beginning.
    fn intended(&self, objects: &ObjectSet, pointer: u64) -> Option<(Region<'a>, Object, i64)> {
        let from = |address: u64| {
            let region = *self.regions.of_pointer(address)?;
            let offset = pointer.wrapping_sub(address) as i64;
            let near = offset.unsigned_abs() < STRIDE / 2;
            near.then_some((region, offset))
        };
        if let Some(object) = objects.single()
            && let Some((region, offset)) = from(self.regions.address(object))
        {
            return Some((region, object, offset));
        }
        // Shortly before an object's first byte the region's number is one too small.
        let base = base_of(pointer);
        let (base, (region, offset)) = [base, base.wrapping_add(STRIDE)]
            .into_iter()
            .find_map(|base| Some((base, from(base)?)))?;
        let object = self.regions.reported(objects, base)?;
        Some((region, object, offset))
    }

    /// A lane's work-item.
    pub fn work_item(&self, strip: &Strip, lane: usize) -> WorkItem {
        self.item_at(strip.first_item + lane as u64)
    }

    /// The n-th work-item, groups one after the other.
    pub fn item_at(&self, position: u64) -> WorkItem {
        WorkItem(self.space.global_id(position))
    }

    /// A place in the source.
    pub fn place(&self, loc: Loc) -> SourceLocation {
        SourceLocation::new(&self.program.kernel, loc)
    }
}
