//! What a recogniser might write instead: characters of the same sound or of one that accents fold with it.
#![allow(dead_code, reason = "each binary uses its part")]

use incar_text::{Syllable, SyllableSet};
use std::collections::BTreeMap;

/// The 3,755 characters of GB 2312's first level: those in common use, and so those a recogniser writes.
const CHARACTERS: &str = include_str!("common_characters.txt");

/// The most that a syllable heard for another costs: z/zh, c/ch, s/sh, n/l, an/ang, en/eng, in/ing.
const FOLDED: f32 = 0.2;

/// Of so many slips one is to another syllable, the others are homophones.
const SLIPS_TO_A_NEAR_ONE: u64 = 3;

/// Replaces characters by others of the same or a near sound, the same ones for the same seed.
pub(crate) struct Noiser {
    characters: BTreeMap<Syllable, Vec<char>>,
    rate: f64,
    state: u64,
}

impl Noiser {
    /// `rate`: how many of the Chinese characters are replaced, from 0 to 1.
    pub(crate) fn new(rate: f64, seed: u64) -> Self {
        let mut characters: BTreeMap<Syllable, Vec<char>> = BTreeMap::new();
        for character in CHARACTERS.chars().filter(|ch| !ch.is_whitespace()) {
            if let Some(syllable) = syllable(character) {
                characters.entry(syllable).or_default().push(character);
            }
        }
        Self {
            characters,
            rate,
            state: seed,
        }
    }

    /// The text as it might be heard.
    pub(crate) fn hear(&mut self, text: &str) -> String {
        text.chars().map(|character| self.slip(character)).collect()
    }

    fn slip(&mut self, character: char) -> char {
        let Some(said) = syllable(character) else {
            return character;
        };
        #[expect(clippy::cast_precision_loss, reason = "53 bits fit")]
        let chance = (self.random() >> 11) as f64 / (1_u64 << 53) as f64;
        if chance >= self.rate {
            return character;
        }
        let near = self.random().is_multiple_of(SLIPS_TO_A_NEAR_ONE);
        let fits = |heard: Syllable| match near {
            true => heard != said && said.cost(heard).is_some_and(|cost| cost <= FOLDED),
            false => heard == said,
        };
        let others = self.characters.iter().filter(|(heard, _)| fits(**heard));
        let others: Vec<char> = others
            .flat_map(|(_, characters)| characters.iter().copied())
            .filter(|other| *other != character)
            .collect();
        match others.len() as u64 {
            0 => character,
            count => usize::try_from(self.random() % count)
                .ok()
                .and_then(|at| others.get(at).copied())
                .unwrap_or(character),
        }
    }

    /// SplitMix64.
    fn random(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.state ^ (self.state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }
}

/// The commonest reading of a Chinese character.
fn syllable(character: char) -> Option<Syllable> {
    let chinese = matches!(character, '\u{4E00}'..='\u{9FFF}');
    let set = SyllableSet::of_word(character.encode_utf8(&mut [0; 4]));
    set.readings().first().copied().filter(|_| chinese)
}
