//! A reply as plain lower-case text: quoted words masked, mark-up and emoji gone.

/// Stands for whatever was quoted. The words of a title or a message ask nothing of the driver.
pub(super) const QUOTED: char = '”';

/// How far a quotation mark may be from its partner, in bytes.
const LONGEST_QUOTE: usize = 2_000;

/// The plain text of `reply`: ASCII in lower case, typographic apostrophes straight, spaces
/// single, emphasis and code marks dropped, emoji turned into line ends, and each quotation or
/// title replaced by [`QUOTED`]. A reply that is nothing but one quotation keeps its words.
pub(super) fn plain(reply: &str) -> String {
    let reply = unwrapped(reply.trim());
    let mut out = String::with_capacity(reply.len());
    let mut rest = reply;
    while let Some(c) = rest.chars().next() {
        let after = rest.get(c.len_utf8()..).unwrap_or_default();
        rest = match closing(c, out.chars().next_back()).and_then(|close| past_quote(after, close)) {
            Some(past) => {
                out.push(QUOTED);
                past
            }
            None => {
                push(&mut out, c);
                after
            }
        };
    }
    out
}

/// `reply` without the quotation marks that enclose all of it.
fn unwrapped(reply: &str) -> &str {
    let mut chars = reply.chars();
    let Some(close) = chars.next().and_then(|c| closing(c, None)) else {
        return reply;
    };
    let inner = chars.as_str();
    match inner.find(close) {
        Some(end) if end + close.len_utf8() == inner.len() => inner.get(..end).unwrap_or(reply),
        _ => reply,
    }
}

/// The mark that closes what `open` opens, `None` where `open` opens no quotation.
fn closing(open: char, before: Option<char>) -> Option<char> {
    match open {
        '"' | '＂' => Some(open),
        '“' | '„' | '‟' => Some('”'),
        '«' => Some('»'),
        '「' => Some('」'),
        '『' => Some('』'),
        '《' => Some('》'),
        '〈' => Some('〉'),
        '‘' if !before.is_some_and(char::is_alphanumeric) => Some('’'),
        _ => None,
    }
}

/// What follows the quotation that `text` is inside of; `None` where it is not closed nearby.
fn past_quote(text: &str, close: char) -> Option<&str> {
    let end = text.find(close).filter(|&end| end <= LONGEST_QUOTE)?;
    text.get(end + close.len_utf8()..)
}

/// Adds one character of the reply.
fn push(out: &mut String, c: char) {
    let c = match c {
        '*' | '`' | '#' | '\u{200b}'..='\u{200f}' | '\u{feff}' | '\u{fe0e}' | '\u{fe0f}' => return,
        '’' | '‘' | 'ʼ' => '\'',
        '\n' | '\r' | '\u{2028}' | '\u{2029}' => '\n',
        c if c.is_whitespace() => ' ',
        c if is_emoji(c) => '\n',
        c => c.to_ascii_lowercase(),
    };
    if c == ' ' && out.ends_with([' ', '\n']) {
        return;
    }
    out.push(c);
}

/// Whether `c` is a pictograph or a dingbat. (A CJK letter or mark is none.)
fn is_emoji(c: char) -> bool {
    matches!(c, '\u{2600}'..='\u{27bf}' | '\u{2b00}'..='\u{2bff}' | '\u{1f000}'..='\u{1faff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_marks_and_emoji_go() {
        for (reply, expected) in [
            ("正在播放《去哪儿？》。", "正在播放”。"),
            ("He wrote \"Why not?\" today", "he wrote ” today"),
            ("“哪一个？”", "哪一个？"),
            ("**Done!** 😀 You’re set", "done! \nyou're set"),
            ("an unclosed \"quote?", "an unclosed \"quote?"),
            ("", ""),
        ] {
            assert_eq!(plain(reply), expected, "{reply}");
        }
    }
}
