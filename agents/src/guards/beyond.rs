//! A wish for which no tool is registered is said to be beyond the car.

use incar_core::Lang;

/// The guard's id.
pub(super) const ID: &str = "beyond-the-car";

/// What is said where a model cannot bring itself to say it.
pub(super) fn instead(lang: Lang) -> &'static str {
    lang.pick(
        "抱歉，这件事车上办不了。",
        "Sorry, that is beyond what I can do from the car.",
    )
}

/// What a model is told that claimed it.
pub(super) const NOTE: &str = "This reply was not spoken: it says that something was or will be done for which there is \
    no tool. Say truthfully that it cannot be done from the car, and offer only what the tools can do.";
