//! What the default rule protects, as tables of replies.

use super::{SeedKeywordRule, TextRule};
use incar_core::{ReplyClass, ReplyClassifier, ReplyContext};

/// Each of `replies`, with nothing else known, is of `class`.
fn check(class: ReplyClass, replies: &[&str]) {
    let wrong: Vec<_> = replies
        .iter()
        .map(|text| (text, TextRule::new().classify(&ReplyContext::new(text))))
        .filter(|(_, got)| got.class != class)
        .collect();
    assert!(wrong.is_empty(), "should be {class:?}: {wrong:#?}");
}

/// `text` after the driver said `user`, before (`acted` false) or after a tool changed something.
fn after(text: &str, user: &str, acted: bool) -> ReplyClass {
    let reply = ReplyContext::new(text).after(Some(user), acted);
    TextRule::new().classify(&reply).class
}

#[test]
fn the_listed_replies_are_of_the_class_they_stand_under() {
    let (mut class, mut wrong) = (ReplyClass::None, Vec::new());
    let lines = include_str!("replies.txt").lines();
    for line in lines.filter(|line| !line.is_empty() && !line.starts_with('#')) {
        match line.strip_prefix("= ") {
            Some("required") => class = ReplyClass::Required,
            Some("offer") => class = ReplyClass::Offer,
            Some("courtesy") => class = ReplyClass::Courtesy,
            Some("none") => class = ReplyClass::None,
            Some(other) => unreachable!("no such class: {other}"),
            None => {
                let got = TextRule::new().classify(&ReplyContext::new(line));
                if got.class != class {
                    wrong.push((class, line, got));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn a_missing_value_is_asked_for() {
    check(
        ReplyClass::Required,
        &[
            "好的，您想去哪里？",
            "要开到几挡",
            "您打算几号入住呢",
            "请问给谁打电话",
            "座椅加热想开几档？",
            "音量调到多少合适？",
            "没问题，您大概什么时候出发呀？",
            "闹钟要定在几点",
            "短信内容写什么好？",
            "这条消息怎么回？",
            "您要导航去的是哪一家海底捞",
            "后备箱要开多高",
            "风量您想要几级",
            "Where would you like to go?",
            "What temperature should I set?",
            "Sure. For how many people?",
            "And what time should it ring?",
            "To which floor should I route you?",
            "who do you want to call",
            "how warm would you like it",
            "Got it, which seat?",
            "When does your flight land? I'll plan around it.",
        ],
    );
}

#[test]
fn a_request_needs_no_question_mark() {
    check(
        ReplyClass::Required,
        &[
            "请说出目的地。",
            "请您提供一下取车时间。",
            "麻烦您把手机号报一下。",
            "我需要知道您几位用餐，才能帮您订位。",
            "还缺一个出发日期，您补充一下。",
            "没听清，请您再说一遍。",
            "抱歉没听明白，麻烦换个说法。",
            "告诉我想听谁的歌，我马上放。",
            "目前只差收件人了，说个名字就行。",
            "请从下面三家里选一家。",
            "请说第几个。",
            "一共有三个结果，您挑一个。",
            "Please tell me the destination.",
            "I still need a pickup time.",
            "Let me know which one you prefer.",
            "Just tell me which song and I'll play it.",
            "Give me a street or a landmark.",
            "I need to know how far to open it.",
            "Say the number of the one you want.",
            "Sorry, I didn't catch that, please say it again.",
            "Please choose one: home, work or the gym.",
        ],
    );
}

#[test]
fn a_choice_is_waited_for() {
    check(
        ReplyClass::Required,
        &[
            "走高速还是走国道？",
            "是前排还是后排",
            "找到两位李伟，一位在公司组，一位在同学组，要打给哪一位？",
            "一号还是二号",
            "您要的是近光灯，还是远光灯？",
            "1. 壳牌\n2. 中石化\n3. 中石油\n选哪个？",
            "Front or rear?",
            "Do you mean the fog lights or the reading lights?",
            "the left window or the right one",
            "I found two:\n- Shell\n- BP\nWhich one should I take?",
            "Which one?\n1. Anna Berg\n2. Anna Stein",
            "Should I take the motorway, or would you rather avoid tolls?",
        ],
    );
}

#[test]
fn a_confirmation_is_waited_for() {
    check(
        ReplyClass::Required,
        &[
            "即将删除全部行程，请确认。",
            "您确定要恢复出厂设置吗？",
            "确认后我就提交订单。",
            "车速有点快，真的要开天窗吗",
            "一共消费三百二十元，可以支付吗？",
            "是明天早上七点，对吗？",
            "我理解得对吗",
            "这会删掉所有收藏，还要继续吗？",
            "Please confirm.",
            "You want the eight o'clock table for two, correct?",
            "This will erase every saved place. Are you sure?",
            "It's raining hard. Open the sunroof anyway?",
            "Is that right?",
            "Just to confirm, I should call Dr. Ames at his office.",
            "I need your okay before I pay.",
            "So that's two nights from Friday. Is this correct?",
            "Shall I go ahead and send it?",
        ],
    );
}

#[test]
fn more_after_the_work_is_an_offer() {
    check(
        ReplyClass::Offer,
        &[
            "空调已打开。要不要顺便打开座椅通风？",
            "已经到家附近了，需要我把车库门的提醒也打开吗",
            "导航已结束。需要的话我可以帮您找停车位。",
            "如果觉得风大，我可以再调小一点。",
            "暂时不支持打开引擎盖，要不我告诉您手动开关在哪儿？",
            "抱歉，查不到这首歌，换一首类似的怎么样？",
            "明天有雨，需要我提醒您带伞吗？",
            "想换别的歌随时告诉我。",
            "The AC is on. Would you like me to turn on seat cooling too?",
            "Done. Want me to save this as a favourite?",
            "I can't change the tyre pressure, but I can show you the nearest garage if you'd like.",
            "It'll rain at noon. Want me to remind you to take an umbrella?",
            "That song isn't available. How about another one by her?",
            "Volume's at ten. Let me know if you'd like it louder.",
            "If you want, I can read it out.",
        ],
    );
}

#[test]
fn general_help_is_a_courtesy() {
    check(
        ReplyClass::Courtesy,
        &[
            "还有什么可以帮您的吗？",
            "好了，还有别的吩咐吗",
            "车窗关好了。还需要什么？",
            "有需要随时叫我。",
            "您好，请问有什么可以帮您？",
            "搞定，有事您再喊我",
            "Is there anything else I can do for you?",
            "All set. Anything else?",
            "Let me know if you need anything else.",
            "You're welcome! I'm here if you need me.",
            "Hello! How can I help you today?",
            "what else can i do for you",
        ],
    );
}

#[test]
fn a_statement_asks_nothing() {
    check(
        ReplyClass::None,
        &[
            "",
            "   \n",
            "？",
            "好的，已为您打开车窗。",
            "我不知道他什么时候来。",
            "没什么大问题，放心开。",
            "您问哪里能充电，最近的在两公里外。",
            "到了我会告诉您停哪里。",
            "什么时候到取决于路况。",
            "无论走哪条路都要四十分钟。",
            "多少有点堵，慢慢开。",
            "那还用说，安全第一嘛。",
            "信号怎么样我一直盯着，断了会自动重连。",
            "The windows are closed.",
            "I know which exit you need, so relax.",
            "What a lovely evening for a drive!",
            "You asked where the charger is: it's two streets ahead.",
            "How to open the hood is described on page twelve.",
            "When you get there, park on the left.",
            "She asked whether you'd be late.",
            "I don't know who's calling.",
            "How far is it? About six miles.",
            "Who doesn't like a sunny morning?",
            "The exit is on the right.",
            "Take the second exit, then turn right",
        ],
    );
}

#[test]
fn titles_and_quoted_words_do_not_count() {
    check(
        ReplyClass::None,
        &[
            "正在播放《你到底要去哪里？》。",
            "已经给小王发了“你几点到？”。",
            "为您导航到“请问餐厅”。",
            "Playing \"What Do You Mean?\" by Justin Bieber.",
            "He wrote: “Should I bring anything?” I've marked it as read.",
            "Message sent: \"Are you home yet?\"",
        ],
    );
    check(
        ReplyClass::Required,
        &[
            "找到《你是谁》和《我是谁》，要放哪一首？",
            "Shall I send \"On my way\" to Tom, or something shorter?",
            "\"Which window should I open?\"",
        ],
    );
}

#[test]
fn whether_a_tool_acted_decides_what_yes_would_mean() {
    let ask = "Would you like me to start the navigation?";
    assert_eq!(
        after(ask, "start the navigation to the airport", false),
        ReplyClass::Required
    );
    assert_eq!(after(ask, "add a stop at the bakery", true), ReplyClass::Offer);
    let ask = "High beams can dazzle others. Want me to turn on the high beams?";
    assert_eq!(after(ask, "turn on the high beams", false), ReplyClass::Required);
    let ask = "Want me to look for chargers along the way?";
    assert_eq!(
        after(ask, "how far can I get on this battery?", false),
        ReplyClass::Offer
    );
}

#[test]
fn marks_mark_up_and_emoji_change_nothing() {
    for (text, class) in [
        ("**您想去哪里？** 😊", ReplyClass::Required),
        ("Which one would you like? 🚗", ReplyClass::Required),
        ("Done! 🎉 Anything else? 😀", ReplyClass::Courtesy),
        ("您想去哪里?", ReplyClass::Required),
        ("WHERE WOULD YOU LIKE TO GO?", ReplyClass::Required),
        (
            "You’re all set. Let me know if you’d like it warmer.",
            ReplyClass::Offer,
        ),
    ] {
        check(class, &[text]);
    }
}

#[test]
fn the_keyword_rule_takes_any_question_word_for_a_question() {
    for (text, class) in [
        ("去哪里", ReplyClass::Required),
        ("没什么问题。", ReplyClass::Required),
        ("Anything else?", ReplyClass::Required),
        ("Please tell me the street.", ReplyClass::None),
        ("好的。", ReplyClass::None),
    ] {
        let got = SeedKeywordRule::new().classify(&ReplyContext::new(text));
        assert_eq!(got.class, class, "{text}");
    }
}

proptest::proptest! {
    #[test]
    fn any_text_is_judged_within_bounds(text in "\\PC*|[“”\"《》?？!。.,，\n*1-3吗么还是什么orwhat ]{0,60}", acted in proptest::bool::ANY) {
        let reply = ReplyContext::new(&text).after(Some(&text), acted);
        let judgement = TextRule::new().classify(&reply);
        proptest::prop_assert!((0.0..=1.0).contains(&judgement.confidence));
        if !text.contains(char::is_alphanumeric) {
            proptest::prop_assert_eq!(judgement.class, ReplyClass::None);
        }
    }
}
