//! What an MCP client is told and may do: list the tools it is allowed, call them, and ask what came of a call
//! that waits for somebody in the car.

use super::Door;
use super::answer::{answered, stands};
use incar_agents::{OutsideAnswer, OutsideCall};
use incar_core::{Effect, ToolSpec};
use rmcp::ServerHandler;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ErrorData, Implementation, ListToolsResult,
    PaginatedRequestParams, ServerCapabilities, ServerConfig, Tool, ToolAnnotations,
};
use rmcp::service::{RequestContext, RoleServer};
use serde_json::{Map, Value, json};
use std::sync::Arc;

/// The tool that tells what came of a call.
pub(super) const STATUS: &str = "car_call_status";

/// Serves one client.
#[derive(Debug, Clone)]
pub(super) struct Handler(pub(super) Arc<Door>);

impl Handler {
    fn tools(&self) -> Vec<Tool> {
        let door = &self.0;
        let allowed = door.assistant.tools().iter().map(|tool| tool.spec());
        let allowed = allowed.filter(|spec| door.access.allows(spec).is_some());
        allowed
            .map(|spec| self.described(spec))
            .chain([status_tool()])
            .collect()
    }

    fn described(&self, spec: &ToolSpec) -> Tool {
        let description = spec.description.get(self.0.lang).to_owned();
        let schema = spec.parameters.as_object().cloned().unwrap_or_default();
        let hints = ToolAnnotations::new()
            .read_only(spec.effect == Effect::Read)
            .idempotent(spec.effect != Effect::Act)
            .open_world(false);
        Tool::new(spec.name.to_string(), description, Arc::new(schema)).with_annotations(hints)
    }

    async fn call(&self, tool: &str, arguments: Map<String, Value>) -> Result<CallToolResult, ErrorData> {
        let door = &self.0;
        // What is not allowed and what is not there are told alike.
        let unknown = || ErrorData::invalid_params(format!("there is no tool `{tool}`"), None);
        let spec = door.assistant.tools().get(tool).ok_or_else(unknown)?.spec();
        let consent = door.access.allows(spec).ok_or_else(unknown)?;
        let mut call = OutsideCall::new(door.caller.as_str(), tool, Value::Object(arguments))
            .asking(door.asks.clone())
            .in_lang(door.lang)
            .with_consent(consent);
        call.role.clone_from(&door.role);
        let answer = door.assistant.call_from_outside(call).await;
        if let (OutsideAnswer::Waits { question, .. }, Some(hook)) = (&answer, &door.on_question) {
            hook(&door.asks, question);
        }
        Ok(answered(answer))
    }

    fn status(&self, arguments: &Map<String, Value>) -> Result<CallToolResult, ErrorData> {
        let door = &self.0;
        let id = arguments.get("id").and_then(Value::as_str);
        let id = id.ok_or_else(|| ErrorData::invalid_params("`id` must be a text", None))?;
        let state = door.assistant.outside_call(&door.caller, id);
        let state = state.ok_or_else(|| ErrorData::invalid_params("there is no such call", None))?;
        Ok(stands(id, state))
    }
}

fn status_tool() -> Tool {
    let schema = json!({"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"], "additionalProperties": false});
    let description = "What came of a call that waited for a person in the car; the call's answer had its `id`.";
    let schema = schema.as_object().cloned().unwrap_or_default();
    let hints = ToolAnnotations::new().read_only(true).open_world(false);
    Tool::new(STATUS, description, Arc::new(schema)).with_annotations(hints)
}

impl ServerHandler for Handler {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder().enable_tools().build();
        ServerConfig::new(capabilities)
            .with_server_info(Implementation::new("incar", env!("CARGO_PKG_VERSION")))
            .with_instructions(
                "The tools of a car. The car's own policies decide every call. A call that a person must agree to is answered \
                 with `waiting_for_a_person`: somebody in the car is asked aloud, and nothing sent here can answer for them. \
                 Ask `car_call_status` later.",
            )
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(self.tools()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let arguments = request.arguments.unwrap_or_default();
        let result = if request.name == STATUS {
            self.status(&arguments)
        } else {
            self.call(&request.name, arguments).await
        };
        result.map(CallToolResponse::Complete)
    }
}
