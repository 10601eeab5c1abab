"""Writes simplified.txt from OpenCC's TSCharacters.txt (Apache-2.0, https://github.com/BYVoid/OpenCC).

    python3 make_simplified.py TSCharacters.txt > simplified.txt

Kept: characters of the basic plane whose first simplified form is another character of it. A chain (a to b,
b to c) is followed to its end, so that converting twice changes nothing. EXTRA holds what OpenCC leaves to its
phrase tables and speech needs.
"""

import sys

EXTRA = {"妳": "你"}

table = dict(EXTRA)
for line in open(sys.argv[1], encoding="utf-8"):
    if line.startswith("#") or "\t" not in line:
        continue
    traditional, simplified = line.rstrip("\n").split("\t")
    simplified = simplified.split(" ")[0]
    if len(traditional) == 1 == len(simplified) and traditional != simplified:
        if max(ord(traditional), ord(simplified)) <= 0xFFFF:
            table[traditional] = simplified


def end(char):
    seen = {char}
    while char in table and table[char] not in seen:
        char = table[char]
        seen.add(char)
    return char


pairs = [c + end(c) for c in sorted(table) if end(c) != c]
print("# Traditional and simplified in turn, sorted. From OpenCC's TSCharacters.txt, Apache-2.0. See make_simplified.py.")
for i in range(0, len(pairs), 32):
    print("".join(pairs[i : i + 32]))
