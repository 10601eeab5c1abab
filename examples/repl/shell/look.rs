//! Looking around in the simulated car's world, and driving through it.

use super::Shell;
use crate::render;
use incar::Lang;
use incar::tools::library::MusicQuery;
use incar::tools::media::MediaService;
use incar::tools::navigation::NavigationService;
use incar::tools::phone::PhoneService;
use incar::tools::places::{Gazetteer, Query};
use serde_json::{Value, json};
use std::time::Duration;

pub(crate) fn drive(shell: &mut Shell, rest: &str) {
    let mut words = rest.split_whitespace();
    let speed = words.next().and_then(|word| word.parse::<f64>().ok());
    let minutes = words.next().map_or(Some(0.0), |word| word.parse::<f64>().ok());
    let time = minutes.and_then(|minutes| Duration::try_from_secs_f64(minutes * 60.0).ok());
    let (Some(speed), Some(time)) = (speed, time) else {
        say!("Say how fast, and for how long: /drive 60 10");
        return;
    };
    if let Err(error) = shell.simulator.set("Vehicle.Speed", &json!(speed)) {
        say!("{error}");
        return;
    }
    shell.simulator.advance(time);
    let state = shell.simulator.state();
    for signal in [
        "Vehicle.Speed",
        "Vehicle.TraveledDistance",
        "Navigation.Destination",
        "Navigation.RemainingDistance",
    ] {
        if let Some(value) = state.get(signal).filter(|value| !value.is_null()) {
            say!("  {signal} = {value}");
        }
    }
}

pub(crate) fn ring(shell: &Shell, number: &str) {
    match shell.simulator.phone().ring(number) {
        Ok(()) => say!("{number} is calling. Say 接听 or \"answer\", 挂断 or \"reject the call\"."),
        Err(error) => say!("{error}"),
    }
}

pub(crate) fn contacts(shell: &Shell, part: &str) {
    let book = shell.simulator.phone().book();
    let part = part.to_lowercase();
    let has = |name: &String| name.to_lowercase().contains(&part);
    for contact in book
        .contacts()
        .iter()
        .filter(|contact| has(&contact.name) || contact.aliases.iter().any(has))
    {
        let others = if contact.aliases.is_empty() {
            String::new()
        } else {
            format!(" ({})", contact.aliases.join(", "))
        };
        show(&format!(
            "{}{others}; {} number(s)",
            contact.name,
            contact.numbers.len()
        ));
    }
}

pub(crate) fn library(shell: &Shell, query: &str) {
    let library = shell.simulator.media().library();
    let said = Some(query.to_owned());
    let queries = [
        MusicQuery {
            song: said.clone(),
            ..MusicQuery::default()
        },
        MusicQuery {
            artist: said.clone(),
            ..MusicQuery::default()
        },
        MusicQuery {
            album: said.clone(),
            ..MusicQuery::default()
        },
        MusicQuery {
            genre: said,
            ..MusicQuery::default()
        },
    ];
    let Some(found) = queries.iter().find_map(|query| library.find(query).ok()) else {
        say!("Nothing in the library is called {query:?}.");
        return;
    };
    for track in found.tracks.iter().take(20).filter_map(|&id| library.track(id)) {
        let album = track
            .album
            .as_deref()
            .map(|album| format!(", {album}"))
            .unwrap_or_default();
        show(&format!("{} - {}{album}", track.title, track.artists.join(", ")));
    }
    if found.tracks.len() > 20 {
        say!("  and {} more", found.tracks.len() - 20);
    }
}

pub(crate) fn places(shell: &Shell, query: &str) {
    let lang = shell.lang.or_else(|| Lang::of_text(query)).unwrap_or_default();
    let mut search = Query::new(query).limit(10);
    if let Some(here) = shell.simulator.navigation().position() {
        search = search.near(here);
    }
    let hits = Gazetteer::embedded().search(&search);
    if hits.is_empty() {
        say!("No place is called {query:?}.");
    }
    for hit in hits {
        let far = hit
            .distance_m
            .map(|metres| format!(", {:.1} km away", metres / 1000.0))
            .unwrap_or_default();
        let made_up = if hit.place.simulated { ", simulated" } else { "" };
        show(&format!("{}{far}{made_up}", hit.place.spoken_name_with_area(lang)));
    }
}

fn show(text: &str) {
    render::wrap(text, "  ", "      ")
        .iter()
        .for_each(|line| say!("{line}"));
}

/// Signals by domain: what the first two parts of a name say.
pub(crate) fn domain_of(signal: &str) -> String {
    signal
        .split('.')
        .take(if signal.starts_with("Vehicle.") { 3 } else { 1 })
        .collect::<Vec<_>>()
        .join(".")
}

/// A value as it is typed at `/set`.
pub(crate) fn typed(value: &str) -> Value {
    serde_json::from_str(value).unwrap_or_else(|_| Value::String(value.to_owned()))
}
