//! The English phrases.

use super::cue::Cue;

/// Phrases by cue, in lower case. `^` holds a phrase to a clause's beginning, `$` to a
/// sentence's end; every phrase begins and ends at a word's edge.
pub(super) const PHRASES: &[(Cue, &str)] = &[
    (
        Cue::QuestionWord,
        "^what | ^which | ^where | ^who | ^whom | ^whose | ^when | ^how | ^what's | ^where's | ^who's |
         ^when's | ^how's | ^what'd | ^where'd | ^what're | ^until when | ^until what | ^why |
         on which | at which | in which | by what | by when | at what | for what | for which |
         to which | from which | which one | until when | with which | with whom | for whom |
         for how many | for how long",
    ),
    (
        Cue::Indefinite,
        "what a | what an | guess what | no matter what | no matter which | no matter where |
         no matter how | ^when you | ^when we | ^when it | ^when i | ^when the | ^where possible |
         ^what i | ^how to | ^what you | ^which is | ^which means | ^which are | ^who is calling",
    ),
    (
        Cue::YesNo,
        "do you want | do you need | do you prefer | do you wish | would you like | would you prefer |
         would you rather | ^want me to | want me to | ^want | ^wanna | should i | shall i | shall we |
         should we | ^do you | ^did you | ^are you | ^is it | ^is this | ^is that | ^is the |
         ^is there | ^can i | ^could i | ^may i | ^will you | ^does that | ^does this | ^does it |
         ^was that | ^have you | ^interested in | ^care to | ^care for | ^need me to | ^would that |
         ^will that | ^would you | ^are we | ^am i | ^do i",
    ),
    (
        Cue::Inversion,
        "do you | would you | should i | shall i | are you | can i | could i | did you | will you |
         is your | are your | is the | should we | shall we | should it | should the | do we |
         have you | may i | d'you | was the | is it | does the | does it | were you | are the |
         are we",
    ),
    (
        Cue::RequestValue,
        "please tell me | ^tell me | just tell me | please provide | please give | ^give me |
         ^provide | please enter | please specify | please say | please state | please share |
         please describe | please repeat | please spell | please name | ^specify | ^describe |
         can you tell me | could you tell me | can you give | could you give | can you provide |
         could you provide | can you share | could you share | could you specify | can you specify |
         could you clarify | can you clarify | please clarify | could you repeat | can you repeat |
         could you say | can you say | could you spell | can you spell | could you double-check |
         could you be more specific | could you please | can you please | would you please |
         would you tell me | will you tell me | may i know | may i have | may i ask | can i get |
         can i have | could i get | could i have | let me know which | let me know what |
         let me know where | let me know when | let me know who | let me know how | let me know the |
         let me know your | let me know whether | i need to know | i'd need to know |
         i'll need to know | i still need | i'll need the | i need the | i need your | i'll need your |
         i just need | i need an | i'll need a | still need a | still need the | still need your |
         i'd like to know | i have to know | need to know | waiting for your | go ahead with your |
         if you tell me | if you can tell me | if you give me | once you tell me |
         as soon as you tell me | once i know | once i have | remind me what | remind me which |
         remind me where | then tell me | please try again | say it again | say that again |
         please rephrase | i'm missing | is still missing | just say where | just say when |
         just say how | just name | please also tell me | name the | ^name a | fill me in |
         didn't catch that | didn't get that | i missed that | didn't hear | say again | come again |
         repeat that | repeat the | repeat it | spell that | spell it | spell the | what was that |
         you didn't say | you haven't said | you haven't told | haven't told me | didn't tell me |
         didn't mention | need one more | one more detail | just need | need a bit more |
         need more information | need some more | need a little more | i need to ask | i only need |
         all i need | give me the | give me your | just give me | just tell | let me have |
         please let me know the | please let me know your | please let me know what |
         please let me know which | please let me know where | please let me know when |
         please let me know how | please let me know if you want the | please indicate | please list |
         please type | please dictate | please read | please send me | send me the | please mention |
         please reply | please respond | please answer | start with the | start by telling |
         go ahead and tell | go ahead and say | go ahead with | ^read me the | read me the |
         what i need is | i need two | i need three | i need at least | could you narrow |
         can you narrow | narrow it down | be more specific | be a bit more specific | i'd need the |
         i'd need a | i'd need your | i would need | i'll need to have | i require | i'm waiting for |
         may i get | please fill | needs a name | needs a destination | needs a time |
         waiting for you to | i will need the | i will need your | i will need a | first i need the |
         first i need a | please fill in | which one$ | which one please | what time$ | where to$ |
         one more time, please | one more time please | once more, please | again, please |
         again please | time, please | name, please | which one do you | which do you |
         which would you | which one should i | which one would you | which one should |
         what time do you | what time should i | how many do you | where do you want |
         what would you like | who do you want | what should i | where should i | name please |
         address please | number please | date please | city please | destination please",
    ),
    (
        Cue::RequestChoice,
        "please choose | please pick | please select | ^choose | ^pick | ^select | you can choose |
         ^say one | ^say yes | ^say ” | say yes or | just say yes | say yes to | say ” to |
         say ” or | please say yes | reply with | answer yes | tell me one | say the number |
         say a number | up to you | it's up to you | need you to choose | need you to pick |
         you'll have to pick | just say which | say which | ^say the | ^your choice | ^your call |
         ^your pick | ^take one | pick one | choose one | choose between | choose from | pick from |
         select one | make your pick | tell me the number | give me a number | ^say first |
         ^say front | ^answer with | tap one | you decide | just pick | just choose | ^name one |
         ^name your | ^take your pick | ^you choose | ^you pick | your choice$ | your call$ | ^say a |
         ^say an | ^say it | ^say your | you'll need to choose | you'll need to pick |
         you'll have to choose",
    ),
    (
        Cue::RequestConfirm,
        "please confirm | ^confirm | can you confirm | could you confirm | would you confirm |
         will you confirm | do you confirm | can i confirm | may i confirm | just confirm |
         kindly confirm | confirm with a yes | confirm that you | confirm whether | just to confirm |
         let me confirm | i'd like to confirm | ^so to confirm | confirm the following |
         confirm these | confirm the details | confirm and i | confirm with ” | also confirm |
         can you please confirm | could you please confirm | will you please confirm | please verify |
         kindly verify | verify the | kindly ensure | please ensure that | please review |
         is that correct | is this correct | is it correct | is that right | is this right |
         is it right | am i right | do i have that right | did i get that right |
         have i got that right | is everything correct | are these correct | are the details correct |
         does that look right | does this look right | does everything look | information correct |
         are you sure | you sure | really want | sure you want | need your confirmation |
         need a confirmation | needs your confirmation | a confirmation from you |
         confirmation from you | need your okay | need your ok | need your approval |
         need your go-ahead | need your permission | a yes from you | need a yes | do you approve |
         do you agree | to be clear | just to make sure | make sure i | just checking | just to check |
         double-checking | waiting for your okay | do i have your permission | need you to confirm |
         until you confirm | once you confirm | when you confirm | if you confirm | want to confirm |
         is that what you | ^to confirm | ^confirming | for confirmation | ^so you want |
         ^so you'd like | ^so you would like | ^you want | ^you would like | just to verify |
         let me verify | let me double-check | let me make sure | want to make sure | to make sure |
         to double-check | confirm this | confirm it | i need your confirmation |
         needs a confirmation | need a quick confirmation | quick confirmation | need you to say yes |
         need a quick yes | say yes and | say yes if | say yes when | say go | give me a yes |
         give me the go-ahead | give me the green light | green light | go-ahead from you |
         okay from you | ok from you | a yes before | your go-ahead | your say-so | if that's right |
         if that's correct | if this is right | is all of that right | did i hear that right |
         did i hear you right | did i understand | is that a yes | is it a yes | are you certain |
         do you really | still want me | want me to go ahead | shall i go ahead | should i go ahead |
         shall i proceed | should i proceed | do you want me to proceed | okay to proceed |
         ready to proceed | want to proceed | want to go ahead | want me to proceed | may i proceed |
         can i go ahead | can i proceed | clear yes | explicit yes | verbal yes | do you still want |
         you still want | your consent | your explicit | if you approve | with your permission |
         seeking approval | your approval | let me see if i | to be sure | if i am correct |
         if i'm correct | after you confirm | is that it$",
    ),
    (Cue::Alternative, "or | either"),
    (
        Cue::Courtesy,
        "anything else | any thing else | something else | anything more | anything further |
         any other help | any other requests | any other request | any other questions |
         any other changes | any further | any more help | any additional help | any other assistance |
         what else | how else | what more | how can i help | how may i help | how can i assist |
         how may i assist | how could i help | what can i do | what can i help | if you need anything |
         if you need something | if you need help | if you need me | if you need any | need anything |
         needs anything | if there's anything | if there is anything | if there's something |
         happy to help | glad to help | here to help | here if you | around if you | can i help |
         may i help | could i help | can i assist | may i assist | need any help |
         need help with anything | need help with something | be of help | be of service |
         be of assistance | that be all | is that all | will that be it | anything i can |
         anything you need | anything you'd like | anything you want | just call me | just shout |
         ^shout if | holler | at your service | do for you | do more for you | any other thing |
         another thing$ | can i do something | anything on your mind | i'll be here | i'm here |
         other requests | what's next | all you need | anything else$ | else can i | else i can |
         else may i | else you need | else you want | else you'd like | anything at all | need a hand |
         lend a hand | if anything comes up | if anything else | whenever you need me |
         when you need me | if you have any | have any questions | just let me know if you need |
         give me a shout | just holler | just say hey | call on me | i'm all ears |
         what would you like to do next | what would you like me to do next | what next |
         what's on your mind | more i can do | further assistance | more assistance | need assistance |
         be all for | will that be all | that everything | is that everything | help you with today |
         assist you today | assist you with | of any further | any assistance$ | need something else |
         what's up | i'm listening | any other way i can | other way i can | other ways i can |
         some other way i can | what do you need$ | what can i get you",
    ),
    (
        Cue::OpenAlternative,
        "or anything else | or something else | or anything | something else like |
         anything else like | or somewhere else | or someone else | or anything like |
         anything else, like | help you with, like | anything particular | anything in particular |
         anything specific",
    ),
    (
        Cue::IfWished,
        "if you'd like | if you would like | if you want | if you wanna | if you wish | if you like |
         if you prefer | if you'd prefer | if you'd rather | if you're interested |
         if you are interested | if you're curious | if interested | if that helps | if needed |
         if you feel like | if you ever want | let me know if | tell me if | let me know when you |
         let me know whenever | let me know in case | just ask | just say so | just say the word |
         just tell me if | feel free | you can always ask | whenever you | say the word |
         if you change your mind | if you ask | if that would help | should you want |
         should you need | if you need it | if you need that | if you need them | if you need more |
         if you need a | if you change your | any time you | anytime you | just tell me to |
         just tell me when | say so and | ask me to | you can ask me | say the word and |
         only a word away | if it would help | if it helps | if you miss | if you fancy | if you care |
         if you ever | if you decide | if you still want | if you feel | give me a nudge |
         want me to, just | let me know, and | happy to switch | happy to change | happy to look |
         happy to find | happy to add | happy to try | just tell me and | tell me and | just say it |
         but i can | but i could | i can still | though i can | i can always | i could play |
         i could show | i could find | i could call | i could try | i could look | i could read |
         i could send | i could set | i could also | i could take | i could remind | i could add",
    ),
    (Cue::Ability, "i can | i could | i'll | i'd be | i'm able"),
    (
        Cue::Reported,
        "i'll ask | i will ask | i can ask | i'll tell you | i'll let you know | i'll remind |
         i know what | i know where | i know how | i know which | i know when | i don't know |
         i'll show | here's what | here's how | here's where | this is how | that's what | that's how |
         that's why | depends on | told you | i'll check | i'll find out",
    ),
    (
        Cue::Rhetorical,
        "who doesn't | who wouldn't | who knew | who knows | why not | how cool | isn't it |
         isn't that | aren't they | what could be | how hard can | who cares | what's not to |
         how great | how nice | who can blame | who could | how could i forget | what would we |
         right on | what can i say | don't we all | can say that again | want to stay in |
         want to keep | want to be in | want to turn | want to be careful",
    ),
    (
        Cue::Purpose,
        "until you | until i | before i can | so i can | so that i | i'll get | i'll set | i'll take |
         i can't | then i | needs a | for example | you can say | e.g. | and i'll | once i | just |
         for instance | you could | you can",
    ),
    (
        Cue::Driver,
        "you | your | you're | you'd | your | d'you | should i | shall i",
    ),
    (
        Cue::Proposal,
        "how about | what about | how does that sound | how does this sound | how's that |
         how would you | how do you feel | why don't i | why don't we | what do you think |
         what do you say | your opinion | up for | curious about | care for | how does it sound |
         ^fancy",
    ),
    (
        Cue::WantMe,
        "want me to | like me to | need me to | prefer me to | have me | ^want | ^wanna | rather i",
    ),
    (Cue::ShouldI, "should i | shall i | shall we | should we"),
    (
        Cue::Leave,
        "is that okay | is that ok | is that all right | is that alright | is that fine |
         is this okay | is this ok | okay to | ok to | good to | ready to | okay with you |
         ok with you | fine with you | good for you | okay$ | ok$ | all good | alright$ | ^mind if i |
         do you mind | permission | may i | can i use | can i share | can i charge | can i send |
         can i read | can i access | could i use",
    ),
    (
        Cue::ReadBack,
        "^so i | ^so you | you meant | i am booking | i'm booking | i'll activate | i am going to |
         i'm going to | i'll book | i'll reserve | i'll send | i'll get you | ^you want | ^you'd like |
         ^you would like | ^you wish | ^you'll be | ^you are | ^you're | ^you will be | ^i should |
         ^i'll",
    ),
    (
        Cue::Fact,
        "is there a | is there any | is there something | do you have | did you mean | do you mean |
         did you say | you mean | ^is it | ^is the | ^is your | is that the | ^will you |
         are there any | ^does he | ^does she | ^do they | ^does your | have any | any preference |
         any preferences | preference | prefer | in particular | particular | specific | certain |
         ^for how | ^any | ^and | do you require | kind of | type of | ^is a | was that | ^are there |
         anything in particular | looking for | ^are you | number of | ^is this | ^are we | ^is he |
         ^is she | ^is that for",
    ),
    (
        Cue::GoOn,
        "go ahead | anyway | anyways | proceed | still | continue | regardless | now$ |
         start navigation | start the navigation | send it | do it | go with | submit | install now |
         call now | really | set it | book it | with this route | as your new | as the new |
         all of them | ^cancel | ^delete | ^send | ^install | ^erase | ^reset | ^overwrite | ^replace |
         ^pay | ^submit | ^turn off | ^unlock | ^discard | ^proceed",
    ),
    (
        Cue::Extra,
        "also | as well | too | instead | another | other | others | next time | every time |
         whenever | remind | reminder | alternatives | similar | later | either of them |
         in the meantime | while you wait | to help | charging station | along the way |
         along the route | waypoint | stick with | switch to | combination | keep you posted |
         alternative | swap | nearby | call them | remember | follow-up | backup | back up | alert |
         notify | keep an eye | watch for | queue | add it | pull up",
    ),
    (
        Cue::More,
        "more | details | info | hear | read | look for | look up | find | search | check | know |
         show | list | see | forecast | directions | take you there | tell you | let them know |
         adjust anything | help you find | widen",
    ),
    (
        Cue::Taste,
        "interested | interest you | does that work | does this work | that work | this work |
         work for you | sound good | sounds good | sound okay | do you like | would you consider |
         that be okay | how is that | try",
    ),
    (
        Cue::WouldLikeTo,
        "would you like to | do you want to | do you wish to | would you want to | you like to |
         are you interested | want to",
    ),
    (
        Cue::SlotValue,
        "today | tomorrow | january | february | march | april | may | june | july | august |
         september | october | november | december | monday | tuesday | wednesday | thursday | friday |
         saturday | sunday | am | pm | shared | a.m. | p.m. | percent | degrees | people | person |
         city | date | time | destination | address | account",
    ),
    (
        Cue::Booking,
        "book | reserve | reservation | tickets | purchase | buy | rent | schedule |
         make an appointment | the appointment | transfer | this movie | the movie | this song |
         the song | it now | a table | a room | the room | this car | seats | visit",
    ),
    (
        Cue::Done,
        "done | is on | are on | is off | are off | is now | are now | is set | are set | i've set |
         i've turned | i've added | i've moved | i've closed | i've opened | i've changed | i've sent |
         i've scheduled | i've saved | i've updated | i've removed | i've started | i've put |
         i've booked | sent | booked | added | updated | saved | changed to | turned on | turned off |
         tuned to | playing | started | stopped | ended | deleted | removed | cancelled | canceled |
         moved to | moved | all set | scheduled | set to | is paused | is muted | is locked |
         are locked | is closed | are closed | is open | are open | are up | are down | is up |
         is down | navigating to | reserved | confirmed | switched to | switched",
    ),
    (
        Cue::Refused,
        "can't | cannot | can not | couldn't | unable | not able | isn't available | not available |
         unavailable | not supported | doesn't support | no longer | sold out | unfortunately |
         wasn't able | failed | didn't work | not possible | isn't possible | isn't working | no luck |
         won't | isn't in | there's no | there are no | didn't find | an issue | i regret | don't see |
         doesn't exist | not allowed | don't support | won't let | no results | not found | too far |
         isn't open | isn't in service | couldn't reach | no answer | isn't connected | not connected |
         declined | not something i | don't do | beyond | ^no luck | ^no chargers | sorry, i can't",
    ),
    (
        Cue::Risk,
        "warning | careful | unsafe | dangerous | risk | danger | heads up | heads-up | but you |
         you can't | you won't | costs | fee | charge you | charged | toll | tolls | non-refundable |
         erase | erases | permanently | lose | drops | disable | disables | turns off | raining |
         overlaps | conflicts | takes about | while driving | can't be undone | cannot be undone |
         can't undo | non refundable | cancel | cancellation | for good | will erase | will stop |
         will end | will turn | will disconnect | will lose | overwrite | replace | interrupt |
         expensive | extra cost | surcharge | per minute | per hour | deposit | slippery | icy |
         too fast | at this speed | speeding | rear windows will | noisy | loud | battery's low |
         low battery | range will | uses more | drains | reset | factory",
    ),
    (
        Cue::Found,
        "found | there is | there are | there's | i have | how about | it has | it's called |
         takes off | located | you could | rating | stars | options",
    ),
    (
        Cue::Tag,
        "right$ | correct$ | i'm right$ | look right$ | sound right$ | sounds right$ | yes$ | okay$ |
         ok$ | good to go$",
    ),
    (Cue::Quoting, "wrote | texted | says | said | message reads | told me"),
    (
        Cue::Condition,
        "if it gets | if it's too | if that's too | if the | if it | if that | if they | if you get |
         if you're cold | if you're hot | if you're tired | if you're hungry | if you run |
         if you find",
    ),
    (
        Cue::Hinges,
        "until you | until i | i can't go | i can't start | i can't send | i can't book |
         i can't continue | i can't do | i can't lay | before i can | so i can | so that i | once you |
         as soon as you | and i'll | then i'll | or i can't | won't start | can't start | hold off",
    ),
    (Cue::Hand, "i'll | i'd be | i can | i could | i'm able"),
    (Cue::Ability, ""),
    (
        Cue::Quoting,
        "now playing | playing: | asked if | asked whether | asked where | asked what | asked when |
         asked how | asked which | asked who | asked why | asked you | asked me | asks if |
         asks whether | asks what | asks when | asks where | asking if | asking whether | asking what |
         asking when | asking where | wants to know | wondering if | wondered if",
    ),
    (
        Cue::Prepared,
        "route is ready | the route takes | is ready | drafted | draft | route to | planned |
         here's the | here is the",
    ),
    (
        Cue::Inquiry,
        "what | how | what's | why | where | when | tell me | check | is there | are there | find |
         look for | search | options | show | which | provide | details | is it | do i | will i |
         can i | explain | info | know",
    ),
    (
        Cue::NeedsYou,
        "please | kindly | need you to | can you | could you | would you | will you | go ahead and |
         waiting for you to | you'll have to | you'll need to | i just need you to",
    ),
    (
        Cue::Reply,
        "confirm | verify | approve | tell me | say | choose | select | give me | provide | repeat |
         spell | specify | clarify | answer | reply | describe | rephrase | indicate | authorize |
         decide | pick one | pick a | pick the | enter the | enter your | name the | name a",
    ),
];
