//! The names that tools from outside have here.

/// How long a tool's name may be.
const LONGEST: usize = 64;

/// The name of `tool` of `server`: `server__tool`. What no function of a model's service may be called
/// (other letters, more than 64) is replaced, and the name gets a mark that tells it from others.
pub(crate) fn local_name(server: &str, tool: &str) -> String {
    let prefix = format!("{server}__");
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if !tool.is_empty() && tool.chars().all(plain) && prefix.len() + tool.len() <= LONGEST {
        return prefix + tool;
    }
    let mark = format!("_{:08x}", fingerprint(tool));
    let room = LONGEST.saturating_sub(prefix.len() + mark.len());
    let tool: String = tool
        .chars()
        .map(|c| if plain(c) { c } else { '_' })
        .take(room)
        .collect();
    prefix + &tool + &mark
}

/// FNV-1a: names only need to be told apart, and two that collide are refused as the same name twice.
fn fingerprint(text: &str) -> u32 {
    text.bytes().fold(0x811c_9dc5, |hash, byte| {
        (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_plain_name_is_kept_and_any_other_is_marked() {
        assert_eq!(local_name("tavily", "tavily-search"), "tavily__tavily-search");
        assert!(local_name("s", "a.b").starts_with("s__a_b_"));
        assert_ne!(local_name("s", "a.b"), local_name("s", "a/b"));
        assert_ne!(local_name("s", &"x".repeat(100)), local_name("s", &"x".repeat(101)));
    }

    proptest! {
        #[test]
        fn every_name_is_one_that_services_take(server in "[a-z0-9-]{1,24}", tool in ".{0,200}") {
            let name = local_name(&server, &tool);
            prop_assert!((1..=64).contains(&name.len()), "{name}");
            prop_assert!(name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-'), "{name}");
            let prefix = format!("{server}__");
            prop_assert!(name.starts_with(&prefix));
        }
    }
}
