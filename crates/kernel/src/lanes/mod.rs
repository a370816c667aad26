//! Lanes: a kernel whose tokens are several work-items with neighbouring ids in dimension 0.
//!
//! A token computes what all its work-items have in common once and everything else once for each of them,
//! in *lanes*. Uniform control flow stays as it is; where work-items may part, all ways are taken under
//! masks. The result is an ordinary kernel, of an index space that is shorter in dimension 0 by
//! the number of lanes: [`NdRange::in_lanes`](crate::launch::NdRange::in_lanes). Memory operations of lanes
//! are done in the order of the lanes.

mod build;
mod control;
mod divergence;
mod instructions;
mod legal;
mod level;
mod loops;
mod strides;
mod wide;

use crate::analysis::{Cfg, Dominators, Loops};
use crate::ir::Kernel;
use crate::passes;
use crate::prepare::Refusal;
use crate::structure::make_reducible;

use build::Builder;
use divergence::{Divergence, Flow};
use strides::Strides;
pub(crate) use wide::{pieces, whole};

/// The numbers of lanes that a kernel may have.
pub const CHOICES: [u32; 5] = [1, 2, 4, 8, 16];

/// Makes a verified kernel one whose tokens are this many work-items.
pub fn pack_lanes(kernel: &mut Kernel, lanes: u32) -> Result<(), Refusal> {
    assert!(CHOICES.contains(&lanes), "a kernel has 1 to 16 lanes");
    if lanes == 1 {
        return Ok(());
    }
    legal::check_size(kernel, lanes)?;
    let _ = make_reducible(kernel);
    let cfg = Cfg::of(kernel);
    kernel.retain_blocks(|&block| cfg.is_reachable(block));
    let loops = Loops::of(kernel, &cfg, &Dominators::of(kernel, &cfg));
    let flow = Flow::of(kernel, cfg, loops);
    let divergence = Divergence::of(kernel, &flow);
    legal::check_waits(kernel, &flow, &divergence, lanes)?;
    let strides = Strides::of(kernel, &flow, &divergence, lanes);
    let mut builder = Builder::new(kernel, &flow, &divergence, &strides, lanes as usize);
    builder.kernel();
    let mut packed = builder.to;
    let cfg = Cfg::of(&packed);
    packed.retain_blocks(|&block| cfg.is_reachable(block));
    packed.compact();
    *kernel = passes::optimise(packed).into_kernel();
    Ok(())
}
