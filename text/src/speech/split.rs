//! Cuts text into sentences while it comes.

/// The longest sentence, in characters: what goes on beyond it is cut at the last pause, else at a
/// space, else anywhere.
pub const LONGEST_SENTENCE: usize = 200;

/// What may follow the end of a sentence and still belongs to it.
const CLOSERS: [char; 15] = [
    '"', '\'', '”', '’', '」', '』', '）', ')', ']', '】', '》', '〉', '*', '_', '`',
];
/// Where a sentence that is too long is cut best.
const PAUSES: [char; 10] = ['，', ',', '、', '；', ';', '：', ':', '—', '）', ')'];
/// What ends with a full stop and ends no sentence: a name or a number follows.
const ABBREVIATIONS: [&str; 25] = [
    "mr", "mrs", "ms", "dr", "prof", "st", "mt", "vs", "e.g", "i.e", "approx", "ave", "blvd", "etc", "a.m", "p.m",
    "jr", "sr", "min", "hr", "sec", "kg", "km", "ft", "u.s",
];
/// Those of them that end a sentence too, where a capital follows.
const MAY_END: [&str; 12] = [
    "etc", "a.m", "p.m", "jr", "sr", "min", "hr", "sec", "kg", "km", "ft", "u.s",
];
/// How many marks and closers belong to the end of a sentence, at most.
const LONGEST_TAIL: usize = 16;

/// Cuts text into sentences as it comes, piece by piece.
///
/// A sentence ends after 。！？；… or a line's end, and after . ! ? where a space or the text's end
/// follows and the full stop is no decimal point and no abbreviation's. Quotes and brackets that close
/// go with it, and so do the blanks after it: the sentences together are the text. A sentence is given
/// out once the next one has begun, so that the pieces' cuts make no difference.
///
/// ```
/// use incar_text::SentenceSplitter;
/// let mut splitter = SentenceSplitter::default();
/// assert_eq!(splitter.push("It is 3.5 km to Mr. Wang's. Shall"), ["It is 3.5 km to Mr. Wang's. "]);
/// assert_eq!(splitter.push(" I go on?"), Vec::<String>::new());
/// assert_eq!(splitter.finish().as_deref(), Some("Shall I go on?"));
/// ```
#[derive(Debug, Clone, Default)]
pub struct SentenceSplitter {
    /// What has come and was not given out.
    text: String,
}

impl SentenceSplitter {
    /// Takes more text; gives out the sentences that are whole.
    pub fn push(&mut self, more: &str) -> Vec<String> {
        self.text.push_str(more);
        let mut whole = Vec::new();
        let mut rest = self.text.as_str();
        while let Some((sentence, after)) = first_end(rest).and_then(|end| rest.split_at_checked(end)) {
            whole.push(sentence.to_owned());
            rest = after;
        }
        if !whole.is_empty() {
            self.text = rest.to_owned();
        }
        whole
    }

    /// The text is over: gives out what is left.
    pub fn finish(&mut self) -> Option<String> {
        let left = std::mem::take(&mut self.text);
        (!left.is_empty()).then_some(left)
    }
}

/// The sentences of a whole text; together they are the text.
///
/// ```
/// let sentences = incar_text::sentences("好的。现在22.5度！OK?");
/// assert_eq!(sentences, ["好的。", "现在22.5度！", "OK?"]);
/// ```
pub fn sentences(text: &str) -> Vec<String> {
    let mut splitter = SentenceSplitter::default();
    let mut all = splitter.push(text);
    all.extend(splitter.finish());
    all
}

/// Where the first sentence of `text` ends, in bytes, if that is certain whatever follows.
fn first_end(text: &str) -> Option<usize> {
    let mut said = false;
    let mut cut = Cut::default();
    for (count, (at, char)) in text.char_indices().enumerate() {
        if count >= LONGEST_SENTENCE - LONGEST_TAIL {
            return Some(cut.best().unwrap_or(at));
        }
        let after = at + char.len_utf8();
        let (before, rest) = (text.get(..at)?, text.get(after..)?);
        let ends = match char {
            '。' | '！' | '？' | '；' | '…' | '\n' => true,
            '.' | '!' | '?' => ends_there(before, char, rest)?,
            _ => false,
        };
        said |= char.is_alphanumeric();
        cut.note(char, after, said);
        if ends && said {
            // What stands at the head of the next line is that line's.
            return Some(after + if char == '\n' { blanks(rest)? } else { tail(rest)? });
        }
    }
    None
}

/// Where a sentence that is too long can be cut.
#[derive(Debug, Default)]
struct Cut {
    pause: Option<usize>,
    space: Option<usize>,
}

impl Cut {
    fn note(&mut self, char: char, after: usize, said: bool) {
        if !said {
            return;
        }
        if PAUSES.contains(&char) {
            self.pause = Some(after);
        } else if char.is_whitespace() {
            self.space = Some(after);
        }
    }

    fn best(&self) -> Option<usize> {
        self.pause.or(self.space)
    }
}

/// Whether `mark` between `before` and `rest` ends a sentence; `None`: what follows will tell.
fn ends_there(before: &str, mark: char, rest: &str) -> Option<bool> {
    if matches!(rest.chars().next()?, '.' | '!' | '?') {
        // The last of several decides.
        return Some(false);
    }
    let closers: usize = rest
        .chars()
        .take_while(|char| CLOSERS.contains(char))
        .map(char::len_utf8)
        .sum();
    if rest.chars().take_while(|char| CLOSERS.contains(char)).count() > LONGEST_TAIL / 2 {
        return Some(false);
    }
    let beyond = rest.get(closers..)?;
    let follower = beyond.chars().next()?;
    if !follower.is_whitespace() {
        // 3.5, e.g., example.com; but 好的!走吧 and OK.好的.
        let decimal = mark == '.' && before.ends_with(|char: char| char.is_ascii_digit());
        return Some(is_wide(follower) && !decimal);
    }
    if mark != '.' {
        return Some(true);
    }
    let opens = |char: char| char.is_whitespace() || matches!(char, '(' | '[' | '“' | '"' | '*' | '_' | ',' | '，');
    let word = before.rsplit(opens).next().unwrap_or_default().to_ascii_lowercase();
    let is_initial = word.len() == 1 && word.chars().all(|char| char.is_ascii_alphabetic());
    let is_item = !word.is_empty() && word.chars().all(|char| char.is_ascii_digit()) && begins_line(before, &word);
    if is_initial || is_item {
        // J. Smith; 1. Open the window.
        return Some(false);
    }
    if !ABBREVIATIONS.contains(&word.as_str()) {
        return Some(true);
    }
    if !MAY_END.contains(&word.as_str()) {
        return Some(false);
    }
    let begins = beyond.trim_start().chars().next()?;
    Some(begins.is_uppercase() || is_wide(begins))
}

/// Chinese characters and their punctuation, which no blank sets apart.
fn is_wide(char: char) -> bool {
    matches!(char, '\u{2e80}'..='\u{9fff}' | '\u{ff00}'..='\u{ffef}')
}

/// Whether nothing but `word` stands on the last line of `before`.
fn begins_line(before: &str, word: &str) -> bool {
    let line = before.rsplit('\n').next().unwrap_or_default();
    line.trim_start().len() == word.len()
}

/// How long the tail of a sentence is, in bytes: more marks, what closes, blanks; `None`: it may go on.
fn tail(rest: &str) -> Option<usize> {
    let belongs =
        |char: &char| matches!(char, '。' | '！' | '？' | '；' | '…' | '.' | '!' | '?') || CLOSERS.contains(char);
    let marks: Vec<usize> = rest
        .chars()
        .take_while(belongs)
        .take(LONGEST_TAIL)
        .map(char::len_utf8)
        .collect();
    let end: usize = marks.iter().sum();
    if marks.len() == LONGEST_TAIL {
        return Some(end);
    }
    Some(end + blanks(rest.get(end..)?)?)
}

/// How long the blanks at the head of `rest` are, in bytes; `None`: there may be more.
fn blanks(rest: &str) -> Option<usize> {
    let next = rest.trim_start();
    (!next.is_empty()).then(|| rest.len() - next.len())
}
