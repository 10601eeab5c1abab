//! Tools that act on the car: first of all the car has to be there.

use super::car::Car;
use incar_core::{Effect, ToolContext, ToolError, ToolOutput, ToolSpec, TypedTool, async_trait};

/// A tool whose calls are not made while the car cannot be reached: nobody is asked "shall I, although …" then, and no
/// policy says of a car that is not heard what counts as the unsafe case.
#[derive(Debug)]
pub(super) struct Acting<T> {
    pub(super) tool: T,
    pub(super) car: Car,
}

#[async_trait]
impl<T: TypedTool> TypedTool for Acting<T> {
    type Args = T::Args;

    fn spec(&self) -> ToolSpec {
        self.tool.spec()
    }

    fn resolve(&self, args: Self::Args, cx: ToolContext<'_>) -> Result<(Self::Args, Effect), ToolError> {
        self.car.reached(cx.lang)?;
        self.tool.resolve(args, cx)
    }

    async fn run(&self, args: Self::Args, cx: ToolContext<'_>) -> Result<ToolOutput, ToolError> {
        self.tool.run(args, cx).await
    }
}
