//! The words by which a reply says that something was done, and those by which it says that nothing
//! of the kind is meant. Words of a table stand between bars; English ones have a space where a word
//! begins or ends.

/// How a clause speaks of a deed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Manner {
    /// The assistant says that it did it: 已为您打开, "I've opened".
    Did,
    /// It says that it is doing it or about to: 这就打开, "I'll open".
    Does,
    /// It says that it is so: 空调已打开, "the AC is now on".
    IsSo,
}

/// A sentence with one of these only supposes: if one thing, then another.
const SUPPOSED: &str = "如果|要是|的话|假如|只要|是否| if | when | unless | whether | until | as soon as ";

/// A clause with one of these claims no deed: it denies, asks, offers, advises or tells a state.
const NO_CLAIM: &str = "没|不|无法|未能|尚未|失败|抱歉|对不起|遗憾|可以|能够|能帮|能为|能给|需要|建议|请|试试|您说|您可|才|吗|呢|\
    要么|已经是|已是|本来|原本|一直|着|处于|目前|当前|上次|之前|刚才|昨天|稍后|等会|之后|待会|到时|再帮|再为|再给|\
     not |n't | cannot | never | unable | failed | sorry | unfortunately | can | could | would | should | might | may | \
    want | like me | shall | please | try | already | currently | still | earlier | yesterday | later | need | let me know | \
    before ";

/// The assistant did it.
const DID: &str = "已为|已经为|已帮|已经帮|已给|已经给|已替|已经替|我已|我刚|我把|帮您把|为您把|已将|已经将|已把|已经把|已成功|成功为";

/// It did it, where the next word is a verb's past.
const HAVE: &str = " i've | i have | i just | we've | we have ";

/// Between "I have" and its verb.
const BETWEEN: &str = "now|just|also|successfully|gone ahead and|both";

/// Past participles that do not end in -ed.
const IRREGULAR: &str =
    "set|put|sent|made|done|begun|bought|cut|shut|let|taken|given|brought|built|left|written|begun|hidden|kept";

/// It is doing it, or will at once.
const DOES: &str = "正在为|正在帮|正在给|这就|马上|立刻|立即|我来|我会|我将|现在为|现在帮|正为|为您|帮您|给您|为你|帮你| i'm | i am | i'll | \
    i will | let me | going to ";

/// It is so.
const IS_SO: &str = "已|了|正在|完成|成功|搞定|完毕| is now | are now | now | has been | have been | been | done | set to | turned | \
    switched | opened | closed | playing | opening | closing | turning | navigating | calling | started | starting | setting | \
    switching | sent | added ";

/// Words that only carry the claim, taken out before the rest is read as a wish. Longer ones first.
const CARRIERS: &str = "没问题|已经成功|已成功|已经|正在|成功|这就|马上|立刻|立即|为您|帮您|给您|替您|为你|帮你|给你|好的|现在|收到|明白|\
    我来|我会|我将|我已|我把|我刚|完毕|完成|搞定|好了|了|已|我|将|把|好|嗯|都|okay |ok |sure |done |alright |all right |got it |\
    no problem |of course |i've |i have |i just |i'm |i am |i'll |i will |let me |going to |successfully |has been |have been |\
    is now |are now |now |right away |for you |just ";

/// Verbs in the forms that claim, and the form in which a wish has them.
const VERBS: &str = "opened open|opening open|closed close|closing close|turned turn|turning turn|switched switch|switching switch|\
    setting set|started start|starting start|stopped stop|stopping stop|playing play|played play|paused pause|pausing pause|\
    skipping skip|skipped skip|calling call|called call|dialing call|sending send|sent send|texted text|navigating navigate|\
    locked lock|locking lock|unlocked unlock|unlocking unlock|raised raise|raising raise|lowered lower|lowering lower|\
    increased increase|increasing increase|decreased decrease|decreasing decrease|adjusted adjust|adjusting adjust|\
    changed change|changing change|activated activate|activating activate|enabled enable|disabled disable|folded fold|\
    folding fold|muted mute|muting mute|rolled roll|rolling roll|added add|adding add|removed remove|removing remove|\
    cancelled cancel|canceled cancel";

/// Doing these needs no tool that changes anything: a claim of them is none of a deed.
const MENTAL: &str = "查|找|搜|看|读|念|听|了解|明白|知道|理解|记|想|算|说|讲|介绍|推荐|规划|整理|总结|列|排|收到|准备|翻译|解释|提供|\
    选|在|换算|祝|回答|分析|核对|确认|检查|比|估|评| found | looked | searched | checked | noted | calculated | listed | learned | figured | \
    picked | heard | prepared | planned | compared | confirmed | estimated | received | tried | wanted | needed | loved | enjoyed ";

/// Deeds that are promised in words of which no tool has any.
const ERRANDS: &str = "预订|预定|订|买|购|下单|点餐|外卖|叫车|打车|提醒|闹钟|支付|付款|转账|挂号|邮件|缴费|充值| book| order| buy| bought|\
     purchas| reserv| remind| alarm| schedul| email| pay| paid| transfer| hire";

fn words(table: &'static str) -> impl Iterator<Item = &'static str> {
    table.split('|')
}

fn has(text: &str, table: &'static str) -> bool {
    words(table).any(|word| text.contains(word))
}

/// Whether a sentence, with a space at either end and in lower case, only supposes what it says.
pub(super) fn is_supposed(sentence: &str) -> bool {
    has(sentence, SUPPOSED)
}

/// How a clause, with a space at either end and in lower case, speaks of a deed, if it claims one.
pub(super) fn manner(clause: &str) -> Option<Manner> {
    if has(clause, NO_CLAIM) {
        None
    } else if has(clause, DID) || has_done(clause) {
        Some(Manner::Did)
    } else if has(clause, DOES) {
        Some(Manner::Does)
    } else {
        has(clause, IS_SO).then_some(Manner::IsSo)
    }
}

/// Whether an English clause says that the assistant has done something, and not only that it has
/// something.
fn has_done(clause: &str) -> bool {
    let verb = words(HAVE).find_map(|have| {
        let (_, rest) = clause.split_once(have)?;
        let mut rest = rest.trim_start();
        while let Some(after) = words(BETWEEN).find_map(|word| rest.strip_prefix(word)?.strip_prefix(' ')) {
            rest = after;
        }
        rest.split(' ').next()
    });
    verb.is_some_and(|verb| verb.len() > 3 && verb.ends_with("ed") || words(IRREGULAR).any(|other| other == verb))
}

/// Whether a clause speaks of a deed at all, and not of finding or knowing something; for what no
/// tool has words for.
pub(super) fn is_deed(clause: &str, manner: Manner) -> bool {
    match manner {
        Manner::Did => has(clause, ERRANDS) || !has(clause, MENTAL),
        Manner::Does => has(clause, ERRANDS),
        Manner::IsSo => false,
    }
}

/// The clause as a wish for what it claims: 已为您打开空调 is 打开空调, "I've opened it" is "open it".
pub(super) fn as_wish(clause: &str) -> String {
    let mut wish = clause.to_owned();
    for carrier in words(CARRIERS).filter(|carrier| clause.contains(carrier)) {
        // Latin carriers end in a space, and must not begin within a word.
        wish = if carrier.is_ascii() {
            wish.replace(&format!(" {carrier}"), " ")
        } else {
            wish.replace(carrier, "")
        };
    }
    let base = |word| words(VERBS).find_map(|pair| pair.strip_prefix(word)?.strip_prefix(' '));
    let words: Vec<&str> = wish.split_whitespace().map(|word| base(word).unwrap_or(word)).collect();
    words.join(" ")
}
