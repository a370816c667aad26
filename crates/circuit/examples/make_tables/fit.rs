//! Fits the coefficients of a table, and writes them as Verilog. Only the four operations and the
//! square root of binary64 are used, which give the same bits everywhere.

use std::f64::consts::{FRAC_PI_2, LN_2, LOG2_E, LOG10_E};
use std::fmt::Write;

use sluice_circuit::elementary::quadratic::{Quadratic, Row, Term};
use sluice_circuit::elementary::tables::{Curve, Table};

/// Where a quadratic meets the curve: the roots of the third Chebyshev polynomial, moved to [0, 1].
/// Then the error is nearly as small as any quadratic's.
const NODES: [f64; 3] = [0.066_987_298_107_780_7, 0.5, 0.933_012_701_892_219_3];

/// The arguments per piece at which the error is looked at.
const SAMPLES: u64 = 1 << 10;

/// Slopes that are tried on either side, for a beginning that is given.
const SLOPES: u64 = 32;

/// Bits of a float below 1 behind the point.
const FLOAT: u32 = 24;

/// The Verilog file of a table. It is logic: a block memory, which synthesis would choose for a larger
/// table with a register behind it, is too slow to have a multiplier behind that.
pub fn verilog(table: &Table) -> String {
    let Quadratic { index, .. } = table.quadratic;
    let row = table.quadratic.row();
    let module = table.source.file.strip_suffix(".v");
    let module = module.expect("the file of a module ends in .v");
    let mut text = format!(
        "// {}\n// Written by the example `make_tables`.\n`default_nettype none\n\n\
         module {module} #(\n    parameter INDEX = {index},\n    parameter ROW   = {row}\n) (\n    \
         input  wire [INDEX-1:0] index,\n    output reg  [ROW-1:0]   row\n);\n    \
         always @* begin\n        (* logic_block *)\n        case (index)\n",
        title(table.curve),
    );
    let digits = row.div_ceil(4) as usize;
    for piece in 0..1 << index {
        let Row { c0, c1, c2 } = fit(table, piece);
        let bits = (u128::from(c0) << table.quadratic.c1 | u128::from(c1)) << table.quadratic.c2
            | u128::from(c2);
        writeln!(
            text,
            "            {index}'d{piece}: row = {row}'h{bits:0digits$x};"
        )
        .expect("strings accept all text");
    }
    text + "        endcase\n    end\nendmodule\n\n`default_nettype wire\n"
}

fn title(curve: Curve) -> &'static str {
    match curve {
        Curve::Exp2 => "Coefficients of 2^x, x in [0, 1).",
        Curve::Recip => "Coefficients of 1/(1 + x), x in [0, 1).",
        Curve::Log => "Coefficients of ln(m)/(m - 1), m in [1, 1.5), then in [0.75, 1).",
        Curve::Log2 => "Coefficients of log2(m)/(m - 1), m in [1, 1.5), then in [0.75, 1).",
        Curve::Log10 => "Coefficients of log10(m)/(m - 1), m in [1, 1.5), then in [0.75, 1).",
        Curve::Trig => {
            "Coefficients of cos(x), then of sin(x)/2x, x in quarter turns, in [0, 1/2)."
        }
        Curve::Rsqrt => "Coefficients of 1/sqrt(m): m is 1 + x, then 2 + 2x, x in [0, 1).",
    }
}

/// The curve at `t` of a piece.
fn value(table: &Table, piece: u64, t: f64) -> f64 {
    let pieces = |bits: u32| (1u64 << bits) as f64;
    let index = table.quadratic.index;
    match table.curve {
        Curve::Exp2 => exp((piece as f64 + t) / pieces(index) * LN_2),
        Curve::Recip => 1.0 / (1.0 + (piece as f64 + t) / pieces(index)),
        Curve::Log => log_factor(piece, t, index),
        Curve::Log2 => log_factor(piece, t, index) * LOG2_E,
        Curve::Log10 => log_factor(piece, t, index) * LOG10_E,
        Curve::Trig => {
            let half = 1 << (index - 1);
            let x = ((piece % half) as f64 + t) / pieces(index);
            let angle = x * FRAC_PI_2;
            if piece < half {
                wave(angle, 0)
            } else {
                wave(angle, 1) * FRAC_PI_2 / 2.0
            }
        }
        Curve::Rsqrt => {
            let half = 1 << (index - 1);
            let x = ((piece % half) as f64 + t) / pieces(index - 1);
            let scale = if piece < half { 1.0 } else { 2.0 };
            1.0 / (scale * (1.0 + x)).sqrt()
        }
    }
}

/// e to the power of x, by its series.
fn exp(x: f64) -> f64 {
    (1..30)
        .rev()
        .fold(1.0, |sum, n| 1.0 + x / f64::from(n) * sum)
}

/// ln(m) / (m - 1), by the series of the inverse hyperbolic tangent.
fn log_factor(piece: u64, t: f64, index: u32) -> f64 {
    let x = (piece as f64 + t) / (1u64 << index) as f64;
    let halved = piece >> (index - 1) == 1;
    let off = if halved { (x - 1.0) / 2.0 } else { x };
    let ratio = off / (2.0 + off);
    let square = ratio * ratio;
    let series = (0..30)
        .rev()
        .fold(0.0, |sum, n| 1.0 / f64::from(2 * n + 1) + square * sum);
    2.0 / (2.0 + off) * series
}

/// The series that begins with 1 and whose terms' signs alternate: cos(x) if `skipped` is 0,
/// sin(x) / x if it is 1.
fn wave(x: f64, skipped: u32) -> f64 {
    let square = x * x;
    (1..15).rev().fold(1.0, |sum, n| {
        let next = f64::from((2 * n - 1 + skipped) * (2 * n + skipped));
        1.0 - square / next * sum
    })
}

/// How a curve's first piece begins.
enum Beginning {
    /// As is best for the rest of it.
    Any,
    /// Exactly.
    Exact,
    /// Most units that it is lower, which are rounded away.
    Lower { by: u64 },
}

fn beginning(table: &Table) -> Beginning {
    match table.curve {
        Curve::Log | Curve::Log2 | Curve::Log10 => Beginning::Any,
        Curve::Recip | Curve::Rsqrt if table.point > FLOAT => Beginning::Lower {
            by: (1 << (table.point - FLOAT)) / 2 - 1,
        },
        Curve::Exp2 | Curve::Recip | Curve::Rsqrt | Curve::Trig => Beginning::Exact,
    }
}

fn sign(term: Term) -> f64 {
    match term {
        Term::Plus => 1.0,
        Term::Minus => -1.0,
    }
}

/// The coefficients of a piece. Each is rounded before the one below it is fitted, which makes up
/// for most of what that loses; the constant is such that the errors of what the circuit computes,
/// its truncations included, are as large above as below. Where powers of two and the like must come
/// out exact, the first piece begins so.
fn fit(table: &Table, piece: u64) -> Row {
    let quadratic = &table.quadratic;
    let scale = (1u64 << table.point) as f64;
    let curve = |t: f64| value(table, piece, t) * scale;
    let [y0, y1, y2] = NODES.map(curve);
    let slope = (y1 - y0) / (NODES[1] - NODES[0]);
    let curvature = ((y2 - y1) / (NODES[2] - NODES[1]) - slope) / (NODES[2] - NODES[0]);
    let (outer, inner) = (sign(quadratic.outer), sign(quadratic.inner));
    let c2 = (curvature * outer * inner).round();
    let rest = |t: f64| curve(t) - outer * inner * c2 * t * t;
    let c1 = ((rest(NODES[2]) - rest(NODES[0])) / (NODES[2] - NODES[0]) * outer).round();
    assert!(
        c1 >= 0.0 && c2 >= 0.0,
        "piece {piece} of {:?} bends as declared",
        table.curve
    );
    let mut row = Row {
        c0: curve(0.0).round() as u64,
        c1: c1 as u64,
        c2: c2 as u64,
    };
    let start = row.c0;
    let (least, most) = errors(quadratic, row, curve);
    row.c0 = start.wrapping_add_signed(-((least + most) / 2.0).round() as i64);
    if piece == 0 {
        row.c0 = match beginning(table) {
            Beginning::Any => row.c0,
            Beginning::Exact => start,
            Beginning::Lower { by } => row.c0.clamp(start - by, start),
        };
        row.c1 = best_slope(quadratic, row, curve);
    }
    check(quadratic, row);
    row
}

/// The arguments at which the error is looked at, both ends among them.
fn samples(quadratic: &Quadratic) -> impl Iterator<Item = u64> {
    let last = (1u64 << quadratic.rest) - 1;
    (0..=SAMPLES).map(move |sample| (last * sample) / SAMPLES)
}

/// The least and the largest error of a piece.
fn errors(quadratic: &Quadratic, row: Row, curve: impl Fn(f64) -> f64) -> (f64, f64) {
    let length = (1u64 << quadratic.rest) as f64;
    let errors = samples(quadratic).map(|t| quadratic.at(row, t) as f64 - curve(t as f64 / length));
    errors.fold((f64::MAX, f64::MIN), |(least, most), error| {
        (least.min(error), most.max(error))
    })
}

/// The slope that fits a given beginning best.
fn best_slope(quadratic: &Quadratic, row: Row, curve: impl Fn(f64) -> f64) -> u64 {
    let size = |c1: u64| {
        let (least, most) = errors(quadratic, Row { c1, ..row }, &curve);
        most.max(-least)
    };
    let near = row.c1.saturating_sub(SLOPES)..=row.c1 + SLOPES;
    near.min_by(|&a, &b| size(a).total_cmp(&size(b)))
        .expect("the range is not empty")
}

/// Everything fits the widths: coefficients, slopes and values.
fn check(quadratic: &Quadratic, row: Row) {
    let fits = |value: u64, width: u32| assert!(value >> width == 0, "{row:?} fits {quadratic:?}");
    fits(row.c0, quadratic.c0);
    fits(row.c1, quadratic.c1);
    fits(row.c2, quadratic.c2);
    let slope = match quadratic.inner {
        Term::Plus => row.c1 + row.c2,
        Term::Minus => row.c1,
    };
    fits(slope, quadratic.c1);
    samples(quadratic).for_each(|t| fits(quadratic.at(row, t), quadratic.c0));
}
