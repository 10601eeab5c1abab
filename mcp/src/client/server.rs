//! One server: what it lists, what of that the host accepted, and whether a tool may be called now.

use super::config::ServerConfig;
use super::definition::ToolDefinition;
use super::dial::{Dial, Dialled};
use super::link::{Down, Freshness, Link};
use super::name::local_name;
use super::pins::{PinError, PinStore, Pins};
use super::waiting::Waiting;
use rmcp::model::PaginatedRequestParams;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

/// How many pages of a list are read.
const MOST_PAGES: usize = 16;
/// How many tools that are not taken are named.
const MOST_REFUSED: usize = 32;

/// A tool that the server lists otherwise than the host accepted. It is off.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ToolChange {
    /// The server.
    pub server: String,
    /// The tool, by the server's name for it.
    pub tool: String,
    /// What was accepted; `None`: the tool is new.
    pub accepted: Option<ToolDefinition>,
    /// What the server lists now; `None`: it is gone.
    pub listed: Option<ToolDefinition>,
}

/// A tool that cannot be taken at all.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct RefusedTool {
    /// The tool, by the server's name for it.
    pub tool: String,
    /// Why.
    pub reason: String,
}

/// Whether a tool may be called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Standing {
    On,
    /// It is not what the host accepted.
    Off,
}

#[derive(Debug)]
pub(super) struct Server {
    pub(super) config: ServerConfig,
    pub(super) link: Link,
    /// Calls that wait for the driver's answer to the server's question.
    pub(super) waiting: Waiting,
    store: Arc<dyn PinStore>,
    known: RwLock<Known>,
    listing: tokio::sync::Mutex<()>,
}

#[derive(Debug, Default)]
struct Known {
    accepted: Option<Pins>,
    /// Nothing, until the server was reached.
    listed: Option<Pins>,
    refused: Vec<RefusedTool>,
    fault: Option<String>,
}

impl Server {
    pub(super) fn new(config: ServerConfig, dial: Box<dyn Dial>, store: Arc<dyn PinStore>) -> Self {
        let mut known = Known::default();
        match store.load(&config.name) {
            Ok(accepted) => known.accepted = accepted,
            Err(error) => {
                tracing::error!(server = config.name, %error, "the server's tools are off");
                known.accepted = Some(Pins::new());
                known.fault = Some(error.to_string());
            }
        }
        Self {
            link: Link::new(dial, &config),
            config,
            waiting: Waiting::default(),
            store,
            known: RwLock::new(known),
            listing: tokio::sync::Mutex::default(),
        }
    }

    /// A connection on which the tools are what the host knows of. Goes on connecting where its caller
    /// does not wait so long.
    pub(super) async fn ready(self: &Arc<Self>) -> Result<Arc<Dialled>, Down> {
        let server = self.clone();
        let connecting = tokio::spawn(async move { server.connect().await });
        connecting
            .await
            .unwrap_or_else(|error| Err(Down::Failed(error.to_string())))
    }

    async fn connect(&self) -> Result<Arc<Dialled>, Down> {
        let _listing = self.listing.lock().await;
        let outcome = self.connect_and_list().await;
        let mut known = self.write();
        if let Err(Down::Failed(reason)) = &outcome {
            tracing::warn!(server = self.config.name, reason, "an MCP server cannot be reached");
            known.fault = Some(reason.clone());
        }
        outcome
    }

    async fn connect_and_list(&self) -> Result<Arc<Dialled>, Down> {
        let (dialled, freshness) = self.link.get().await?;
        if freshness == Freshness::Known && !self.link.desk().take_relist() {
            return Ok(dialled);
        }
        let listing = tokio::time::timeout(self.config.connect_timeout, self.list(&dialled)).await;
        match listing.unwrap_or_else(|_| Err("its list of tools did not come in time".into())) {
            Ok((listed, refused)) => {
                self.note(listed, refused);
                Ok(dialled)
            }
            Err(reason) => {
                self.link.give_up(&dialled).await;
                Err(Down::Failed(reason))
            }
        }
    }

    /// Lists the tools, as many as are taken.
    async fn list(&self, dialled: &Dialled) -> Result<(Pins, Vec<RefusedTool>), String> {
        let (mut listed, mut refused) = (Pins::new(), Vec::new());
        let mut names = BTreeSet::new();
        let mut refuse = |tool: &str, reason: String| {
            if refused.len() < MOST_REFUSED {
                let tool = tool.chars().take(128).collect();
                refused.push(RefusedTool { tool, reason });
            }
        };
        let mut cursor = None;
        for _page in 0..MOST_PAGES {
            let mut page = PaginatedRequestParams::default();
            page.cursor = cursor;
            let page = dialled.service.peer().list_tools(Some(page)).await;
            let page = page.map_err(|error| error.to_string())?;
            for tool in page.tools {
                if self
                    .config
                    .only
                    .as_ref()
                    .is_some_and(|only| !only.iter().any(|name| *name == tool.name))
                {
                    continue;
                }
                if listed.len() >= self.config.most_tools {
                    refuse(
                        &tool.name,
                        format!("the server lists more than {} tools", self.config.most_tools),
                    );
                    return Ok((listed, refused));
                }
                match ToolDefinition::read(&tool) {
                    Ok(_) if !names.insert(local_name(&self.config.name, &tool.name)) => {
                        refuse(&tool.name, "the server lists it twice".into());
                    }
                    Ok(definition) => {
                        listed.insert(tool.name.into_owned(), definition);
                    }
                    Err(unfit) => refuse(&tool.name, unfit.to_string()),
                }
            }
            cursor = page.next_cursor;
            if cursor.is_none() {
                return Ok((listed, refused));
            }
        }
        refuse("", format!("the server's list has more than {MOST_PAGES} pages"));
        Ok((listed, refused))
    }

    /// Takes a list in. The first that is ever seen of a server is accepted.
    fn note(&self, listed: Pins, refused: Vec<RefusedTool>) {
        let mut known = self.write();
        (known.refused, known.fault) = (refused, None);
        if known.accepted.is_none() {
            match self.store.save(&self.config.name, &listed) {
                Ok(()) => known.accepted = Some(listed.clone()),
                Err(error) => {
                    tracing::error!(server = self.config.name, %error, "the server's tools are off");
                    known.fault = Some(error.to_string());
                }
            }
        }
        known.listed = Some(listed);
        drop(known);
        for change in self.changes() {
            let what = match (&change.accepted, &change.listed) {
                (Some(_), Some(_)) => "changed",
                (Some(_), None) => "gone",
                (None, _) => "new",
            };
            tracing::warn!(
                server = change.server,
                tool = change.tool,
                what,
                "a tool is off until it is accepted"
            );
        }
    }

    /// Whether the tool may be called that was registered as `definition`.
    pub(super) fn standing(&self, tool: &str, definition: &ToolDefinition) -> Standing {
        let known = self.read();
        let same = |pins: &Pins| pins.get(tool) == Some(definition);
        let accepted = known.accepted.as_ref().is_some_and(same);
        if accepted && known.listed.as_ref().is_none_or(same) {
            Standing::On
        } else {
            Standing::Off
        }
    }

    /// The tools that may be called, by the server's names.
    pub(super) fn tools(&self) -> Vec<(String, ToolDefinition)> {
        let known = self.read();
        let accepted = known.accepted.iter().flatten();
        accepted
            .filter(|(name, pin)| {
                known
                    .listed
                    .as_ref()
                    .is_none_or(|listed| listed.get(*name) == Some(*pin))
            })
            .map(|(name, pin)| (name.clone(), pin.clone()))
            .collect()
    }

    /// What the server lists otherwise than it was accepted.
    pub(super) fn changes(&self) -> Vec<ToolChange> {
        let known = self.read();
        let (Some(accepted), Some(listed)) = (&known.accepted, &known.listed) else {
            return Vec::new();
        };
        let names: BTreeSet<&String> = accepted.keys().chain(listed.keys()).collect();
        names
            .into_iter()
            .filter(|name| accepted.get(*name) != listed.get(*name))
            .map(|name| ToolChange {
                server: self.config.name.clone(),
                tool: name.clone(),
                accepted: accepted.get(name).cloned(),
                listed: listed.get(name).cloned(),
            })
            .collect()
    }

    /// Accepts a tool as a change showed it: what was listed, or that it is gone.
    pub(super) fn accept(&self, change: &ToolChange) -> Result<(), PinError> {
        let mut known = self.write();
        let mut pins = known.accepted.clone().unwrap_or_default();
        match &change.listed {
            Some(definition) => pins.insert(change.tool.clone(), definition.clone()),
            None => pins.remove(&change.tool),
        };
        self.store.save(&self.config.name, &pins)?;
        known.accepted = Some(pins);
        Ok(())
    }

    pub(super) fn refused(&self) -> Vec<RefusedTool> {
        self.read().refused.clone()
    }

    /// What is wrong with the server, if something is.
    pub(super) fn fault(&self) -> Option<String> {
        self.read().fault.clone()
    }

    fn read(&self) -> RwLockReadGuard<'_, Known> {
        self.known.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, Known> {
        self.known.write().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Servers by name.
pub(super) type Servers = BTreeMap<String, Arc<Server>>;
