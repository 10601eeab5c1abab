//! The table from what a driver speaks of to the signals of the car.
//!
//! `{row}` is Row1, Row2 or Row3; `{side}` is DriverSide or PassengerSide; `{role}` is Driver or Passenger; `{seat}` is
//! where the car keeps that row's seats: VSS knows two rows of them. A car need not have a signal for every place: a
//! tool acts on those that are there.

use super::place::{Layout, Spot};

/// A signal that stands at several places of the car.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Placed(&'static str);

pub(crate) const WINDOW: Placed = Placed("Vehicle.Cabin.Door.{row}.{side}.Window.Position");
pub(crate) const WINDOW_LOCK: Placed = Placed("Vehicle.Incar.Door.{row}.{side}.Window.IsLocked");
pub(crate) const DOOR: Placed = Placed("Vehicle.Cabin.Door.{row}.{side}.Position");
pub(crate) const DOOR_LOCK: Placed = Placed("Vehicle.Cabin.Door.{row}.{side}.IsLocked");
pub(crate) const DOOR_SHADE: Placed = Placed("Vehicle.Cabin.Door.{row}.{side}.Shade.Position");

pub(crate) const ZONE_TEMPERATURE: Placed = Placed("Vehicle.Cabin.HVAC.Station.{row}.{role}.Temperature");
pub(crate) const ZONE_FAN: Placed = Placed("Vehicle.Cabin.HVAC.Station.{row}.{role}.FanSpeed");
pub(crate) const ZONE_POWER: Placed = Placed("Vehicle.Incar.HVAC.Station.{row}.{role}.IsActive");
pub(crate) const ZONE_AIRFLOW: Placed = Placed("Vehicle.Incar.HVAC.Station.{row}.{role}.Airflow");
pub(crate) const ZONE_AIM: Placed = Placed("Vehicle.Incar.HVAC.Station.{row}.{role}.Aim");
pub(crate) const ZONE_SWING: Placed = Placed("Vehicle.Incar.HVAC.Station.{row}.{role}.IsSwinging");

pub(crate) const SEAT_HEATING_COOLING: Placed = Placed("Vehicle.{seat}.{side}.HeatingCooling");
pub(crate) const MASSAGE_LEVEL: Placed = Placed("Vehicle.{seat}.{side}.Massage.Level");
pub(crate) const MASSAGE_TYPE: Placed = Placed("Vehicle.{seat}.{side}.Massage.TypeActive");
pub(crate) const SEAT_POSITION: Placed = Placed("Vehicle.{seat}.{side}.Position");
pub(crate) const SEAT_HEIGHT: Placed = Placed("Vehicle.{seat}.{side}.Height");
pub(crate) const SEAT_TILT: Placed = Placed("Vehicle.{seat}.{side}.Tilt");
pub(crate) const SEAT_RECLINE: Placed = Placed("Vehicle.{seat}.{side}.Backrest.Recline");
pub(crate) const SEAT_LUMBAR: Placed = Placed("Vehicle.{seat}.{side}.Backrest.LumbarSupport");
pub(crate) const SEAT_LUMBAR_HEIGHT: Placed = Placed("Vehicle.{seat}.{side}.Backrest.LumbarHeight");
pub(crate) const SEAT_HEAD_HEIGHT: Placed = Placed("Vehicle.{seat}.{side}.Headrest.Height");
pub(crate) const SEAT_HEAD_ANGLE: Placed = Placed("Vehicle.{seat}.{side}.Headrest.Angle");
pub(crate) const SEAT_CUSHION_LENGTH: Placed = Placed("Vehicle.{seat}.{side}.Seating.Length");
pub(crate) const SEAT_LEG_ANGLE: Placed = Placed("Vehicle.Incar.Seat.{row}.{side}.LegRest.Angle");
pub(crate) const SEAT_LEG_LENGTH: Placed = Placed("Vehicle.Incar.Seat.{row}.{side}.LegRest.Length");
pub(crate) const SEAT_FOOT_ANGLE: Placed = Placed("Vehicle.Incar.Seat.{row}.{side}.FootRest.Angle");
pub(crate) const SEAT_FOOT_LENGTH: Placed = Placed("Vehicle.Incar.Seat.{row}.{side}.FootRest.Length");
pub(crate) const SEAT_ARM_HEIGHT: Placed = Placed("Vehicle.Incar.Seat.{row}.{side}.ArmRest.Height");
pub(crate) const SEAT_ARM_POSITION: Placed = Placed("Vehicle.Incar.Seat.{row}.{side}.ArmRest.Position");
pub(crate) const SEAT_MEMORY: Placed = Placed("Vehicle.Incar.Seat.{row}.{side}.Memory");

pub(crate) const AMBIENT_ON: Placed = Placed("Vehicle.Cabin.Light.AmbientLight.{row}.{side}.IsLightOn");
pub(crate) const AMBIENT_INTENSITY: Placed = Placed("Vehicle.Cabin.Light.AmbientLight.{row}.{side}.Intensity");
pub(crate) const AMBIENT_COLOR: Placed = Placed("Vehicle.Cabin.Light.AmbientLight.{row}.{side}.Color");
pub(crate) const READING_ON: Placed = Placed("Vehicle.Cabin.Light.Spotlight.{row}.{side}.IsLightOn");
pub(crate) const READING_INTENSITY: Placed = Placed("Vehicle.Cabin.Light.Spotlight.{row}.{side}.Intensity");
pub(crate) const READING_COLOR: Placed = Placed("Vehicle.Cabin.Light.Spotlight.{row}.{side}.Color");
pub(crate) const MIRROR_FOLDED: Placed = Placed("Vehicle.Body.Mirrors.{side}.IsFolded");
pub(crate) const MIRROR_HEATING: Placed = Placed("Vehicle.Body.Mirrors.{side}.IsHeatingOn");
pub(crate) const MIRROR_PAN: Placed = Placed("Vehicle.Body.Mirrors.{side}.Pan");
pub(crate) const MIRROR_TILT: Placed = Placed("Vehicle.Body.Mirrors.{side}.Tilt");

pub(crate) const DRIVER_POSITION: &str = "Vehicle.Cabin.DriverPosition";
pub(crate) const SUNROOF: &str = "Vehicle.Cabin.Sunroof.Position";
pub(crate) const ROOF_SHADE: &str = "Vehicle.Cabin.Sunroof.Shade.Position";
pub(crate) const FRONT_SHADE: &str = "Vehicle.Incar.FrontShade.Position";
pub(crate) const REAR_SHADE: &str = "Vehicle.Cabin.RearShade.Position";
pub(crate) const TRUNK_REAR: &str = "Vehicle.Body.Trunk.Rear.Position";
pub(crate) const TRUNK_FRONT: &str = "Vehicle.Body.Trunk.Front.Position";
pub(crate) const TRUNK_REAR_LOCK: &str = "Vehicle.Body.Trunk.Rear.IsLocked";
pub(crate) const TRUNK_FRONT_LOCK: &str = "Vehicle.Body.Trunk.Front.IsLocked";
pub(crate) const AC: &str = "Vehicle.Cabin.HVAC.IsAirConditioningActive";
pub(crate) const CIRCULATION_AUTO: &str = "Vehicle.Incar.HVAC.IsCirculationAuto";
pub(crate) const RECIRCULATION: &str = "Vehicle.Cabin.HVAC.IsRecirculationActive";
pub(crate) const DEFROST_FRONT: &str = "Vehicle.Cabin.HVAC.IsFrontDefrosterActive";
pub(crate) const DEFROST_REAR: &str = "Vehicle.Cabin.HVAC.IsRearDefrosterActive";
pub(crate) const MIRROR_DRIVER_HEATING: &str = "Vehicle.Body.Mirrors.DriverSide.IsHeatingOn";
pub(crate) const MIRROR_PASSENGER_HEATING: &str = "Vehicle.Body.Mirrors.PassengerSide.IsHeatingOn";
pub(crate) const CLIMATE_MODE: &str = "Vehicle.Incar.HVAC.Mode";
pub(crate) const WHEEL_HEATING: &str = "Vehicle.Chassis.SteeringWheel.HeatingCooling";
pub(crate) const FRAGRANCE_ON: &str = "Vehicle.Incar.Fragrance.IsActive";
pub(crate) const FRAGRANCE_LEVEL: &str = "Vehicle.Incar.Fragrance.Level";
pub(crate) const FRAGRANCE_SCENT: &str = "Vehicle.Incar.Fragrance.Scent";
pub(crate) const LIGHT_SWITCH: &str = "Vehicle.Body.Lights.LightSwitch";
pub(crate) const BEAM_LOW: &str = "Vehicle.Body.Lights.Beam.Low.IsOn";
pub(crate) const BEAM_HIGH: &str = "Vehicle.Body.Lights.Beam.High.IsOn";
pub(crate) const FOG_FRONT: &str = "Vehicle.Body.Lights.Fog.Front.IsOn";
pub(crate) const FOG_REAR: &str = "Vehicle.Body.Lights.Fog.Rear.IsOn";
pub(crate) const POSITION: &str = "Vehicle.Body.Lights.Parking.IsOn";
pub(crate) const DAYTIME: &str = "Vehicle.Body.Lights.Running.IsOn";
pub(crate) const HAZARD: &str = "Vehicle.Body.Lights.Hazard.IsSignaling";
pub(crate) const TURN_LEFT: &str = "Vehicle.Body.Lights.DirectionIndicator.Left.IsSignaling";
pub(crate) const TURN_RIGHT: &str = "Vehicle.Body.Lights.DirectionIndicator.Right.IsSignaling";
pub(crate) const WELCOME: &str = "Vehicle.Incar.Lights.Welcome.IsOn";
pub(crate) const HMI_BRIGHTNESS: &str = "Vehicle.Cabin.Infotainment.HMI.Brightness";
pub(crate) const HMI_DAY_NIGHT: &str = "Vehicle.Cabin.Infotainment.HMI.DayNightMode";
pub(crate) const AMBIENT_MODE: &str = "Vehicle.Incar.Light.AmbientLight.Mode";
pub(crate) const DOME_ON: &str = "Vehicle.Cabin.Light.IsDomeOn";
pub(crate) const DOME_INTENSITY: &str = "Vehicle.Incar.Light.Dome.Intensity";
pub(crate) const MEDIA_VOLUME: &str = "Vehicle.Cabin.Infotainment.Media.Volume";
pub(crate) const MEDIA_MUTE: &str = "Vehicle.Incar.Infotainment.Media.IsMuted";
pub(crate) const NAVIGATION_VOLUME: &str = "Vehicle.Cabin.Infotainment.Navigation.Volume";
pub(crate) const NAVIGATION_MUTE: &str = "Vehicle.Cabin.Infotainment.Navigation.Mute";
pub(crate) const CALL_VOLUME: &str = "Vehicle.Incar.Infotainment.Call.Volume";
pub(crate) const CALL_MUTE: &str = "Vehicle.Incar.Infotainment.Call.IsMuted";
pub(crate) const SYSTEM_VOLUME: &str = "Vehicle.Incar.Infotainment.System.Volume";
pub(crate) const SYSTEM_MUTE: &str = "Vehicle.Incar.Infotainment.System.IsMuted";

impl Placed {
    /// The signal's name at `spot`.
    pub(crate) fn at(self, spot: Spot, layout: Layout) -> String {
        let (row, role) = (spot.row(), spot.side(layout));
        let home = if row == "Row3" { "Incar" } else { "Cabin" };
        self.0
            .replace("{seat}", &format!("{home}.Seat.{row}"))
            .replace("{row}", row)
            .replace("{side}", &format!("{role}Side"))
            .replace("{role}", role)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::car_control::place::Position;
    use crate::vehicle::Catalogue;

    #[test]
    fn every_placed_signal_is_in_the_catalogue_for_the_first_two_rows() {
        let catalogue = Catalogue::shipped().unwrap();
        for placed in [
            WINDOW,
            WINDOW_LOCK,
            DOOR,
            DOOR_LOCK,
            DOOR_SHADE,
            ZONE_TEMPERATURE,
            ZONE_FAN,
            ZONE_POWER,
            SEAT_HEATING_COOLING,
            ZONE_AIRFLOW,
            ZONE_AIM,
            ZONE_SWING,
            MASSAGE_LEVEL,
            MASSAGE_TYPE,
            SEAT_POSITION,
            SEAT_HEIGHT,
            SEAT_TILT,
            SEAT_RECLINE,
            SEAT_LUMBAR,
            SEAT_LUMBAR_HEIGHT,
            SEAT_HEAD_HEIGHT,
            SEAT_HEAD_ANGLE,
            SEAT_CUSHION_LENGTH,
            SEAT_LEG_ANGLE,
            SEAT_LEG_LENGTH,
            SEAT_FOOT_ANGLE,
            SEAT_FOOT_LENGTH,
            SEAT_ARM_HEIGHT,
            SEAT_ARM_POSITION,
            SEAT_MEMORY,
            AMBIENT_ON,
            AMBIENT_INTENSITY,
            AMBIENT_COLOR,
            READING_ON,
            READING_INTENSITY,
            READING_COLOR,
        ] {
            for layout in [Layout::LeftHandDrive, Layout::RightHandDrive] {
                for position in [Position::Front, Position::Rear] {
                    for spot in position.spots(layout) {
                        let name = placed.at(*spot, layout);
                        assert!(catalogue.info(&name).is_some(), "{name}");
                    }
                }
            }
        }
    }

    #[test]
    fn the_page_of_signals_names_all_of_them_and_none_that_is_not_there() {
        let page = include_str!("../../../docs/vehicle-signals.md");
        let (table, _) = include_str!("signals.rs").split_once("#[cfg(test)]").unwrap();
        for signal in table.split('"').filter(|text| text.starts_with("Vehicle.")) {
            assert!(page.contains(&format!("`{signal}`")), "{signal} is not on the page");
        }
        let catalogue = Catalogue::shipped().unwrap();
        for named in page
            .split('`')
            .filter(|text| text.starts_with("Vehicle.") && *text != "Vehicle.Incar")
        {
            let somewhere = named
                .replace("{seat}", "Cabin.Seat.Row1")
                .replace("{row}", "Row1")
                .replace("{side}", "DriverSide")
                .replace("{role}", "Driver");
            for signal in crate::vehicle::expand_pattern(&somewhere) {
                assert!(catalogue.info(&signal).is_some(), "{named} is on the page: {signal}");
            }
        }
    }

    #[test]
    fn left_and_right_follow_the_steering_wheel() {
        let check = |spot, layout, name: &str| assert_eq!(WINDOW.at(spot, layout), name);
        let row2_driver = "Vehicle.Cabin.Door.Row2.DriverSide.Window.Position";
        let row2_passenger = "Vehicle.Cabin.Door.Row2.PassengerSide.Window.Position";
        check(Spot::RearLeft, Layout::LeftHandDrive, row2_driver);
        check(Spot::RearLeft, Layout::RightHandDrive, row2_passenger);
        check(Spot::RearRight, Layout::RightHandDrive, row2_driver);
        check(
            Spot::Driver,
            Layout::RightHandDrive,
            "Vehicle.Cabin.Door.Row1.DriverSide.Window.Position",
        );
    }
}
