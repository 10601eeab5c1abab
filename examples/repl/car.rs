//! The car that the configuration names.

use incar_config::Kuksa;
use incar_kuksa::{KuksaConfig, KuksaVehicle, Overlay, Token};
use std::error::Error;
use std::sync::Arc;

/// The car behind a databroker, once it is heard.
pub(crate) fn behind(broker: &Kuksa) -> Result<Arc<KuksaVehicle>, Box<dyn Error + Send + Sync>> {
    let read =
        |path: &std::path::Path| std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()));
    let mut config = KuksaConfig::new(&broker.url)
        .with_deadline(broker.deadline)
        .with_confirm(broker.confirm);
    if let Some(token) = &broker.token {
        config = config.with_token(Token::new(token.expose())?);
    }
    if let Some(path) = &broker.ca_file {
        config = config.with_ca(read(path)?);
    }
    if let Some(name) = &broker.server_name {
        config = config.with_server_name(name);
    }
    if let Some(path) = &broker.overlay {
        config = config.with_overlay(Overlay::from_toml(&read(path)?)?);
    }
    // A runtime of its own, on a thread of its own: whoever calls may be on one already.
    let connect = || -> Result<KuksaVehicle, Box<dyn Error + Send + Sync>> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build()?;
        Ok(runtime.block_on(KuksaVehicle::connect(config))?)
    };
    let connected = std::thread::scope(|scope| scope.spawn(connect).join());
    let vehicle = connected.map_err(|_| "the link to the car could not be started")??;
    Ok(Arc::new(vehicle))
}
