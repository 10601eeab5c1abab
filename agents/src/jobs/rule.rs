//! Which utterances are to be looked into in the background, as far as code can tell: those that say so, those that want
//! several things compared, and those that want a trip planned under several conditions. A plain trip ("three days in
//! Chengdu") is for the trip flow, and what a model makes of everything else is up to it.

use incar_text::{Text, UnitKind};

/// What ends a clause.
const BREAKS: [char; 14] = [
    '，', ',', '。', '.', '；', ';', '！', '!', '？', '?', '、', '\n', '：', ':',
];

/// Words about work that goes on already: asking after it and calling it off start nothing.
const ABOUT_ONE: &[&str] = &[
    "怎么样了",
    "到哪",
    "进度",
    "进展",
    "查完",
    "有结果",
    "别查",
    "别再查",
    "别研究",
    "别调研",
    "不用查",
    "不用再查",
    "不用研究",
    "停止查",
    "停止研究",
    "停止调研",
    "取消查",
    "取消研究",
    "取消调研",
    " the research ",
    " stop research",
    " stop looking ",
    " any result",
];

/// Utterances that say it: a thorough look, a written guide.
const SAY_SO: &[&str] = &[
    "调研",
    "研究一下",
    "研究下",
    "深入研究",
    "做个研究",
    "做一份攻略",
    "做个攻略",
    "做份攻略",
    "做一个攻略",
    "深入了解",
    "详细了解",
    "查查资料",
    "多查几",
    "综合比较",
    "全面比较",
    "各方面比较",
    " do some research ",
    " do research ",
    " do a deep dive ",
    " deep dive into ",
    " dig into ",
    " put together a report ",
    " write a report ",
    " thorough look ",
];
/// The same, where they begin a clause.
const BEGIN_SO: &[&str] = &["research ", "look into ", "investigate "];
/// What is not research although it sounds so: the manual has a tool.
const NOT_SO: &[&str] = &["说明书", "手册", " manual "];

/// A wish to have things compared.
const COMPARE: &[&str] = &[
    "比较一下",
    "比较下",
    "比一比",
    "比一下",
    "比比看",
    "比个价",
    "比比价",
    "比价",
    "对比一下",
    "对比下",
    "做个对比",
    "做一下对比",
    "做个比较",
    "做一下比较",
    "做比较",
    "并比较",
    "再比较",
    "然后比较",
    "帮我比较",
    "帮我对比",
    "并对比",
    "货比三家",
    " compare ",
    " do a comparison ",
    " weigh up ",
];
/// The same, where they begin a clause and name two things.
const COMPARE_BEGIN: &[&str] = &["比较", "对比"];
const TWO_THINGS: &[&str] = &["和", "跟", "与", "还是"];
/// A question after the best of several, which nobody has sorted by that.
const WHICH: &[&str] = &[
    "哪个", "哪家", "哪种", "哪条", "哪款", "哪一", "哪里", "哪儿", " which ",
];
const BEST: &[&str] = &[
    "便宜",
    "划算",
    "值得",
    "靠谱",
    "性价比",
    "口碑",
    "合适",
    "更好",
    "更适合",
    " cheap",
    " best ",
    " better ",
    " worth ",
    " reliable ",
    " good value ",
];
const LOOK_UP: &[&str] = &[
    "查一下",
    "查查",
    "查下",
    "帮我查",
    "查一查",
    "搜一下",
    "搜搜",
    "帮我搜",
    "了解一下",
    "打听一下",
    "看看网上",
    "上网查",
    " look up ",
    " find out ",
    " check online ",
    " search the web ",
    " search online ",
    " look online ",
];
/// How long a comparison is at least, in units: "compare them" is about something that is at hand.
const LONG_ENOUGH: usize = 6;

/// A wish to have a trip planned.
const PLAN: &[&str] = &[
    "规划",
    "计划",
    "安排",
    "策划",
    "设计",
    "制定",
    "定个",
    " plan ",
    " planning ",
    " organise ",
    " organize ",
    " work out ",
    " put together ",
    " map out ",
    " arrange ",
];
const TRIP: &[&str] = &[
    "行程",
    "旅行",
    "旅游",
    "出游",
    "自驾",
    "路线",
    "之旅",
    "周末",
    "出行",
    "度假",
    "游玩",
    "郊游",
    "露营",
    "一日游",
    "天的",
    "去玩",
    " trip ",
    " weekend ",
    " itinerary ",
    " route ",
    " journey ",
    " holiday ",
    " vacation ",
    " getaway ",
    " tour ",
    " day out ",
    " drive to ",
];
/// Conditions on it, by what they are about: two kinds of them are more than a flow gathers.
const CONDITIONS: &[&[&str]] = &[
    // Energy on the way.
    &[
        "充电",
        "加油",
        "续航",
        "电量",
        "换电",
        " charg",
        " refuel ",
        " gas station ",
        " range ",
    ],
    // Where to stay.
    &[
        "住",
        "酒店",
        "民宿",
        "露营地",
        " stay",
        " hotel ",
        " hostel ",
        " campsite ",
        " overnight ",
        " sleep ",
    ],
    // What it may cost.
    &[
        "预算",
        "超过",
        "以内",
        "之内",
        "块钱",
        "人均",
        "控制在",
        "便宜",
        " budget",
        " under ",
        " no more than ",
        " at most ",
        " less than ",
        " below ",
        " exceed",
        " cheap",
        " per person ",
    ],
    // What is to be avoided.
    &[
        "不走",
        "避开",
        "别走",
        "绕开",
        "不要走",
        " avoid",
        " no toll",
        " no highway",
        " without toll",
        " without highway",
    ],
    // What lies on the way.
    &[
        "途经",
        "经过",
        "顺路",
        "顺便",
        "沿途",
        "中途",
        " on the way ",
        " along the way ",
        " stop ",
        " stopping ",
        " via ",
    ],
    // Who comes along.
    &[
        "孩子",
        "小孩",
        "老人",
        "宝宝",
        "宠物",
        "轮椅",
        " kid",
        " child",
        " dog ",
        " wheelchair ",
        " grand",
        " toddler ",
        " elderly ",
    ],
    // By when.
    &[
        "点前",
        "点之前",
        "之前到",
        "前到",
        "赶回",
        "当天回",
        " back by ",
        " be there by ",
        " arrive by ",
        " before noon ",
        " home by ",
    ],
    // What there is to eat.
    &[
        "吃",
        "餐厅",
        "素食",
        "清真",
        "海鲜",
        " eat",
        " restaurant",
        " vegetarian ",
        " lunch ",
        " dinner ",
    ],
];

/// Whether `text` is to be looked into in the background.
pub(crate) fn wants_research(text: &str) -> bool {
    let clauses: Vec<String> = text
        .split(BREAKS)
        .map(folded)
        .filter(|clause| !clause.trim().is_empty())
        .collect();
    let whole = clauses.concat();
    let has = |words: &[&str]| words.iter().any(|word| whole.contains(word));
    let begins = |words: &[&str]| {
        clauses
            .iter()
            .any(|clause| words.iter().any(|word| wish(clause).starts_with(word)))
    };
    if has(ABOUT_ONE) || Text::new(text).len() < LONG_ENOUGH {
        return false;
    }
    let says_so = (has(SAY_SO) || begins(BEGIN_SO)) && !has(NOT_SO);
    let compares = has(COMPARE) || begins(COMPARE_BEGIN) && has(TWO_THINGS) || has(WHICH) && has(BEST) && has(LOOK_UP);
    let conditions = CONDITIONS.iter().filter(|kind| has(kind)).count();
    says_so || compares && !has(NOT_SO) || has(PLAN) && has(TRIP) && conditions >= 2
}

/// A clause without what politeness puts before its wish.
fn wish(clause: &str) -> &str {
    const POLITE: [&str; 20] = [
        "请",
        "麻烦",
        "帮我",
        "给我",
        "你",
        "能",
        "可以",
        "帮忙",
        "我想",
        "我要",
        "please ",
        "can you ",
        "could you ",
        "would you ",
        "i want you to ",
        "i'd like you to ",
        "help me ",
        "and ",
        "then ",
        "also ",
    ];
    let mut rest = clause.trim_start();
    while let Some(shorter) = POLITE.iter().find_map(|word| rest.strip_prefix(word)) {
        rest = shorter.trim_start();
    }
    rest
}

/// A clause in its normal form: Chinese characters in a row, other words between spaces.
fn folded(clause: &str) -> String {
    let text = Text::new(clause);
    let mut folded = String::with_capacity(clause.len() + 2);
    let mut after_word = false;
    for (index, word) in text.words().enumerate() {
        let is_han = text.kind(index) == Some(UnitKind::Han);
        if !is_han || after_word {
            folded.push(' ');
        }
        folded.push_str(word);
        after_word = !is_han;
    }
    if after_word {
        folded.push(' ');
    }
    folded
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(expected: bool, texts: &[&str]) {
        for text in texts {
            assert_eq!(wants_research(text), expected, "{text}");
        }
    }

    #[test]
    fn a_trip_under_several_conditions_is_looked_into() {
        check(
            true,
            &[
                "规划周末去杭州两天的行程，路上要能充电，住西湖边，别超过两千",
                "规划周末去杭州两天的行程路上要能充电住西湖边别超过两千",
                "规劃週末去杭州兩天的行程，路上要能充電，住西湖邊，別超過兩千",
                "帮我安排个三天的自驾，带老人和孩子，每晚住民宿，人均一千以内",
                "计划一条去苏州的路线，不走高速，中途找地方吃饭",
                "plan a weekend in Hangzhou: we need to charge on the way, stay near West Lake, and spend no more than 2000",
                "Could you work out a two day trip to Nanjing with the kids, a hotel under 600, and back by Sunday evening?",
                "put together an itinerary for Suzhou, avoiding tolls and with vegetarian restaurants",
            ],
        );
    }

    #[test]
    fn a_plain_trip_is_for_the_flow() {
        check(
            false,
            &[
                "规划去成都三天的行程",
                "帮我规划一个去杭州的旅行，两个人，喜欢美食和历史",
                "计划周末去上海玩两天，带孩子",
                "我想去杭州玩，帮我订个西湖边的酒店",
                "plan a trip to Chengdu for three days",
                "plan a weekend in Hangzhou for two people who like food",
                "订一间西湖边的酒店，两晚，别超过八百",
                "安排明天的行程",
            ],
        );
    }

    #[test]
    fn a_comparison_is_looked_into() {
        check(
            true,
            &[
                "compare the charging stations on the way to Hangzhou and tell me which is cheapest",
                "比较一下去杭州路上的充电站，告诉我哪个最便宜",
                "帮我查一下沪杭高速上的服务区，并比较充电价格",
                "对比特来电和星星充电的价格",
                "上网查一下哪家的换电更划算",
                "Look up the ferries to Putuo and find out which one is better with a car",
            ],
        );
        check(
            false,
            &[
                "比较热，开空调",
                "今天比较冷",
                "对比度调高一点",
                "把屏幕的对比度调高",
                "哪家餐厅最近",
                "附近哪个加油站便宜",
                "compare them",
                "which station is this",
                "查一下附近的充电站",
                "find the cheapest gas station",
            ],
        );
    }

    #[test]
    fn what_says_that_it_is_research_is() {
        check(
            true,
            &[
                "调研一下杭州有哪些适合老人的景点",
                "帮我研究一下电动车冬天怎么省电",
                "给我做个攻略，周末带孩子去莫干山",
                "research how cold weather affects the range of electric cars",
                "please look into the rules for driving a camper van in Zhejiang",
                "do some research on winter tyres for an electric SUV",
            ],
        );
        check(
            false,
            &[
                "查得怎么样了",
                "调研到哪一步了",
                "别研究了",
                "取消调研",
                "how is the research going",
                "cancel the research",
                "look into the manual for how to fold the mirrors",
                "查一下用车手册里胎压是多少",
                "look into it",
            ],
        );
    }
}
