"""Times the commands in turn and prints medians as ratios; see scripts/bench."""

import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import time

tree, rounds, build, limit = sys.argv[1], int(sys.argv[2]), sys.argv[3], float(sys.argv[4])
apps = sys.argv[5:]
binary, ast_grep, lexer = (os.environ[name] for name in ("PERSISTLINT", "AST_GREP", "LEXER"))

GREPS = r"""
grep -rn "removeItem\|deleteStore\|destroyPersistentStore" . --include=*.swift \
  | grep -v "backup"
grep -rn "fatalError.*SwiftData\|fatalError.*migration\|fatalError.*ModelContainer" . \
  --include=*.swift | grep -v "backup+recreate\|unrecoverable"
"""


def run(command, folder=tree, variables=None):
    start = time.perf_counter()
    subprocess.run(
        command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL, env={**os.environ, **(variables or {})})
    return time.perf_counter() - start


def medians(commands, rounds):
    """Runs each command once a round; the first round only warms the caches."""
    times = {name: [] for name in commands}
    for number in range(rounds + 1):
        for name, (command, folder) in commands.items():
            seconds = run(command, folder)
            if number > 0:
                times[name].append(seconds)
    return {name: statistics.median(values) for name, values in times.items()}


files = sorted(str(path) for path in pathlib.Path(tree).rglob("*.swift") if path.is_file())
size = sum(os.path.getsize(path) for path in files)
print(f"{tree}: {len(files)} files, {size / 1e6:.1f} MB; medians of {rounds} rounds in turn")
lint = [binary, "--exit-zero", "."]
empty = pathlib.Path(build, "empty")
empty.mkdir(exist_ok=True)
times = medians(
    {
        "persistlint": (lint, tree),
        "cat": (["cat", *files], tree),
        "grep": (["sh", "-c", GREPS], tree),
        "ast-grep": ([ast_grep, "scan", "-c", f"{build}/sgconfig.yml", tree], build),
        "nothing": ([binary, "--exit-zero", "."], str(empty)),
        "true": (["/bin/true"], str(empty)),
    },
    rounds,
)
own = times["persistlint"]
print(f"persistlint        {own * 1000:.1f} ms, {size / own / 1e6:.0f} MB/s")
print(f"  / cat            {own / times['cat']:.2f}   (cat {times['cat'] * 1000:.1f} ms)")
print(f"  / grep           {own / times['grep']:.2f}   (grep {times['grep'] * 1000:.1f} ms)")
print(f"  ast-grep /       {times['ast-grep'] / own:.1f}")
start = time.perf_counter()
subprocess.run(
    ["swift", "format", "lint", "-p", "-r", tree], stdout=subprocess.DEVNULL,
    stderr=subprocess.DEVNULL)
print(f"  swift format /   {(time.perf_counter() - start) / own:.0f}")
print(f"empty folder       {(times['nothing'] - times['true']) * 1000:.1f} ms more than /bin/true")

copies = pathlib.Path(build, "copies")
shutil.rmtree(copies, ignore_errors=True)
for number in range(10):
    for path in files:
        target = copies / f"copy{number}" / os.path.relpath(path, tree)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)
one = medians({"one": (lint, str(copies / "copy0")), "ten": (lint, str(copies))}, max(rounds, 5))
print(f"ten copies         {one['ten'] / one['one']:.2f} times one")
shutil.rmtree(copies)

threads = medians(
    {"one": ([*lint, "--jobs", "1"], tree), "two": ([*lint, "--jobs", "2"], tree)}, rounds)
print(f"two threads        {threads['two'] / threads['one']:.2f} of one ({threads['one'] * 1000:.0f} ms)")

stages = {}
for _ in range(rounds):
    lines = subprocess.run(
        [*lint, "--jobs", "1"], cwd=tree, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
        env={**os.environ, "PERSISTLINT_TIMINGS": "1"}).stderr
    for name, microseconds in re.findall(r"^(\w+) (\d+) us", lines, re.M):
        stages.setdefault(name, []).append(int(microseconds))
    stages.setdefault("peak", []).append(int(re.search(r"^peak (\d+)", lines, re.M)[1]))
print("stages, processor time of all threads")
for name, values in stages.items():
    middle = statistics.median(values)
    if name == "peak":
        print(f"  peak memory      {middle / 1024:.0f} MiB")
    else:
        print(f"  {name:<16} {middle / 1000:6.1f} ms {size / max(middle, 1):8.0f} MB/s")
print(subprocess.run([lexer], input="\n".join(files), capture_output=True, text=True).stdout, end="")

mixed = subprocess.run(
    [str(pathlib.Path(__file__).resolve().parent.parent / "mixed-trees"), "--seeds", "5", "--limit", "3.0",
     *(apps or [tree])],
    capture_output=True, text=True, env={**os.environ, "PERSISTLINT": binary})
print(mixed.stdout + mixed.stderr, end="")
ratios = [float(ratio) for ratio in re.findall(r"([\d.]+) times", mixed.stdout)]

middle = {name: statistics.median(values) for name, values in stages.items()}
syntax = middle["lex"] + middle["outline"]
# Other work only adds to processor time.
least = {name: min(values) for name, values in stages.items()}
declared = least["outline"] + least["facts"] + least["join"]
wanted = [
    ("times grep", own / times["grep"], limit),
    ("rules / lexing and outlining", middle["rules"] / max(syntax, 1), 1.0),
    ("outlines, declarations / lexing", declared / max(least["lex"], 1), 2.0),
    ("a MB mixed / a MB of apps", max(ratios, default=float("inf")), 3.0),
    ("peak, MB", middle["peak"] / 1024, 30 + 10 * size / 1e6),
]
if threads["one"] > 0.3:
    wanted.append(("two threads of one", threads["two"] / threads["one"], 0.6))
print("aims")
for name, value, most in wanted:
    print(f"  {name:<32} {value:8.2f} of {most:.2f}   {'within' if value <= most else 'MISSED'}")
sys.exit(mixed.returncode != 0 or any(value > most for _, value, most in wanted))
