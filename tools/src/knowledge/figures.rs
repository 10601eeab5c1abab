//! Numbers as they are spoken: no more figures than anybody can use.

/// `value` with six significant figures, and no zeros at the end. What is a whole number stays whole.
pub(super) fn short(value: f64) -> String {
    figures(value, 6)
}

/// `value` with four significant figures: enough for what is only about so much anyway.
pub(super) fn about(value: f64) -> String {
    figures(value, 4)
}

/// `value` with so many significant figures at most; very large and very small ones by a power of ten.
fn figures(value: f64, significant: i32) -> String {
    if value == 0.0 || !value.is_finite() {
        return value.to_string().trim_start_matches('-').to_owned();
    }
    let exponent = value.abs().log10().floor();
    if !(-7.0..15.0).contains(&exponent) {
        return format!("{value:.3e}");
    }
    #[allow(clippy::cast_possible_truncation)] // −7 to 15
    let decimals = (significant - 1 - exponent as i32).max(0);
    let rounded = format!("{value:.*}", usize::try_from(decimals).unwrap_or_default());
    if rounded.contains('.') {
        rounded.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        rounded
    }
}

#[cfg(test)]
mod tests {
    use super::{about, short};

    #[test]
    fn numbers_are_short() {
        for (value, spoken) in [
            (0.0, "0"),
            (-0.0, "0"),
            (12.6, "12.6"),
            (100.0, "100"),
            (1.0 / 3.0, "0.333333"),
            (1_234_567.0, "1234567"),
            (62.137_119_2, "62.1371"),
            (-40.0, "-40"),
            (1e30, "1.000e30"),
            (0.000_001_5, "0.0000015"),
        ] {
            assert_eq!(short(value), spoken);
        }
        for (value, spoken) in [(62.137_119_2, "62.14"), (6.213_711_9, "6.214"), (123_456.7, "123457")] {
            assert_eq!(about(value), spoken);
        }
    }
}
