//! Constant expressions of integers, as the preprocessor leaves them in the text of an attribute.

/// How deep parentheses are nested, at most.
const MOST_NESTING: u32 = 64;

/// The value of an expression of numbers, `+ - * / % << >>` and parentheses.
pub(super) fn value(text: &str) -> Option<u64> {
    let mut rest = text;
    let value = sum_of(&mut rest, 0, MOST_NESTING)?;
    rest.trim_start().is_empty().then_some(value)
}

/// Operators by how strongly they bind, the weakest first.
const OPERATORS: [&[&str]; 3] = [&["<<", ">>"], &["+", "-"], &["*", "/", "%"]];

fn sum_of(rest: &mut &str, level: usize, nesting: u32) -> Option<u64> {
    let Some(operators) = OPERATORS.get(level) else {
        return primary(rest, nesting);
    };
    let mut left = sum_of(rest, level + 1, nesting)?;
    while let Some(operator) = operators.iter().find(|it| eat(rest, it)) {
        let right = sum_of(rest, level + 1, nesting)?;
        left = match *operator {
            "<<" => {
                let shift = u32::try_from(right).ok()?;
                let shifted = left.checked_shl(shift)?;
                (shifted >> shift == left).then_some(shifted)
            }
            ">>" => left.checked_shr(u32::try_from(right).ok()?),
            "+" => left.checked_add(right),
            "-" => left.checked_sub(right),
            "*" => left.checked_mul(right),
            "/" => left.checked_div(right),
            _ => left.checked_rem(right),
        }?;
    }
    Some(left)
}

fn primary(rest: &mut &str, nesting: u32) -> Option<u64> {
    if eat(rest, "(") {
        let value = sum_of(rest, 0, nesting.checked_sub(1)?)?;
        return eat(rest, ")").then_some(value);
    }
    let text = rest.trim_start();
    let end = text.find(|c: char| !c.is_ascii_alphanumeric());
    let (number, after) = text.split_at(end.unwrap_or(text.len()));
    *rest = after;
    let number = number.trim_end_matches(['u', 'U', 'l', 'L']);
    let hexadecimal = number.strip_prefix("0x").or(number.strip_prefix("0X"));
    match hexadecimal {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => number.parse().ok(),
    }
}

fn eat(rest: &mut &str, token: &str) -> bool {
    match rest.trim_start().strip_prefix(token) {
        Some(after) => {
            *rest = after;
            true
        }
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_have_the_values_of_c() {
        for (text, expected) in [
            ("8", Some(8)),
            (" 0x10u ", Some(16)),
            ("1 << 2 + 1", Some(8)),
            ("(1 << 3)*2", Some(16)),
            ("64 / 4 / 2 - 3 % 2", Some(7)),
            ("((8))", Some(8)),
            ("8 8", None),
            ("N", None),
            ("sizeof(int)", None),
            ("1 << 64", None),
            ("4 / 0", None),
            ("2 - 3", None),
            ("", None),
            ("(8", None),
        ] {
            assert_eq!(value(text), expected, "{text}");
        }
        assert_eq!(value(&"(".repeat(1 << 20)), None);
    }
}
