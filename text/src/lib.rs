//! Text for speech: normaliser, numerals, dates and pinyin for Chinese and English.
