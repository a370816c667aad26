//! Linear least squares with coefficients that are not negative.

/// Most rounds of the solver; each improves every coefficient once.
const ROUNDS: usize = 20_000;

/// The change of all coefficients, relative to the largest, at which it stops.
const SETTLED: f64 = 1e-9;

/// What a coefficient is expected to be, and the weight of that, relative to that of the samples.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Expected {
    /// The coefficient.
    pub value: f64,
    /// The weight: an expectation with little weight decides where samples do not.
    pub weight: f64,
}

impl Expected {
    /// Nothing is known: coefficients that samples do not decide are zero.
    pub const NOTHING: Expected = Expected {
        value: 0.0,
        weight: 1e-3,
    };
}

/// A sample: what was measured, the quantities that it is made of by column, and its weight.
#[derive(Clone, Debug)]
pub struct Row {
    /// What was measured.
    pub value: f64,
    /// Quantities, by column.
    pub counts: Vec<(usize, f64)>,
}

/// The error of a sample counts relative to its value, or to this if it is less.
pub const FLOOR: f64 = 40.0;

/// The coefficients that fit the rows best: the sum of squares of relative errors is least. There are
/// as many as are `expected`; where rows do not tell, they are what is expected.
pub fn fit(rows: &[Row], expected: &[Expected]) -> Vec<f64> {
    let columns = expected.len();
    let mut matrix = vec![vec![0.0; columns]; columns];
    let mut right = vec![0.0; columns];
    for row in rows {
        let weight = row.value.max(FLOOR).powi(-2);
        for &(column, count) in &row.counts {
            right[column] += weight * count * row.value;
            for &(other, other_count) in &row.counts {
                matrix[column][other] += weight * count * other_count;
            }
        }
    }
    for (column, line) in matrix.iter_mut().enumerate() {
        let Expected { value, weight } = expected[column];
        right[column] += weight * line[column] * value;
        line[column] *= 1.0 + weight;
    }
    descend(&matrix, &right)
}

/// Minimises `x' matrix x / 2 - right' x` over vectors without negative components, one component
/// at a time.
fn descend(matrix: &[Vec<f64>], right: &[f64]) -> Vec<f64> {
    let mut found = vec![0.0; right.len()];
    for _ in 0..ROUNDS {
        let mut changed: f64 = 0.0;
        for column in 0..right.len() {
            let line = &matrix[column];
            if line[column] == 0.0 {
                continue;
            }
            let sum: f64 = line.iter().zip(&found).map(|(a, b)| a * b).sum();
            let next = (found[column] + (right[column] - sum) / line[column]).max(0.0);
            changed = changed.max((next - found[column]).abs());
            found[column] = next;
        }
        let largest = found.iter().copied().fold(0.0, f64::max);
        if changed <= SETTLED * largest {
            break;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Little is known of coefficients.
    fn guess(values: &[f64]) -> Vec<Expected> {
        let weight = 1e-3;
        let guess = |&value: &f64| Expected { value, weight };
        values.iter().map(guess).collect()
    }

    fn rows(coefficients: &[f64], counts: &[&[f64]]) -> Vec<Row> {
        let row = |counts: &&[f64]| Row {
            value: counts.iter().zip(coefficients).map(|(a, b)| a * b).sum(),
            counts: counts.iter().copied().enumerate().collect(),
        };
        counts.iter().map(row).collect()
    }

    #[test]
    fn known_coefficients_are_recovered() {
        let known = [12.0, 0.5, 3.0];
        let rows = rows(
            &known,
            &[
                &[1.0, 32.0, 0.0],
                &[1.0, 64.0, 2.0],
                &[1.0, 8.0, 7.0],
                &[1.0, 200.0, 1.0],
            ],
        );
        let found = fit(&rows, &guess(&[0.0; 3]));
        for (found, known) in found.iter().zip(known) {
            assert!(
                (found - known).abs() < 0.02 * known,
                "{found} is not {known}"
            );
        }
    }

    #[test]
    fn coefficients_are_not_negative() {
        let known = [10.0, -2.0];
        let rows = rows(&known, &[&[1.0, 1.0], &[1.0, 3.0], &[2.0, 1.0]]);
        let found = fit(&rows, &guess(&[0.0; 2]));
        assert!(found.iter().all(|&it| it >= 0.0), "{found:?}");
        assert_eq!(found[1], 0.0);
    }

    #[test]
    fn expectations_decide_what_rows_do_not_tell() {
        let rows = rows(&[1.0, 30.0], &[&[100.0, 1.0], &[200.0, 2.0]]);
        let [each, all] = fit(&rows, &guess(&[1.0, 30.0]))[..] else {
            unreachable!("two columns");
        };
        assert!(
            (each - 1.0).abs() < 0.01 && (all - 30.0).abs() < 0.5,
            "{each} {all}"
        );
    }

    #[test]
    fn a_column_that_no_row_has_gets_nothing() {
        let rows = rows(&[4.0], &[&[1.0], &[2.0]]);
        assert_eq!(fit(&rows, &guess(&[0.0; 2]))[1], 0.0);
    }
}
