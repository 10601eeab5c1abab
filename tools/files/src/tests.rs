//! What can be read and written, and what cannot be reached.

use super::*;
use incar_core::{Lang, ManualClock, Refusal, Seat, Speaker, Timestamp, ToolOutput};
use serde_json::{Value, json};
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::process::Command;

/// A folder in a place of its own, with something beside it that nobody may reach.
struct World {
    place: tempfile::TempDir,
    tools: Vec<Arc<dyn Tool>>,
    runtime: tokio::runtime::Runtime,
}

const SECRET: &str = "the secret beside the folder";

impl World {
    fn new() -> Self {
        Self::with(|folder| folder)
    }

    fn with(change: impl FnOnce(Folder) -> Folder) -> Self {
        let place = tempfile::tempdir().unwrap();
        std::fs::create_dir(place.path().join("folder")).unwrap();
        std::fs::write(place.path().join("secret.txt"), SECRET).unwrap();
        let folder = change(Folder::open(place.path().join("folder")).unwrap());
        Self {
            tools: tools(folder),
            place,
            runtime: tokio::runtime::Builder::new_current_thread().build().unwrap(),
        }
    }

    fn folder(&self) -> std::path::PathBuf {
        self.place.path().join("folder")
    }

    fn call(&self, name: &str, lang: Lang, arguments: &Value) -> Result<ToolOutput, ToolError> {
        let tool = self.tools.iter().find(|tool| tool.spec().name == name).unwrap();
        let clock = ManualClock::at(Timestamp::from_millis(0));
        let speaker = Speaker::new("test", Seat::Driver);
        let context = ToolContext::new(&speaker, lang, &clock, "key");
        match tool.resolve(arguments, context) {
            Ok(resolved) => self.runtime.block_on(tool.run(&resolved.arguments, context)),
            Err(Refusal::Failed(error)) => Err(error),
            Err(Refusal::Misfit(wrong)) => panic!("{wrong}"),
        }
    }

    fn view(&self, arguments: &Value) -> Result<ToolOutput, ToolError> {
        self.call("view_text_file", Lang::En, arguments)
    }

    fn write(&self, path: &str, text: &str) -> Result<ToolOutput, ToolError> {
        self.call("write_text_file", Lang::En, &json!({"path": path, "text": text}))
    }

    /// Neither reading nor writing reaches `path`, and the secret is as it was.
    fn refuses(&self, path: &str) {
        let read = self.view(&json!({"path": path})).unwrap_err();
        assert_eq!(read.kind, ErrorKind::Denied, "{path}: {read}");
        let written = self.write(path, "overwritten").unwrap_err();
        assert_eq!(written.kind, ErrorKind::Denied, "{path}: {written}");
        assert_eq!(text_at(&self.place.path().join("secret.txt")), SECRET, "{path}");
    }
}

fn text_at(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap()
}

#[test]
fn the_tools_are_as_the_contract_says() {
    let world = World::new();
    let told: Vec<_> = world
        .tools
        .iter()
        .map(|tool| {
            let spec = tool.spec();
            assert!(spec.untrusted && spec.category == ToolCategory::KNOWLEDGE);
            assert!(spec.required().all(|argument| spec.words.ask.contains_key(argument)));
            (spec.name.to_string(), spec.effect, spec.required().collect::<Vec<_>>())
        })
        .collect();
    assert_eq!(
        told,
        [
            ("view_text_file".to_owned(), Effect::Read, vec!["path"]),
            ("write_text_file".to_owned(), Effect::Set, vec!["path", "text"]),
        ]
    );
}

#[test]
fn what_is_written_can_be_read() {
    let world = World::new();
    let made = world.write("notes/西湖.md", "一\n二\n三").unwrap();
    assert_eq!(
        made.value,
        json!({"path": "notes/西湖.md", "lines": 3, "bytes": 11, "created": true})
    );
    assert_eq!(made.say.as_deref(), Some("I made notes/西湖.md, 3 lines."));
    let again = world
        .call(
            "write_text_file",
            Lang::Zh,
            &json!({"path": "notes/西湖.md", "text": "一\n二"}),
        )
        .unwrap();
    assert_eq!(
        (&again.value["created"], again.say.as_deref()),
        (&json!(false), Some("已更新notes/西湖.md，共2行。"))
    );
    let seen = world
        .call("view_text_file", Lang::Zh, &json!({"path": "notes/西湖.md"}))
        .unwrap();
    assert_eq!(
        seen.value,
        json!({"path": "notes/西湖.md", "from_line": 1, "to_line": 2, "lines": 2, "text": "一\n二"})
    );
    assert_eq!(seen.say.as_deref(), Some("notes/西湖.md共2行：一"));
    // Nothing is left beside the file.
    let names: Vec<_> = std::fs::read_dir(world.folder().join("notes"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    assert_eq!(names, ["西湖.md"]);
}

#[test]
fn lines_are_shown_as_asked_for() {
    let world = World::new();
    let text: String = (1..=1000).map(|n| format!("line {n}\n")).collect();
    world.write("long.txt", &text).unwrap();
    for (arguments, first, last, notice) in [
        (
            json!({"path": "long.txt", "from_line": 5, "to_line": 6}),
            "line 5",
            6,
            None,
        ),
        (json!({"path": "long.txt", "from_line": 999}), "line 999", 1000, None),
        (
            json!({"path": "long.txt", "to_line": 5000, "from_line": 900}),
            "line 900",
            1000,
            None,
        ),
        (
            json!({"path": "long.txt"}),
            "line 1",
            400,
            Some("Shown up to line 400; go on from line 401."),
        ),
    ] {
        let seen = world.view(&arguments).unwrap().value;
        let shown: Vec<&str> = seen["text"].as_str().unwrap().lines().collect();
        assert_eq!(
            (shown[0], &seen["to_line"], seen["notice"].as_str()),
            (first, &json!(last), notice)
        );
        assert_eq!(*shown.last().unwrap(), format!("line {last}"));
    }
    for (arguments, kind, argument) in [
        (
            json!({"path": "long.txt", "from_line": 1001}),
            ErrorKind::OutOfRange,
            Some("from_line"),
        ),
        (
            json!({"path": "long.txt", "from_line": 0}),
            ErrorKind::OutOfRange,
            Some("from_line"),
        ),
        (
            json!({"path": "long.txt", "from_line": 5, "to_line": 4}),
            ErrorKind::InvalidInput,
            Some("to_line"),
        ),
        (json!({"path": "none.txt"}), ErrorKind::NotFound, None),
        (json!({"path": "no/none.txt"}), ErrorKind::NotFound, None),
    ] {
        let error = world.view(&arguments).unwrap_err();
        assert_eq!((error.kind, error.argument.as_deref()), (kind, argument), "{arguments}");
    }
    world.write("empty.txt", "").unwrap();
    assert_eq!(world.view(&json!({"path": "empty.txt"})).unwrap().value["lines"], 0);
    world.write("wide.txt", &"湖".repeat(30_000)).unwrap();
    let wide = world.view(&json!({"path": "wide.txt"})).unwrap().value;
    assert_eq!(wide["text"].as_str().unwrap().chars().count(), 20_000);
}

#[test]
fn what_is_no_text_or_too_long_is_told() {
    let world = World::with(|folder| folder.with_limit(100));
    let folder = world.folder();
    std::fs::write(folder.join("binary"), b"one\ntwo\n\xff\xfe").unwrap();
    std::fs::write(folder.join("long"), "x".repeat(101)).unwrap();
    std::fs::write(folder.join("just"), "x".repeat(100)).unwrap();
    assert_eq!(
        world.view(&json!({"path": "binary"})).unwrap_err().kind,
        ErrorKind::Unsupported
    );
    assert_eq!(
        world.view(&json!({"path": "long"})).unwrap_err().kind,
        ErrorKind::OutOfRange
    );
    assert!(world.view(&json!({"path": "just"})).is_ok());
    assert_eq!(
        world.write("just", &"y".repeat(101)).unwrap_err().kind,
        ErrorKind::OutOfRange
    );
    assert_eq!(
        text_at(&folder.join("just")),
        "x".repeat(100),
        "what was there is still there"
    );
    let read = |name: &str| {
        Folder::open(&folder)
            .unwrap()
            .read(&path::FilePath::parse(name).unwrap())
    };
    assert!(matches!(read("binary"), Err(FileError::NotText { line: 3 })));
}

#[test]
fn no_path_leads_out_of_the_folder() {
    let world = World::new();
    let absolute = world.place.path().join("secret.txt");
    for path in [
        "../secret.txt",
        "x/../../secret.txt",
        "..",
        ".",
        "",
        "/etc/passwd",
        absolute.to_str().unwrap(),
        ".hidden",
        "a\0b",
    ] {
        world.refuses(path);
    }
}

#[test]
fn links_are_not_followed_not_even_inside() {
    let world = World::new();
    let folder = world.folder();
    std::fs::create_dir(folder.join("inside")).unwrap();
    std::fs::write(folder.join("inside/plain.txt"), "plain").unwrap();
    symlink("../secret.txt", folder.join("out")).unwrap();
    symlink(world.place.path().join("secret.txt"), folder.join("absolute")).unwrap();
    symlink("..", folder.join("up")).unwrap();
    symlink("inside", folder.join("link")).unwrap();
    symlink("inside/plain.txt", folder.join("near")).unwrap();
    symlink("loop", folder.join("loop")).unwrap();
    symlink("nowhere", folder.join("dangling")).unwrap();
    std::fs::hard_link(world.place.path().join("secret.txt"), folder.join("hard")).unwrap();
    for path in [
        "out",
        "absolute",
        "up/secret.txt",
        "link/plain.txt",
        "near",
        "loop",
        "dangling",
        "hard",
    ] {
        world.refuses(path);
    }
    assert_eq!(text_at(&folder.join("inside/plain.txt")), "plain");
    assert!(!folder.join("nowhere").exists());
}

#[test]
fn what_is_no_plain_file_is_neither_read_nor_written() {
    let world = World::new();
    let folder = world.folder();
    std::fs::create_dir(folder.join("dir")).unwrap();
    std::fs::write(folder.join("file"), "plain").unwrap();
    let _socket = UnixListener::bind(folder.join("socket")).unwrap();
    // A pipe that nobody writes to would be waited for, for ever.
    assert!(
        Command::new("mkfifo")
            .arg(folder.join("pipe"))
            .status()
            .unwrap()
            .success()
    );
    for path in ["dir", "socket", "pipe", "file/below"] {
        world.refuses(path);
    }
    assert!(folder.join("dir").is_dir() && text_at(&folder.join("file")) == "plain");
}

#[test]
fn a_device_is_not_opened() {
    // Read as a file it would never end.
    let zero = path::FilePath::parse("zero").unwrap();
    assert!(matches!(
        Folder::open("/dev").unwrap().read(&zero),
        Err(FileError::NotPlain)
    ));
}

#[test]
fn a_reader_sees_the_old_text_or_the_new_one() {
    let world = World::new();
    let path = world.folder().join("notes.txt");
    let texts = ["a".repeat(100_000), "b".repeat(50_000)];
    world.write("notes.txt", &texts[0]).unwrap();
    let reader = std::thread::spawn({
        let (path, texts) = (path.clone(), texts.clone());
        move || (0..300).all(|_| texts.contains(&text_at(&path)))
    });
    for n in 1..60 {
        world.write("notes.txt", &texts[n % 2]).unwrap();
    }
    assert!(reader.join().unwrap());
}
