//! Units of measure and what they come to in one another.

use incar_core::Bilingual;

/// What a unit measures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Quantity {
    Length,
    Area,
    Volume,
    Mass,
    Speed,
    Temperature,
    Pressure,
    Energy,
    Power,
    /// Fuel for a distance, in litres for 100 km; economy is its inverse.
    Consumption,
    Data,
    Time,
}

/// How a value becomes one of the quantity's base unit.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Scale {
    /// Times a factor.
    Times(f64),
    /// Plus a shift, then times a factor.
    Shifted { shift: f64, factor: f64 },
    /// A factor divided by it: distance for fuel.
    Inverse(f64),
}

struct Unit {
    quantity: Quantity,
    scale: Scale,
    /// Spoken names.
    zh: &'static str,
    en: &'static str,
    /// Other words and signs for it, apart by blanks; `_` stands for a blank.
    others: &'static str,
}

const fn unit(quantity: Quantity, factor: f64, zh: &'static str, en: &'static str, others: &'static str) -> Unit {
    scaled(quantity, Scale::Times(factor), zh, en, others)
}

const fn scaled(quantity: Quantity, scale: Scale, zh: &'static str, en: &'static str, others: &'static str) -> Unit {
    Unit {
        quantity,
        scale,
        zh,
        en,
        others,
    }
}

use Quantity::{Area, Consumption, Data, Energy, Length, Mass, Power, Pressure, Speed, Temperature, Time, Volume};

/// Factors are exact by definition where there is one (international yard and pound, US and imperial gallon, market
/// units of 1959), else to seven figures. Base units: m, m², l, kg, km/h, °C, kPa, kJ, kW, l/100 km, byte, s.
#[rustfmt::skip] // One unit a line.
const UNITS: &[Unit] = &[
    unit(Length, 1.0, "米", "meters", "m metre metres meter 公尺"),
    unit(Length, 1000.0, "公里", "kilometers", "km kilometre kilometres kilometer 千米 kms"),
    unit(Length, 0.01, "厘米", "centimeters", "cm centimetre centimetres centimeter 公分"),
    unit(Length, 0.001, "毫米", "millimeters", "mm millimetre millimetres millimeter"),
    unit(Length, 1609.344, "英里", "miles", "mi mile 哩 迈"),
    unit(Length, 1852.0, "海里", "nautical miles", "nmi nautical_mile 浬"),
    unit(Length, 0.3048, "英尺", "feet", "ft foot 呎"),
    unit(Length, 0.0254, "英寸", "inches", "in inch 吋 寸"),
    unit(Length, 0.9144, "码", "yards", "yd yard"),
    unit(Length, 500.0, "里", "li", "华里 里地 里路"),
    unit(Length, 10.0 / 3.0, "丈", "zhang", ""),
    unit(Length, 1.0 / 3.0, "尺", "chi", "市尺"),
    unit(Area, 1.0, "平方米", "square meters", "m2 m² sqm square_metre square_metres square_meter 平米 平"),
    unit(Area, 1e6, "平方公里", "square kilometers", "km2 km² square_kilometre square_kilometres square_kilometer 平方千米"),
    unit(Area, 1e4, "公顷", "hectares", "ha hectare"),
    unit(Area, 2000.0 / 3.0, "亩", "mu", "市亩"),
    unit(Area, 4_046.856_422, "英亩", "acres", "ac acre"),
    unit(Area, 0.092_903_04, "平方英尺", "square feet", "ft2 ft² sqft square_foot sq_ft"),
    unit(Area, 2_589_988.110_336, "平方英里", "square miles", "mi2 mi² square_mile sq_mi"),
    unit(Volume, 1.0, "升", "liters", "l litre litres liter 公升"),
    unit(Volume, 0.001, "毫升", "milliliters", "ml millilitre millilitres milliliter cc"),
    unit(Volume, 1000.0, "立方米", "cubic meters", "m3 m³ cubic_metre cubic_metres cubic_meter 方"),
    unit(Volume, 3.785_411_784, "加仑", "gallons", "gal gallon us_gallon us_gallons 美制加仑 美加仑"),
    unit(Volume, 4.546_09, "英制加仑", "imperial gallons", "imperial_gallon uk_gallon uk_gallons 英加仑"),
    unit(Volume, 0.946_352_946, "夸脱", "quarts", "qt quart"),
    unit(Volume, 0.473_176_473, "品脱", "pints", "pt pint"),
    unit(Volume, 0.236_588_236_5, "杯", "cups", "cup"),
    unit(Volume, 0.029_573_529_562_5, "液体盎司", "fluid ounces", "fl_oz floz fluid_ounce oz ounce ounces 盎司"),
    unit(Volume, 0.014_786_764_781_25, "汤匙", "tablespoons", "tbsp tablespoon"),
    unit(Volume, 0.004_928_921_593_75, "茶匙", "teaspoons", "tsp teaspoon"),
    unit(Volume, 158.987_294_928, "桶", "barrels", "bbl barrel"),
    unit(Mass, 1.0, "公斤", "kilograms", "kg kilogram kilo kilos kilogramme 千克"),
    unit(Mass, 0.001, "克", "grams", "g gram gramme"),
    unit(Mass, 1e-6, "毫克", "milligrams", "mg milligram"),
    unit(Mass, 1000.0, "吨", "tonnes", "t tonne ton tons metric_ton"),
    unit(Mass, 0.5, "斤", "jin", "市斤"),
    unit(Mass, 0.05, "两", "liang", "市两"),
    unit(Mass, 0.453_592_37, "磅", "pounds", "lb lbs pound"),
    unit(Mass, 0.028_349_523_125, "盎司", "ounces", "oz ounce"),
    unit(Mass, 6.350_293_18, "英石", "stone", "st stones"),
    unit(Speed, 1.0, "公里每小时", "kilometers per hour", "km/h kmh kph kilometres_per_hour kilometer_per_hour km_per_hour kilometers_an_hour kilometres_an_hour km_an_hour 千米每小时 公里/小时 公里每时 码"),
    unit(Speed, 3.6, "米每秒", "meters per second", "m/s mps metres_per_second meter_per_second 米/秒"),
    unit(Speed, 1.609_344, "英里每小时", "miles per hour", "mph mi/h mile_per_hour miles_an_hour 英里/小时 迈"),
    unit(Speed, 1.852, "节", "knots", "kn kt knot"),
    unit(Speed, 1.097_28, "英尺每秒", "feet per second", "ft/s fps"),
    unit(Temperature, 1.0, "摄氏度", "degrees Celsius", "c °c ℃ celsius centigrade degree_celsius 摄氏 度 degree degrees"),
    scaled(Temperature, Scale::Shifted { shift: -32.0, factor: 5.0 / 9.0 }, "华氏度", "degrees Fahrenheit", "f °f ℉ fahrenheit degree_fahrenheit 华氏"),
    scaled(Temperature, Scale::Shifted { shift: -273.15, factor: 1.0 }, "开尔文", "kelvins", "k kelvin 开"),
    unit(Pressure, 1.0, "千帕", "kilopascals", "kpa kilopascal"),
    unit(Pressure, 0.001, "帕", "pascals", "pa pascal 帕斯卡"),
    unit(Pressure, 0.1, "百帕", "hectopascals", "hpa hectopascal mbar millibar millibars 毫巴"),
    unit(Pressure, 1000.0, "兆帕", "megapascals", "mpa megapascal"),
    unit(Pressure, 100.0, "巴", "bar", "bars"),
    unit(Pressure, 6.894_757_293, "psi", "psi", "pounds_per_square_inch 磅每平方英寸 磅 pounds"),
    unit(Pressure, 101.325, "标准大气压", "atmospheres", "atm atmosphere 大气压"),
    unit(Pressure, 98.0665, "公斤力每平方厘米", "kilograms per square centimeter", "kgf/cm2 kgf/cm² kg/cm2 kg/cm² 公斤 kg kgf"),
    unit(Pressure, 0.133_322_387, "毫米汞柱", "millimeters of mercury", "mmhg"),
    unit(Energy, 1.0, "千焦", "kilojoules", "kj kilojoule"),
    unit(Energy, 0.001, "焦耳", "joules", "j joule 焦"),
    unit(Energy, 1000.0, "兆焦", "megajoules", "mj megajoule"),
    unit(Energy, 3600.0, "千瓦时", "kilowatt hours", "kwh kilowatt_hour kilowatt-hour kilowatt-hours 度 度电"),
    unit(Energy, 3.6, "瓦时", "watt hours", "wh watt_hour"),
    unit(Energy, 0.004_184, "卡", "calories", "cal calorie 卡路里"),
    unit(Energy, 4.184, "千卡", "kilocalories", "kcal kilocalorie 大卡"),
    unit(Energy, 1.055_055_852_62, "英热单位", "BTU", "btus"),
    unit(Power, 1.0, "千瓦", "kilowatts", "kw kilowatt"),
    unit(Power, 0.001, "瓦", "watts", "w watt 瓦特"),
    unit(Power, 1000.0, "兆瓦", "megawatts", "mw megawatt"),
    unit(Power, 0.735_498_75, "马力", "metric horsepower", "ps metric_hp 匹 公制马力"),
    unit(Power, 0.745_699_871_582, "英制马力", "horsepower", "hp bhp"),
    unit(Consumption, 1.0, "升每百公里", "liters per 100 kilometers", "l/100km l/100_km litres_per_100_kilometres litres_per_100_km liters_per_100_km 升/百公里 百公里油耗 升百公里"),
    scaled(Consumption, Scale::Inverse(235.214_583_333), "英里每加仑", "miles per gallon", "mpg us_mpg mile_per_gallon 英里/加仑"),
    scaled(Consumption, Scale::Inverse(282.480_936_332), "英里每英制加仑", "miles per imperial gallon", "uk_mpg imperial_mpg mpg_uk"),
    scaled(Consumption, Scale::Inverse(100.0), "公里每升", "kilometers per liter", "km/l kmpl kilometres_per_litre kilometer_per_liter 公里/升"),
    unit(Data, 1.0, "字节", "bytes", "b byte"),
    unit(Data, 0.125, "比特", "bits", "bit 位"),
    unit(Data, 1e3, "KB", "kilobytes", "kilobyte 千字节"),
    unit(Data, 1e6, "MB", "megabytes", "megabyte 兆字节 兆"),
    unit(Data, 1e9, "GB", "gigabytes", "gigabyte g gig gigs 吉字节"),
    unit(Data, 1e12, "TB", "terabytes", "terabyte 太字节"),
    unit(Data, 1024.0, "KiB", "kibibytes", "kibibyte"),
    unit(Data, 1_048_576.0, "MiB", "mebibytes", "mebibyte"),
    unit(Data, 1_073_741_824.0, "GiB", "gibibytes", "gibibyte"),
    unit(Data, 125_000.0, "兆比特", "megabits", "mbit megabit"),
    unit(Time, 1.0, "秒", "seconds", "s sec secs second 秒钟"),
    unit(Time, 0.001, "毫秒", "milliseconds", "ms millisecond"),
    unit(Time, 60.0, "分钟", "minutes", "min mins minute 分"),
    unit(Time, 3600.0, "小时", "hours", "h hr hrs hour 钟头 个小时"),
    unit(Time, 86_400.0, "天", "days", "d day 日"),
    unit(Time, 604_800.0, "周", "weeks", "wk week 星期 个星期 礼拜"),
    unit(Time, 31_536_000.0, "年", "years", "yr year"),
];

/// What a value comes to in another unit.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Converted {
    /// The value in the unit asked for.
    pub value: f64,
    /// The unit it was given in.
    pub from: Bilingual,
    /// The unit asked for.
    pub to: Bilingual,
}

/// Why a value was not converted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum UnitError {
    /// The unit given is not known.
    #[error("unknown unit {0:?}")]
    UnknownFrom(String),
    /// The unit asked for is not known.
    #[error("unknown unit {0:?}")]
    UnknownTo(String),
    /// The two measure different things.
    #[error("{} and {} measure different things", from.en, to.en)]
    Incompatible {
        /// The unit given.
        from: Bilingual,
        /// The unit asked for.
        to: Bilingual,
    },
    /// There is no such amount: below absolute zero, no fuel at all for a distance.
    #[error("there is no such amount")]
    Impossible,
}

/// Converts `value` from one unit into another, each by any of its names or signs in Chinese or English.
///
/// A word for several units (度, 公斤, `oz`) means the one that fits the other unit.
///
/// # Errors
/// [`UnitError`] says what does not fit.
///
/// ```
/// use incar_tools::knowledge::convert;
///
/// assert_eq!(convert(8.0, "L/100km", "mpg")?.value.round(), 29.0);
/// assert_eq!(convert(2.5, "公斤", "kPa")?.value.round(), 245.0); // tyre pressure
/// assert!(convert(1.0, "hours", "miles").is_err());
/// # Ok::<(), incar_tools::knowledge::UnitError>(())
/// ```
pub fn convert(value: f64, from: &str, to: &str) -> Result<Converted, UnitError> {
    let (sources, targets) = (named(from), named(to));
    let Some(source) = sources.first() else {
        return Err(UnitError::UnknownFrom(from.trim().to_owned()));
    };
    let Some(target) = targets.first() else {
        return Err(UnitError::UnknownTo(to.trim().to_owned()));
    };
    let pair = sources
        .iter()
        .flat_map(|source| targets.iter().map(move |target| (source, target)))
        .find(|(source, target)| source.quantity == target.quantity);
    let Some((source, target)) = pair else {
        return Err(UnitError::Incompatible {
            from: source.name(),
            to: target.name(),
        });
    };
    let base = source.scale.to_base(value);
    let is_possible = match source.quantity {
        Quantity::Temperature => base >= -273.15 - 1e-9,
        Quantity::Consumption => value > 0.0,
        _ => true,
    };
    let value = target.scale.of_base(base);
    if !is_possible || !value.is_finite() {
        return Err(UnitError::Impossible);
    }
    Ok(Converted {
        value,
        from: source.name(),
        to: target.name(),
    })
}

impl Scale {
    fn to_base(self, value: f64) -> f64 {
        match self {
            Self::Times(factor) => value * factor,
            Self::Shifted { shift, factor } => (value + shift) * factor,
            Self::Inverse(factor) => factor / value,
        }
    }

    fn of_base(self, base: f64) -> f64 {
        match self {
            Self::Times(factor) => base / factor,
            Self::Shifted { shift, factor } => base / factor - shift,
            Self::Inverse(factor) => factor / base,
        }
    }
}

impl Unit {
    fn name(&self) -> Bilingual {
        Bilingual::new(self.zh, self.en)
    }

    fn has_name(&self, wanted: &str) -> bool {
        self.names().any(|name| folded(name) == wanted)
    }

    /// All its names and signs.
    fn names(&self) -> impl Iterator<Item = &'static str> {
        let all = [self.zh, self.en].into_iter().chain(self.others.split(' '));
        all.filter(|name| !name.is_empty())
    }
}

/// The units that a word may mean, the usual one first: those whose own name it is before those that are called so too.
fn named(said: &str) -> Vec<&'static Unit> {
    let wanted = folded(said);
    let mut units: Vec<&Unit> = UNITS.iter().filter(|unit| unit.has_name(&wanted)).collect();
    units.sort_by_key(|unit| wanted != folded(unit.zh) && wanted != folded(unit.en));
    units
}

/// Letter case, blanks and dots make no difference.
fn folded(name: &str) -> String {
    name.trim()
        .to_lowercase()
        .chars()
        .filter(|c| !matches!(c, ' ' | '_' | '.'))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn the_words_name_every_unit() {
        let words = crate::words::of("convert_unit");
        let listed: BTreeSet<&str> = words.lists["unit"].iter().map(String::as_str).collect();
        let known: Vec<String> = UNITS
            .iter()
            .flat_map(Unit::names)
            .map(|name| name.replace('_', " "))
            .collect();
        assert_eq!(listed, known.iter().map(String::as_str).collect());
    }

    #[test]
    fn no_quantity_has_two_units_of_one_name() {
        for (index, unit) in UNITS.iter().enumerate() {
            for other in UNITS
                .iter()
                .skip(index + 1)
                .filter(|other| other.quantity == unit.quantity)
            {
                for name in unit.names() {
                    assert!(!other.has_name(&folded(name)), "{name}: {} and {}", unit.en, other.en);
                }
            }
        }
    }
}
