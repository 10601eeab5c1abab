//! Bytes of a page to text.

use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};

/// Where a page may say its character set itself: in its first bytes.
const HEAD: usize = 2048;

/// The text of `bytes`: by the byte order mark, else by what the server said (`charset`), else by what the page says,
/// else UTF-8 if it is, else the web's default. What does not fit is replaced.
pub(super) fn decode(bytes: &[u8], charset: Option<&str>) -> String {
    let named = |name: &str| Encoding::for_label(name.trim().as_bytes());
    if let Some((encoding, mark)) = Encoding::for_bom(bytes) {
        let rest = bytes.get(mark..).unwrap_or_default();
        return encoding.decode_without_bom_handling(rest).0.into_owned();
    }
    let told = charset.and_then(named).or_else(|| {
        let head = bytes.get(..HEAD.min(bytes.len())).unwrap_or_default();
        named(&declared(&String::from_utf8_lossy(head))?)
    });
    let encoding = told.unwrap_or(if std::str::from_utf8(bytes).is_ok() {
        UTF_8
    } else {
        WINDOWS_1252
    });
    encoding.decode_without_bom_handling(bytes).0.into_owned()
}

/// The charset of a `<meta>` or of an XML declaration.
fn declared(head: &str) -> Option<String> {
    let head = head.to_ascii_lowercase();
    let after = ["charset=", "encoding="].iter().find_map(|name| {
        let at = head.find(name)?;
        head.get(at + name.len()..)
    })?;
    let value = after.trim_start_matches(['"', '\'', ' ']);
    let end = value.find(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '-' | '_' | ':' | '.'));
    let value = value.get(..end.unwrap_or(value.len()))?;
    (!value.is_empty()).then(|| value.to_owned())
}

/// The charset that a `Content-Type` names.
pub(super) fn of_content_type(content_type: &str) -> Option<&str> {
    content_type.split(';').skip(1).find_map(|parameter| {
        let (name, value) = parameter.split_once('=')?;
        let is_charset = name.trim().eq_ignore_ascii_case("charset");
        is_charset.then(|| value.trim().trim_matches('"'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use encoding_rs::{GB18030, GBK, SHIFT_JIS, UTF_16LE};

    #[test]
    fn a_page_is_read_in_its_own_character_set() {
        let bytes = |encoding: &'static Encoding, text: &str| encoding.encode(text).0.into_owned();
        let gbk_meta = r#"<meta http-equiv="Content-Type" content="text/html; charset=gb2312"><p>西湖"#;
        let sjis_meta = r#"<meta charset='Shift_JIS'><p>湖"#;
        for (bytes, charset, text) in [
            ("西湖".as_bytes().to_vec(), None, "西湖"),
            ("西湖".as_bytes().to_vec(), Some("UTF-8"), "西湖"),
            (bytes(GBK, "西湖很美"), Some("GBK"), "西湖很美"),
            (bytes(GBK, "西湖很美"), Some("gb2312"), "西湖很美"),
            (bytes(GB18030, "㐀湖"), Some("gb18030"), "㐀湖"),
            (bytes(GBK, gbk_meta), None, gbk_meta),
            (bytes(SHIFT_JIS, sjis_meta), None, sjis_meta),
            (b"\xef\xbb\xbfabc".to_vec(), Some("gbk"), "abc"),
            (b"caf\xe9".to_vec(), None, "caf\u{e9}"),
            (b"caf\xe9".to_vec(), Some("no-such-set"), "caf\u{e9}"),
            (b"ab\xffcd".to_vec(), Some("utf-8"), "ab\u{fffd}cd"),
            (Vec::new(), None, ""),
        ] {
            assert_eq!(decode(&bytes, charset), text, "{charset:?}");
        }
        let mut utf16 = vec![0xff, 0xfe];
        utf16.extend("湖".encode_utf16().flat_map(u16::to_le_bytes));
        assert_eq!((decode(&utf16, None).as_str(), UTF_16LE.name()), ("湖", "UTF-16LE"));
    }

    #[test]
    fn a_content_type_may_name_a_charset() {
        for (content_type, charset) in [
            ("text/html", None),
            ("text/html; charset=utf-8", Some("utf-8")),
            ("text/html;Charset=\"GBK\"", Some("GBK")),
            ("text/html; boundary=x; charset=big5", Some("big5")),
            ("text/html; charset", None),
        ] {
            assert_eq!(of_content_type(content_type), charset);
        }
    }
}
