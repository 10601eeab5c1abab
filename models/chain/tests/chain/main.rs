//! A chain of models that fail in every way: who is asked, in which order, and what is told.

#[cfg(test)]
mod fallback;
#[cfg(test)]
mod order;
#[cfg(test)]
mod support;
