//! Colours by the words that name them.

/// A colour of the lights.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Color {
    pub(super) zh: &'static str,
    pub(super) en: &'static str,
    /// As VSS writes it: `#RRGGBB`.
    pub(super) hex: &'static str,
    /// A part of other words for it.
    stems: &'static [&'static str],
}

/// Finer colours stand before the plain ones whose names they contain.
const COLORS: [Color; 16] = [
    color("冰蓝色", "ice blue", "#A5F2F3", &["冰蓝"]),
    color("天蓝色", "sky blue", "#87CEEB", &["天蓝", "浅蓝", "light blue"]),
    color("青色", "cyan", "#00FFFF", &["青", "turquoise", "teal"]),
    color("琥珀色", "amber", "#FFBF00", &["琥珀"]),
    color("金色", "gold", "#FFD700", &["金", "golden"]),
    color("橙色", "orange", "#FFA500", &["橙", "橘"]),
    color("玫瑰色", "rose", "#FF007F", &["玫瑰", "玫红", "magenta"]),
    color("粉色", "pink", "#FFC0CB", &["粉"]),
    color("紫色", "purple", "#800080", &["紫", "violet"]),
    color("暖白色", "warm white", "#FDF4DC", &["暖白", "暖色", "暖光"]),
    color("红色", "red", "#FF0000", &["红"]),
    color("绿色", "green", "#008000", &["绿"]),
    color("蓝色", "blue", "#0000FF", &["蓝"]),
    color("黄色", "yellow", "#FFFF00", &["黄"]),
    color("棕色", "brown", "#A52A2A", &["棕", "褐"]),
    color("白色", "white", "#FFFFFF", &["白"]),
];

const fn color(zh: &'static str, en: &'static str, hex: &'static str, stems: &'static [&'static str]) -> Color {
    Color { zh, en, hex, stems }
}

/// The colour that a driver's words name.
pub(super) fn find(words: &str) -> Option<Color> {
    let words = words.trim().to_lowercase();
    let named = |color: &&Color| words == color.zh || words == color.en || words.eq_ignore_ascii_case(color.hex);
    let holds = |color: &&Color| {
        words
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ")
            .contains(color.en)
            || color.stems.iter().any(|stem| words.contains(stem))
    };
    COLORS.iter().find(named).or_else(|| COLORS.iter().find(holds)).copied()
}

/// Some colours to choose from.
pub(super) fn examples() -> impl Iterator<Item = Color> {
    COLORS
        .into_iter()
        .filter(|color| ["red", "blue", "purple"].contains(&color.en))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_name_colours() {
        for (words, en) in [
            ("红色", Some("red")),
            ("淡紫色", Some("purple")),
            ("Sky Blue", Some("sky blue")),
            ("dark blue", Some("blue")),
            ("#ff0000", Some("red")),
            ("七上八下", None),
            ("", None),
        ] {
            assert_eq!(find(words).map(|color| color.en), en, "{words}");
        }
    }
}
