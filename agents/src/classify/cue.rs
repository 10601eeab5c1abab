//! The cues by which a sentence shows what it wants, and sets of them.

/// One thing that a phrase shows about its sentence. The tables in `lexicon_zh` and `lexicon_en`
/// say which phrases show which cue; `act` and `weigh` say what follows from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Cue {
    // What the sentence does.
    /// A question word where a question may begin: "which …", "哪个".
    QuestionWord,
    /// A question word in a phrase that asks nothing: "没什么", "多少有点", "no matter what".
    Indefinite,
    /// The shape of a yes/no question: "…吗", "要不要", "do you …".
    YesNo,
    /// What makes a yes/no question only at the end of a sentence that does not stop: "不", "没".
    WeakYesNo,
    /// A tag that turns a statement into a request to confirm it: "…, right?".
    Tag,
    /// A clause-final particle of questions with question words: 呢, 呀.
    Particle,
    /// Inversion that makes a question of an English clause: "do you", "should i".
    Inversion,
    /// Asks for a value in so many words: "请告诉我", "please provide".
    RequestValue,
    /// Asks for a choice or a set answer in so many words: "请选择", "say one or two".
    RequestChoice,
    /// Asks for a confirmation in so many words: "请确认", "is that correct".
    RequestConfirm,
    /// Turns to the driver for something: "需要您", "please". With [`Cue::Reply`] it is a request.
    NeedsYou,
    /// What the driver is to do with words: "回复", "clarify".
    Reply,
    /// Two alternatives: "还是", "or".
    Alternative,
    /// Help in general: "anything else", "还有什么需要".
    Courtesy,
    /// "or something else" as the last of several alternatives; not a courtesy.
    OpenAlternative,
    /// A condition on the driver's wish: "if you'd like", "需要的话".
    IfWished,
    /// Any other condition: "if it gets", "要是".
    Condition,
    /// A wish within a condition: "想…的话".
    Longing,
    /// Names what the assistant could do next: "i can", "我可以".
    Ability,
    /// Says what the assistant would do: "i'll", "我来".
    Hand,
    /// A question put off, answered or told: "asked whether", "您问", "我会告诉您".
    Reported,
    /// Opens the words of others: "wrote", "内容是".
    Quoting,
    /// Asks nothing though it looks so: "who doesn't", "那还用说".
    Rhetorical,
    /// A statement that hangs on the answer to the question before it: "我好…", "until you".
    Purpose,

    // Who and when.
    /// Speaks to the driver: "you", "您".
    Driver,
    /// Asks what the driver wants: "想", "要", "请问".
    Wish,

    // What a yes/no question is about (see `weigh`).
    /// Proposes: "how about", "要不", "怎么样".
    Proposal,
    /// Offers the assistant's hand: "want me to", "要我", "帮您".
    WantMe,
    /// Asks leave: "should i", "shall i".
    ShouldI,
    /// Asks leave for what was wished: "可以吗", "okay to", "good to submit".
    Leave,
    /// Says the driver's wish back: "you want", "you'd like", "so".
    ReadBack,
    /// Asks for a fact: "is there", "did you mean", "有没有".
    Fact,
    /// Going on with what was begun: "go ahead", "anyway", "继续".
    GoOn,
    /// Something on top: "also", "顺便", "再".
    Extra,
    /// More to hear or to see: "details", "read", "看看".
    More,
    /// Asks to be liked: "does that work", "interested in".
    Taste,
    /// "would you like to", "do you want to".
    WouldLikeTo,
    /// "at this time", "on march 3rd": the value of a slot.
    SlotValue,
    /// "the room", "a table": the act that a search leads up to.
    Booking,

    // What the rest of the reply tells.
    /// Something was done: "done", "已经", "is on".
    Done,
    /// Something was refused or failed: "can't", "抱歉".
    Refused,
    /// Something speaks against it, or it costs: "risk", "元".
    Risk,
    /// The task hangs on the answer: "until you", "我才能".
    Hinges,
    /// Something is ready to be done, but not done: "规划好", "the route takes".
    Prepared,
    /// The driver had asked to be told something: "how long", "查".
    Inquiry,
    /// Something was found: "there is", "found", "找到".
    Found,
}

impl Cue {
    /// Whether the cue alone makes a request.
    pub(super) fn requests(self) -> bool {
        matches!(self, Self::RequestValue | Self::RequestChoice | Self::RequestConfirm)
    }
}

/// A set of cues.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Cues(u64);

impl Cues {
    /// Adds `cue`.
    pub(super) fn add(&mut self, cue: Cue) {
        self.0 |= 1 << cue as u8;
    }

    /// Whether `cue` is in the set.
    pub(super) fn has(self, cue: Cue) -> bool {
        self.0 & (1 << cue as u8) != 0
    }

    /// Whether one of `cues` is in the set.
    pub(super) fn any(self, cues: &[Cue]) -> bool {
        cues.iter().any(|&cue| self.has(cue))
    }

    /// The cues of both.
    pub(super) fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}
