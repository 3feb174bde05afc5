"""Counts the files of both ways from what llvm-cov has exported: see `run`."""
import collections
import json
import re
import sys

root, work = sys.argv[1:3]
shows_all = "--all" in sys.argv
SOURCES = root + "/Sources/Bilayer/"
SHARED = ("Json/Memory/", "Json/Text/", "Json/Output/")
LINES, FILES = 5, 25
article = open(SOURCES + "Bilayer.docc/Architecture.md").read()


def longest_functions(way):
    """The lines of the longest function that has run, for each file."""
    longest = collections.defaultdict(int)
    for function in json.load(open(f"{work}/{way}.json"))["data"][0]["functions"]:
        path = function["filenames"][0]
        if function["count"] == 0 or not path.startswith(SOURCES):
            continue
        # The regions of a function lie in the region of its body.
        lines = max(last - first + 1 for first, _, last, _, _, _, _, kind in function["regions"] if kind == 0)
        file = path[len(SOURCES):-len(".swift")]
        longest[file] = max(longest[file], lines)
    return longest


failed = False
for way in ("request", "response"):
    longest = longest_functions(way)
    files = sorted(f for f, n in longest.items() if n >= LINES and not f.startswith(SHARED))
    section = article.split(f"## The way of a {way}")[1].split("\n## ")[0]
    named = set(re.findall(r"`([A-Z]\w+(?:/[\w+]+)+)`", section))
    unnamed = [f for f in files if f not in named]
    print(f"{way}: {len(files)} files; anything runs in {len(longest)}")
    for file in sorted(longest) if shows_all else files:
        print(f"  {longest[file]:3} {file}{'  is not in the article' if file in unnamed else ''}")
    # If there is no file, nothing was measured.
    failed = failed or not 0 < len(files) <= FILES or bool(unnamed)
sys.exit(failed)
