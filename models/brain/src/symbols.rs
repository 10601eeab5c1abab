//! Units of text in the form in which words are compared.

use incar_text::{Text, UnitKind};
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// A map from what tools' words are made of. Their authors are the host's, so nobody has to be kept from choosing
/// keys that collide.
pub(crate) type SymbolMap<K, V> = HashMap<K, V, BuildHasherDefault<Mixer>>;

/// A hasher for short keys: multiply and rotate.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Mixer(u64);

impl Mixer {
    fn mix(&mut self, part: u64) {
        self.0 = (self.0.rotate_left(5) ^ part).wrapping_mul(0x517C_C1B7_2722_0A95);
    }
}

impl Hasher for Mixer {
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let part = chunk.iter().fold(0, |part, byte| (part << 8) | u64::from(*byte));
            self.mix(part);
        }
    }

    fn write_u32(&mut self, part: u32) {
        self.mix(u64::from(part));
    }

    fn finish(&self) -> u64 {
        // The map takes its buckets from the low bits, where a product mixes least.
        self.0.rotate_left(26)
    }
}

/// The form of a unit that its plural and possessive share.
pub(crate) fn stem(kind: UnitKind, word: &str) -> &str {
    if kind != UnitKind::Latin {
        return word;
    }
    let word = word
        .strip_suffix("'s")
        .or_else(|| word.strip_suffix('\''))
        .unwrap_or(word);
    let plural = word.len() > 3 && !word.ends_with("ss") && !word.ends_with("us") && !word.ends_with("is");
    let sibilant = ["ches", "shes", "xes", "sses"]
        .iter()
        .any(|ending| word.ends_with(ending));
    if sibilant {
        return word.strip_suffix("es").unwrap_or(word);
    }
    match word.strip_suffix('s') {
        Some(singular) if plural => singular,
        _ => word,
    }
}

/// The folded units of a wording.
pub(crate) fn units_of(wording: &str) -> Vec<String> {
    let text = Text::new(wording);
    stems(&text).map(str::to_owned).collect()
}

/// The folded units of a text.
pub(crate) fn stems(text: &Text) -> impl Iterator<Item = &str> {
    (0..text.len()).map(|index| stem(text.kind(index).unwrap_or(UnitKind::Other), text.word(index)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plurals_and_possessives_fold() {
        assert_eq!(
            units_of("the driver's windows, switches glass gas 车窗"),
            ["the", "driver", "window", "switch", "glass", "gas", "车", "窗"]
        );
    }
}
