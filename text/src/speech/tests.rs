use super::{Heard, LONGEST_SENTENCE, SentenceSplitter, Speech, heard_of, sentences, speakable};
use crate::Lang;
use proptest::prelude::*;

/// `|` marks the ends of sentences.
fn check(marked: &str) {
    let expected: Vec<&str> = marked
        .split_inclusive('|')
        .map(|part| part.trim_end_matches('|'))
        .collect();
    assert_eq!(sentences(&marked.replace('|', "")), expected, "{marked}");
}

#[test]
fn chinese_sentences_end_at_their_marks() {
    check("好的。|现在22.5度！|要打开空调吗？");
    check("到了；|前方左转。|");
    check("他说：“走吧。”|然后就走了。");
    check("等等……|好了。");
    check("什么？！|真的吗？");
    check("价格是3.5元，很便宜。|谢谢");
    check("《晴天》正在播放。|下一首（现场版）也好听。");
    check("第一行\n|第二行");
    check("清单：\n|* 一\n|* 二\n|**三**");
}

#[test]
fn english_sentences_end_at_their_marks_but_not_inside_words() {
    check("It's 3.5 km away. |Shall I go?");
    check("Mr. Wang called. |Dr. Li, too.");
    check("Take snacks, e.g. nuts. |Or fruit.");
    check("It opens at 9 a.m. today. |It closes at 5 p.m. |We should go.");
    check("He said \"Stop.\" |Then he left.");
    check("Wait... |OK.");
    check("Really?! |Yes.");
    check("See example.com for more. |Bye.");
    check("It is Mr. Wang's. |Shall I go?");
    check("\"Mr. Wang\" is calling. |Answer?");
    check("J. Smith is calling. |Answer?");
    check("1. Open the window.\n|2. Close it.");
    check("OK.|好的。|走吧");
}

#[test]
fn what_says_nothing_belongs_to_what_follows() {
    check("……好的。|走");
    check("。。。");
    check("\n\nHello. |You");
    check("");
}

#[test]
fn a_sentence_is_given_out_as_soon_as_it_is_certain() {
    let mut splitter = SentenceSplitter::default();
    for (piece, given) in [
        ("好的", vec![]),
        ("。", vec![]),
        ("”", vec![]),
        ("现", vec!["好的。”"]),
        ("在3.", vec![]),
        ("5度。 ", vec![]),
        ("It is 5 p.m.", vec!["现在3.5度。 "]),
        (" ", vec![]),
        ("N", vec!["It is 5 p.m. "]),
        ("ow", vec![]),
    ] {
        assert_eq!(splitter.push(piece), given, "{piece}");
    }
    assert_eq!(splitter.finish().as_deref(), Some("Now"));
    assert_eq!(splitter.finish(), None);
}

#[test]
fn a_sentence_that_is_too_long_is_cut_at_a_pause() {
    let long = format!("{}，{}", "长".repeat(150), "长".repeat(150));
    let lengths: Vec<usize> = sentences(&long)
        .iter()
        .map(|sentence| sentence.chars().count())
        .collect();
    assert_eq!(lengths, [151, 150]);
    let words = "word ".repeat(100);
    assert!(sentences(&words).iter().all(|sentence| sentence.starts_with("word")));
}

#[test]
fn text_is_put_into_plain_words() {
    for (text, lang, spoken) in [
        ("**好的**，打开了。", Lang::Zh, "好的，打开了。"),
        ("# Title\nText", Lang::En, "Title.\nText"),
        ("- one\n- two", Lang::En, "one,\ntwo"),
        ("1. 打开车窗\n2. 关闭车窗", Lang::Zh, "1，打开车窗，\n2，关闭车窗"),
        (
            "See [the manual](https://a.example/x?y=1).",
            Lang::En,
            "See the manual.",
        ),
        ("去 https://www.example.com/a 看看", Lang::Zh, "去 网页链接 看看"),
        ("Go to https://example.com.", Lang::En, "Go to a link."),
        ("Run `ls -l` now", Lang::En, "Run ls -l now"),
        (
            "Look:\n```rust\nfn main() {}\n```\nDone.",
            Lang::En,
            "Look:\n(code left out)\nDone.",
        ),
        ("太好了😀👍🏽！", Lang::Zh, "太好了！"),
        ("List:\n* one\n* two", Lang::En, "List:\none,\ntwo"),
        ("a_b and 2*3 and 5 * 6", Lang::En, "a_b and 2*3 and 5 * 6"),
        ("_really_ *good*", Lang::En, "really good"),
        ("> quoted", Lang::En, "quoted"),
        ("| a | b |\n|---|---|\n| 1 | 2 |", Lang::En, "a, b\n1, 2"),
        ("22°C", Lang::En, "22°C"),
        ("", Lang::En, ""),
    ] {
        assert_eq!(speakable(text, lang), spoken, "{text}");
    }
}

#[test]
fn what_was_heard_ends_with_the_last_whole_word() {
    for (written, spoken, heard) in [
        ("今天晴，22度。", "今天晴", "今天晴，"),
        ("今天晴，22度。", "今天", "今天"),
        ("今天晴，22.5度。", "今天晴22", "今天晴，"),
        ("The sun shines. It is hot.", "The sun shi", "The sun"),
        ("The sun shines. It is hot.", "the sun SHINES", "The sun shines."),
        ("The sun shines. It is hot.", "The sun shines. ", "The sun shines."),
        ("I don't know.", "I don", "I"),
        ("He said \"go\" twice.", "He said", "He said"),
        ("Anything", "", ""),
        (
            "**Sunny** today. See [the map](https://a.example/x).",
            "Sunny today. See the",
            "**Sunny** today. See [the",
        ),
        (
            "去 https://www.example.com/a 看看。好的。",
            "去网页链接看看",
            "去 https://www.example.com/a 看看。",
        ),
        ("- one\n- two\n- three", "one, two", "- one\n- two"),
        (
            "Look:\n```rust\nfn main() {}\n```\nDone. Bye.",
            "Look: (code left out) Done.",
            "Look:\n```rust\nfn main() {}\n```\nDone.",
        ),
    ] {
        let lang = if written.is_ascii() || written.starts_with('*') {
            Lang::En
        } else {
            Lang::Zh
        };
        let cut = match heard_of(written, spoken, lang) {
            Heard::Part(cut) => cut,
            other => panic!("{written} / {spoken}: {other:?}"),
        };
        assert_eq!(written[..cut].trim_end(), heard, "{written} / {spoken}");
    }
}

#[test]
fn what_was_heard_to_its_end_is_whole_and_another_text_is_none() {
    let whole = |then| Heard::Whole { then };
    for (written, spoken, heard) in [
        ("Done.", "done", whole(4)),
        ("Done.", "Done. One more", whole(6)),
        ("Done.", "One moment. Done.", Heard::Other),
        ("It is 22 degrees.", "It is twenty-two degrees", Heard::Other),
        ("", "Done.", whole(0)),
        ("...", "", whole(0)),
        ("**Done** 😀", "Done", whole(4)),
        ("See https://a.example.", "See a link.", whole(11)),
    ] {
        assert_eq!(heard_of(written, spoken, Lang::En), heard, "{written} / {spoken}");
    }
}

/// Text that is made of what matters to a splitter.
fn texts() -> impl Strategy<Value = String> {
    let pieces = prop::sample::select(vec![
        "好", "的", "。", "！", "？", "；", "…", "，", "”", "“", "（", "）", " ", "\n", ".", "!", "?", ",", "\"", ")",
        "3", "5", "a", "Mr", "e.g", "p.m", "Word", "km", "*", "`", "😀", "é",
    ]);
    prop_oneof![
        prop::collection::vec(pieces, 0..600).prop_map(|pieces| pieces.concat()),
        ".{0,300}",
    ]
}

proptest! {
    #[test]
    fn the_sentences_together_are_the_text_and_none_is_too_long(text in texts()) {
        let cut = sentences(&text);
        prop_assert_eq!(cut.concat(), text);
        for sentence in cut {
            prop_assert!(!sentence.is_empty());
            prop_assert!(sentence.trim_end().chars().count() <= LONGEST_SENTENCE, "{}", sentence);
        }
    }

    #[test]
    fn the_cuts_of_the_pieces_make_no_difference(text in texts(), cuts in prop::collection::vec(0usize..700, 0..20)) {
        let mut cuts: Vec<usize> = cuts.into_iter().filter(|cut| text.is_char_boundary(*cut)).collect();
        cuts.sort_unstable();
        let mut splitter = SentenceSplitter::default();
        let (mut given, mut from) = (Vec::new(), 0);
        for to in cuts.into_iter().chain([text.len()]) {
            given.extend(splitter.push(&text[from..to]));
            from = to;
        }
        given.extend(splitter.finish());
        prop_assert_eq!(given, sentences(&text));
    }

    #[test]
    fn sentences_are_put_into_words_one_by_one_as_all_together(text in texts()) {
        for lang in [Lang::Zh, Lang::En] {
            let mut speech = Speech::new(lang);
            let spoken: String = sentences(&text).iter().map(|sentence| speech.next(sentence)).collect();
            prop_assert_eq!(&spoken, &speakable(&text, lang));
        }
    }

    #[test]
    fn what_a_voice_says_of_a_text_is_heard_and_never_more(text in texts(), share in 0usize..=100) {
        let spoken = speakable(&text, Lang::Zh);
        let chars = spoken.chars().count() * share / 100;
        let cut: String = spoken.chars().take(chars).collect();
        let sounding = |text: &str| text.chars().filter(|char| char.is_alphanumeric()).count();
        match heard_of(&text, &cut, Lang::Zh) {
            Heard::Whole { .. } => prop_assert_eq!(sounding(&cut), sounding(&spoken)),
            Heard::Part(at) => {
                prop_assert!(text.is_char_boundary(at));
                prop_assert!(sounding(&speakable(&text[..at], Lang::Zh)) <= sounding(&cut), "{} / {}", &text[..at], cut);
            }
            Heard::Other => prop_assert!(false, "{text:?} / {cut:?}"),
        }
    }

    #[test]
    fn what_is_plain_stays_plain(text in texts()) {
        for lang in [Lang::Zh, Lang::En] {
            let once = speakable(&text, lang);
            prop_assert!(!once.contains("```"));
            prop_assert!(!once.contains('😀'));
        }
    }
}
