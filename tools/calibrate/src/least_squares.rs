//! Least squares with parameters that are not negative.

/// The parameters with which the rows' sums come closest to their values. One that would be negative
/// is zero.
pub fn least_squares(rows: &[(Vec<f64>, f64)]) -> Vec<f64> {
    let count = rows.first().map_or(0, |(terms, _)| terms.len());
    let mut free: Vec<usize> = (0..count)
        .filter(|&at| rows.iter().any(|(terms, _)| terms[at] != 0.0))
        .collect();
    loop {
        let solution = solve(rows, &free);
        let least = (0..free.len()).min_by(|&a, &b| solution[a].total_cmp(&solution[b]));
        match least {
            Some(least) if solution[least] < 0.0 => drop(free.remove(least)),
            _ => {
                let mut parameters = vec![0.0; count];
                for (&at, value) in free.iter().zip(solution) {
                    parameters[at] = value;
                }
                return parameters;
            }
        }
    }
}

/// The normal equations of the free parameters, solved by elimination.
fn solve(rows: &[(Vec<f64>, f64)], free: &[usize]) -> Vec<f64> {
    let size = free.len();
    let mut matrix = vec![vec![0.0; size + 1]; size];
    for (terms, value) in rows {
        for (i, &a) in free.iter().enumerate() {
            for (j, &b) in free.iter().enumerate() {
                matrix[i][j] += terms[a] * terms[b];
            }
            matrix[i][size] += terms[a] * value;
        }
    }
    for (i, row) in matrix.iter_mut().enumerate() {
        // Parameters that samples cannot tell apart share what they take.
        row[i] += 1e-6;
    }
    for i in 0..size {
        let pivot = (i..size)
            .max_by(|&a, &b| matrix[a][i].abs().total_cmp(&matrix[b][i].abs()))
            .expect("there is a row");
        matrix.swap(i, pivot);
        let row = matrix[i].clone();
        for (at, other) in matrix.iter_mut().enumerate() {
            if at != i {
                let factor = other[i] / row[i];
                let terms = other.iter_mut().zip(&row);
                terms.for_each(|(term, pivot)| *term -= factor * pivot);
            }
        }
    }
    (0..size).map(|i| matrix[i][size] / matrix[i][i]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exact_samples_give_their_parameters() {
        let rows = [(1.0, 2.0), (1.0, 5.0), (1.0, 9.0)];
        let rows = rows.map(|(a, b)| (vec![a, b], 3.0 * a + 0.5 * b));
        let found = least_squares(&rows);
        assert!((found[0] - 3.0).abs() < 1e-3 && (found[1] - 0.5).abs() < 1e-3);
    }

    #[test]
    fn no_parameter_is_negative() {
        let rows = [(vec![1.0, 1.0], 1.0), (vec![1.0, 2.0], 0.5)];
        let found = least_squares(&rows);
        assert_eq!(found[1], 0.0);
        assert!((found[0] - 0.75).abs() < 1e-3);
    }
}
