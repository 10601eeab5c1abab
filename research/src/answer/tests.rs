use super::*;
use proptest::prelude::*;

#[test]
fn an_answer_loses_what_stands_around_it() {
    for (answer, kind, normal) in [
        // The seed's own cases.
        ("Answer: 巴黎", AnswerKind::Text, "巴黎"),
        ("答案：140", AnswerKind::Integer, "140"),
        ("北京, 上海, 广州", AnswerKind::List, "北京, 上海, 广州"),
        ("1,234.56", AnswerKind::Integer, "1235"),
        ("   France  ", AnswerKind::Text, "france"),
        ("答案：\"北京\"", AnswerKind::Text, "北京"),
        // Labels.
        ("Thought: it is in France.\nAnswer: Paris.", AnswerKind::Text, "paris"),
        ("**Answer:** Paris", AnswerKind::Text, "paris"),
        ("**最终答案：** **巴黎**", AnswerKind::Text, "巴黎"),
        ("The answer is 42", AnswerKind::Integer, "42"),
        ("答案是：西湖。", AnswerKind::Text, "西湖"),
        ("答：1903", AnswerKind::Integer, "1903"),
        ("答案是140", AnswerKind::Integer, "140"),
        ("所以，最终答案是：北京。", AnswerKind::Text, "北京"),
        ("因此答案为 42", AnswerKind::Integer, "42"),
        ("正确的答案是西湖", AnswerKind::Text, "西湖"),
        ("Final answer: 42 km", AnswerKind::Number, "42"),
        ("My final answer is Paris.", AnswerKind::Text, "paris"),
        ("So the answer is: Paris", AnswerKind::Text, "paris"),
        ("It lies in France.\nSo the answer is: Paris", AnswerKind::Text, "paris"),
        ("Therefore, the correct answer is 42.", AnswerKind::Integer, "42"),
        ("Answer:", AnswerKind::Text, ""),
        ("", AnswerKind::Text, ""),
        // What only looks like one.
        (
            "He had no answer: he left",
            AnswerKind::Text,
            "he had no answer: he left",
        ),
        ("“北京”和“上海”", AnswerKind::Text, "“北京”和“上海”"),
        ("答应了他的请求", AnswerKind::Text, "答应了他的请求"),
        ("答是错的", AnswerKind::Text, "答是错的"),
        ("So it is Paris", AnswerKind::Text, "so it is paris"),
        ("因此改名", AnswerKind::Text, "因此改名"),
        ("U.S.", AnswerKind::Text, "u.s."),
        ("It opened. It closed.", AnswerKind::Text, "it opened. it closed."),
        ("Hoover   Dam\n", AnswerKind::Text, "hoover dam"),
    ] {
        assert_eq!(normalize(answer, kind), normal, "{answer:?}");
    }
}

#[test]
fn a_number_becomes_its_digits_and_a_sentence_stays_a_sentence() {
    for (answer, integer, number) in [
        ("140", "140", "140"),
        ("140.0", "140", "140"),
        ("1,234.56", "1235", "1234.56"),
        ("１２３４", "1234", "1234"),
        (
            "12345678901234567890.5",
            "12345678901234567891",
            "12345678901234567890.5",
        ),
        ("-2.5", "-3", "-2.5"),
        ("-0.4", "0", "-0.4"),
        ("99.5", "100", "99.5"),
        ("0.5", "1", "0.5"),
        ("约20.9公里", "21", "20.9"),
        ("about 42 km", "42", "42"),
        ("2016年", "2016", "2016"),
        ("一百四十", "140", "140"),
        ("1.5亿", "150000000", "150000000"),
        ("3千米", "3", "3"),
        ("two hundred", "200", "200"),
        ("500 litres", "500", "500"),
        ("2.5 liters", "3", "2.5"),
        ("一百二十回", "120", "120"),
        ("48章", "48", "48"),
        ("3圈", "3", "3"),
        ("40 psi", "40", "40"),
        ("12 meters", "12", "12"),
        ("30%", "30", "30"),
        ("¥2,000元", "2000", "2000"),
        // Other things that have digits in them.
        (
            "桥长20.9公里，1935年建成",
            "桥长20.9公里，1935年建成",
            "桥长20.9公里，1935年建成",
        ),
        ("It was built in 1937", "it was built in 1937", "it was built in 1937"),
        ("3到5天", "3到5天", "3到5天"),
        ("12,34", "12,34", "12,34"),
        ("第二", "第二", "第二"),
        ("1/3", "1/3", "1/3"),
        ("v2.0", "v2.0", "v2.0"),
        ("unknown", "unknown", "unknown"),
    ] {
        let said = (
            normalize(answer, AnswerKind::Integer),
            normalize(answer, AnswerKind::Number),
        );
        assert_eq!((said.0.as_str(), said.1.as_str()), (integer, number), "{answer:?}");
        assert_eq!(
            normalize(answer, AnswerKind::Text),
            plain(answer),
            "text keeps its numbers: {answer:?}"
        );
    }
}

#[test]
fn a_list_is_its_items() {
    for (answer, normal) in [
        ("北京、上海；广州", "北京, 上海, 广州"),
        ("Tom; Dick,Harry", "tom, dick, harry"),
        ("Tom, Dick and Harry", "tom, dick, harry"),
        ("Tom, Dick, and Harry.", "tom, dick, harry"),
        ("颐和园，和田，以及天坛", "颐和园, 和田, 天坛"),
        ("春节、清明节、劳动节和国庆节", "春节, 清明节, 劳动节, 国庆节"),
        ("北京和上海", "北京, 上海"),
        ("北京、上海与广州", "北京, 上海, 广州"),
        ("北京、上海以及其他城市", "北京, 上海, 其他城市"),
        ("古埃及和苏丹", "古埃及, 苏丹"),
        ("张三和李四与王五", "张三, 李四, 王五"),
        ("Tom and Dick", "tom, dick"),
        ("Bread and butter, milk and honey", "bread and butter, milk, honey"),
        ("“北京”和“上海”", "北京, 上海"),
        // What only looks like a word between two.
        ("颐和园、共和国大厦", "颐和园, 共和国大厦"),
        ("颐和园和天坛", "颐和园, 天坛"),
        ("呼和浩特和包头", "呼和浩特, 包头"),
        ("太和殿与雍和宫", "太和殿, 雍和宫"),
        ("《战争与和平》、《复活》", "《战争与和平》, 《复活》"),
        ("《你好，李焕英》和《流浪地球》", "《你好，李焕英》, 《流浪地球》"),
        ("中华人民共和国", "中华人民共和国"),
        ("- Rome\n- Paris\n", "rome, paris"),
        ("1. Rome\n2. Paris", "rome, paris"),
        ("\"北京\"、\"上海\"", "北京, 上海"),
        ("1,234, 5,678", "1,234, 5,678"),
        ("Answer: 东湖，，西湖,", "东湖, 西湖"),
        ("巴黎", "巴黎"),
        ("", ""),
    ] {
        assert_eq!(normalize(answer, AnswerKind::List), normal, "{answer:?}");
    }
}

#[test]
fn a_question_tells_what_it_asks_for_where_that_is_plain() {
    for (question, kind) in [
        ("西湖有多少座桥", Some(AnswerKind::Integer)),
        ("青岛跨海大桥有多少公里长", Some(AnswerKind::Number)),
        ("武汉东湖绿道哪一年开放", Some(AnswerKind::Integer)),
        ("1,234.56取整是多少", Some(AnswerKind::Integer)),
        ("圆周率保留两位小数", Some(AnswerKind::Number)),
        ("杭州有哪些湖", Some(AnswerKind::List)),
        ("湖底下淹了哪两座古城", Some(AnswerKind::List)),
        ("Which three bridges cross the Forth?", Some(AnswerKind::List)),
        ("全书有多少回", Some(AnswerKind::Integer)),
        ("绕湖跑了几圈", Some(AnswerKind::Integer)),
        ("How many litres does it hold?", Some(AnswerKind::Number)),
        ("要走几天", Some(AnswerKind::Integer)),
        ("How many bridges does it have?", Some(AnswerKind::Integer)),
        ("How many kilometres long is it?", Some(AnswerKind::Number)),
        ("What year was it built?", Some(AnswerKind::Integer)),
        ("List all lakes of Hangzhou", Some(AnswerKind::List)),
        // A unit that the question does not name belongs to the answer.
        ("青岛跨海大桥有多长", None),
        ("How long does it take?", None),
        ("法国首都在哪里", None),
        ("法国首都在哪", None),
        ("Which one is longer?", None),
        ("Which threshold applies?", None),
        ("几乎所有湖都结冰吗", None),
        ("", None),
    ] {
        assert_eq!(AnswerKind::asked_by(question), kind, "{question}");
    }
}

fn kinds() -> impl Strategy<Value = AnswerKind> {
    prop::sample::select(vec![
        AnswerKind::Text,
        AnswerKind::Integer,
        AnswerKind::Number,
        AnswerKind::List,
    ])
}

/// Texts made of the pieces that the normaliser looks at, so that their combinations are tried.
fn answers() -> impl Strategy<Value = String> {
    let pieces = [
        "Answer:",
        "答案：",
        "答案是",
        "the answer is ",
        "\"",
        "“",
        "”",
        "'",
        "**",
        "`",
        " ",
        "\n",
        ".",
        "。",
        ",",
        "，",
        "、",
        ";",
        "and ",
        " and ",
        "以及",
        "- ",
        "1. ",
        "12",
        "1,234",
        ".5",
        "-",
        "约",
        "公里",
        "km",
        "%",
        "亿",
        "三",
        "一百",
        "Paris",
        "西湖",
        "U.S.",
        "İ",
        "Σ",
        "\u{2028}",
        "\u{feff}",
        "１",
    ];
    prop::collection::vec(prop::sample::select(pieces.to_vec()), 0..9).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn normalising_twice_changes_nothing(answer in prop_oneof![answers(), any::<String>()], kind in kinds()) {
        let once = normalize(&answer, kind);
        prop_assert_eq!(normalize(&once, kind), once);
    }

    #[test]
    fn every_whole_number_survives_any_grouping(value in any::<i64>()) {
        let digits = value.unsigned_abs().to_string();
        let first = (digits.len() - 1) % 3 + 1;
        let mut grouped = digits[..first].to_owned();
        for group in digits.as_bytes()[first..].chunks(3) {
            grouped.push(',');
            grouped.push_str(std::str::from_utf8(group).unwrap());
        }
        let sign = if value < 0 { "-" } else { "" };
        prop_assert_eq!(normalize(&format!("{sign}{grouped}"), AnswerKind::Integer), value.to_string());
    }

    #[test]
    fn no_question_is_too_odd_to_be_read(question in any::<String>()) {
        AnswerKind::asked_by(&question);
    }
}
