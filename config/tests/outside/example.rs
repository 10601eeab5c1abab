//! The documented sections are such, and make an assistant.

use incar_config::{Config, Environment};
use incar_mcp::client::{Elicitation, Hints, Transport};
use incar_research::{Budget, Method, TeamSettings};
use incar_web::SearchService;
use std::path::Path;

const EXAMPLE: &str = include_str!("../../../docs/incar.features.example.toml");

fn example(text: &str) -> Config {
    let names = [
        "DASHSCOPE_API_KEY",
        "TAVILY_API_KEY",
        "JINA_API_KEY",
        "PATH",
        "HOME",
        "HOME_MCP_TOKEN",
        "HOME_MCP_HOUSE",
    ];
    let environment = names
        .map(|name| (name, "must-not-be-shown"))
        .into_iter()
        .collect::<Environment>();
    let config = Config::from_toml("example.toml", text, Path::new("../docs"), &environment).unwrap();
    let shown = format!("{config:?}");
    assert!(!shown.contains("must-not-be-shown"), "{shown}");
    config
}

#[test]
fn the_example_says_what_it_says() {
    let config = example(EXAMPLE);
    let web = config.web.unwrap();
    assert_eq!(web.settings().search, Some(SearchService::Tavily));
    assert_eq!(web.settings().allow, ["192.168.10.0/24"]);
    let mcp = config.mcp.unwrap();
    assert_eq!(mcp.pins, Path::new("../docs/mcp-pins.json"));
    let [tavily, home] = mcp.servers.as_slice() else {
        panic!("{:?}", mcp.servers)
    };
    assert!(matches!(&tavily.transport, Transport::Stdio { pass_env, .. } if pass_env.len() == 3));
    assert_eq!(
        (tavily.hints, tavily.elicitation),
        (Hints::Believed, Elicitation::Asked)
    );
    assert!(matches!(&home.transport, Transport::Http { url, .. } if url == "https://home.example.com/mcp"));
    assert_eq!((home.hints, home.elicitation), (Hints::Ignored, Elicitation::Declined));
    assert_eq!(
        (home.most_tools, home.unattended.as_slice()),
        (16, &["set_lights".to_owned()][..])
    );
    let research = config.research.unwrap();
    assert_eq!((research.method, research.budget), (Method::Team, Budget::team()));
    assert_eq!(research.team, TeamSettings::default());
    assert_eq!(research.profile.model.as_deref(), Some("qwen-max"));
    assert_eq!(research.folder.as_deref(), Some(Path::new("../docs/research")));
}

#[test]
fn the_commented_choices_are_choices_too() {
    let web = |keys: &str| example(&format!("[web]\n{keys}\n")).web.unwrap();
    assert_eq!(
        web("search = \"searxng\"\nurl = \"https://search.example.com\"")
            .settings()
            .search,
        Some(SearchService::SearXng)
    );
    web(
        "search = \"tavily\"\nreader = \"jina\"\nreader_url = \"https://r.jina.ai\"\nreader_key_env = \"JINA_API_KEY\"",
    );
    let deep = EXAMPLE
        .replace(
            "method = \"team\" ",
            "method = \"deep\"\ndepth = 3\nrequest_tokens = 32000 ",
        )
        .replace("checks = 2", "")
        .replace("abstain_below = 0.6", "")
        .replace("parallel = 4", "");
    assert_eq!(example(&deep).research.unwrap().method, Method::Deep);
}
