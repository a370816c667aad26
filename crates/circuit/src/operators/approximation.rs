//! The steps that the elementary functions share: looking coefficients up, evaluating a quadratic,
//! packing the result.

use super::product::Product;
use super::{Step, Tile};
use crate::area::Area;
use crate::arith::Format;
use crate::elementary::quadratic::Quadratic;
use crate::family::Delays;

const EXP: u32 = Format::F32.exp();
const MAN: u32 = Format::F32.man();

/// Bits of the exponent while it may be out of range.
pub const WIDE: u32 = EXP + 2;

/// The steps, with that many bits carried along.
pub fn beside(steps: impl IntoIterator<Item = Step>, width: u32) -> impl Iterator<Item = Step> {
    let wider = move |step: Step| Step::new(step.name, step.delay, step.width + width);
    steps.into_iter().map(wider)
}

/// A product's steps, if only its `used` high bits are needed.
pub fn high(ns: &Delays, product: &Product, kept: u32) -> impl Iterator<Item = Step> {
    let out = product.out;
    let cut = move |step: Step| {
        let width = if step.width == out { kept } else { step.width };
        Step::new(step.name, step.delay, width)
    };
    product.steps(ns).into_iter().map(cut)
}

/// Looking a row up; index bits fan out to all columns.
pub fn look_up(ns: &Delays, quadratic: &Quadratic) -> Step {
    let levels = f64::from(quadratic.index) / 2.0;
    Step::new(
        "look up",
        ns.fan_out + ns.lut * levels,
        quadratic.row() + quadratic.rest,
    )
}

/// A quadratic's two products.
fn products(quadratic: &Quadratic, tile: Tile) -> [Product; 2] {
    let product = |a, b| Product {
        a,
        b,
        out: a + b,
        tile,
    };
    [
        product(quadratic.short, quadratic.c2),
        product(quadratic.rest, quadratic.c1),
    ]
}

/// The ten steps of `sluice_quadratic`.
pub fn quadratic_steps(ns: &Delays, quadratic: &Quadratic, tile: Tile) -> Vec<Step> {
    let &Quadratic {
        rest, c0, c1, c2, ..
    } = quadratic;
    let [curve, rise] = products(quadratic, tile);
    let mut steps: Vec<Step> = beside(high(ns, &curve, c2), c0 + c1 + rest).collect();
    steps.push(Step::new("add the curvature", ns.carry(c1), c0 + c1 + rest));
    steps.extend(beside(high(ns, &rise, c1), c0));
    steps.push(Step::new("add the rise", ns.carry(c0), c0));
    steps
}

/// The multiplications of a quadratic.
pub fn quadratic_area(quadratic: &Quadratic, tile: Tile) -> Area {
    products(quadratic, tile).iter().map(Product::area).sum()
}

/// The parameters that a module hands to its table and its quadratic.
pub fn quadratic_parameters(quadratic: &Quadratic, tile: Tile) -> Vec<(&'static str, u64)> {
    let &Quadratic {
        index,
        rest,
        short,
        c0,
        c1,
        c2,
        outer: _,
        inner: _,
    } = quadratic;
    let widths = [
        ("INDEX", index),
        ("REST", rest),
        ("SHORT", short),
        ("C0", c0),
        ("C1", c1),
        ("C2", c2),
        ("TILE_A", tile.a),
        ("TILE_B", tile.b),
    ];
    widths.map(|(name, bits)| (name, bits.into())).into()
}

/// The three steps of `sluice_pack`, for significands with `extra` bits more than a float has and
/// shifts of `amount` bits.
pub fn pack_steps(ns: &Delays, guard: u32, amount: u32) -> [Step; 3] {
    let held = 3 + EXP + MAN + 1 + guard;
    let range = match amount {
        0 => ns.tree(WIDE) + ns.lut,
        _ => ns.carry(WIDE) + 2.0 * ns.lut,
    };
    let name = if amount == 0 { "no shift" } else { "shift" };
    let round = ns.tree(guard + 1) + ns.carry(EXP + MAN) + ns.lut;
    [
        Step::new("is it in range", range, held + amount),
        Step::new(
            name,
            ns.shift(amount) + if amount == 0 { 0.0 } else { ns.lut },
            held + amount.min(1),
        ),
        Step::new("round", round, EXP + MAN + 1),
    ]
}
