//! Where a signal is: the places in its path, which speech names by positions.

use crate::car_control::{Layout, Position, Spot};

/// What of a path names a place.
const SIDES: [&str; 7] = [
    "DriverSide",
    "PassengerSide",
    "Driver",
    "Passenger",
    "Left",
    "Right",
    "Middle",
];

/// Which side of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    Driver,
    Passenger,
    Left,
    Right,
}

/// Whether a segment of a path names a place: `Row1`, `DriverSide`.
pub(super) fn is_place(segment: &str) -> bool {
    row(segment).is_some() || SIDES.contains(&segment)
}

fn row(segment: &str) -> Option<u8> {
    segment.strip_prefix("Row")?.parse().ok()
}

/// The path with its places left open: what speech calls one thing.
pub(super) fn group(path: &str) -> String {
    let open = path
        .split('.')
        .map(|segment| if is_place(segment) { "*" } else { segment });
    open.collect::<Vec<_>>().join(".")
}

/// The seats that a path is about; none where it names no place, or one that no seat has.
pub(super) fn spots(path: &str, layout: Layout) -> Vec<Spot> {
    let rows = path.split('.').filter_map(row).next_back();
    let side = path.split('.').rev().find(|segment| SIDES.contains(segment));
    let side = match side {
        Some("DriverSide" | "Driver") => Some(Side::Driver),
        Some("PassengerSide" | "Passenger") => Some(Side::Passenger),
        Some("Left") => Some(Side::Left),
        Some("Right") => Some(Side::Right),
        Some(_) => return Vec::new(),
        None => None,
    };
    if rows.is_none() && side.is_none() {
        return Vec::new();
    }
    let row = match rows.unwrap_or(1) {
        1 => [Spot::Driver, Spot::Passenger],
        2 => [Spot::RearLeft, Spot::RearRight],
        3 => [Spot::ThirdLeft, Spot::ThirdRight],
        _ => return Vec::new(),
    };
    let on = |spot: &Spot| match side {
        None => true,
        Some(Side::Driver) => spot.side(layout) == "Driver",
        Some(Side::Passenger) => spot.side(layout) == "Passenger",
        Some(Side::Left) => Position::Left.spots(layout).contains(spot),
        Some(Side::Right) => Position::Right.spots(layout).contains(spot),
    };
    row.into_iter().filter(on).collect()
}

/// Whether a path is about seats of `position` alone.
pub(super) fn is_at(path: &str, position: Position, layout: Layout) -> bool {
    let (own, wanted) = (spots(path, layout), position.spots(layout));
    !own.is_empty() && own.iter().all(|spot| wanted.contains(spot))
}

/// How speech names the place of a path, if it names one.
pub(super) fn position(path: &str, layout: Layout) -> Option<Position> {
    match spots(path, layout).as_slice() {
        [only] => Some(only.position()),
        [Spot::Driver, Spot::Passenger] => Some(Position::Front),
        [Spot::RearLeft, Spot::RearRight] => Some(Position::Rear),
        [Spot::ThirdLeft, Spot::ThirdRight] => Some(Position::ThirdRow),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_of_paths_are_positions() {
        use Layout::{LeftHandDrive, RightHandDrive};
        for (path, layout, wanted) in [
            (
                "Vehicle.Cabin.Seat.Row1.PassengerSide.Tilt",
                LeftHandDrive,
                Some(Position::Passenger),
            ),
            (
                "Vehicle.Cabin.Seat.Row2.DriverSide.Tilt",
                LeftHandDrive,
                Some(Position::RearLeft),
            ),
            (
                "Vehicle.Cabin.Seat.Row2.DriverSide.Tilt",
                RightHandDrive,
                Some(Position::RearRight),
            ),
            (
                "Vehicle.Body.Mirrors.DriverSide.Tilt",
                LeftHandDrive,
                Some(Position::Driver),
            ),
            (
                "Vehicle.Chassis.Axle.Row2.Wheel.Left.Tire",
                LeftHandDrive,
                Some(Position::RearLeft),
            ),
            ("Vehicle.Cabin.Seat.Row2.Tilt", LeftHandDrive, Some(Position::Rear)),
            ("Vehicle.Cabin.Seat.Row2.Middle.Tilt", LeftHandDrive, None),
            (
                "Vehicle.Cabin.HVAC.Station.Row4.Driver.Temperature",
                LeftHandDrive,
                None,
            ),
            ("Vehicle.Body.Horn.IsActive", LeftHandDrive, None),
        ] {
            assert_eq!(position(path, layout), wanted, "{path}");
        }
        assert_eq!(
            group("Vehicle.Cabin.Seat.Row1.DriverSide.Tilt"),
            "Vehicle.Cabin.Seat.*.*.Tilt"
        );
        assert!(is_at(
            "Vehicle.Cabin.Seat.Row2.DriverSide.Tilt",
            Position::Left,
            LeftHandDrive
        ));
        assert!(!is_at(
            "Vehicle.Cabin.Seat.Row2.DriverSide.Tilt",
            Position::Front,
            LeftHandDrive
        ));
        assert!(!is_at("Vehicle.Body.Horn.IsActive", Position::All, LeftHandDrive));
    }
}
