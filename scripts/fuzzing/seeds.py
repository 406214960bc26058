"""Writes seeds for the fuzzer: projects of Examples, and fences of the pages and cases.

With Stores as the third argument: the stores of Tests/Stores and what is packed inside of them, with
a first byte that says what it is.

usage: seeds.py ROOT FOLDER [Target|Stores]
"""
import pathlib, random, re, shutil, sqlite3, sys, zlib

root, folder = map(pathlib.Path, sys.argv[1:3])
shutil.rmtree(folder, ignore_errors=True)
folder.mkdir(parents=True)
random.seed(1)


def write_seeds(seeds):
    for number, seed in enumerate(seeds):
        (folder / str(number)).write_bytes(seed)


if sys.argv[3:] == ["Stores"]:
    seeds = []
    for store in sorted((root / "Tests/Stores").iterdir()):
        if store.name.endswith("-wal"):
            continue
        log = store.with_name(store.name + "-wal")
        data = store.read_bytes()
        if log.exists():
            seeds.append(b"\1" + len(data).to_bytes(4, "big") + data + log.read_bytes())
            continue
        seeds.append(b"\0" + data)
        with sqlite3.connect(f"file:{store}?mode=ro&immutable=1", uri=True) as database:
            names = {name for name, in database.execute("SELECT name FROM sqlite_master")}
            for blob, in database.execute("SELECT Z_CONTENT FROM Z_MODELCACHE") if "Z_MODELCACHE" in names else ():
                seeds += [b"\3" + blob, b"\2" + zlib.decompress(blob, -15)]
            for blob, in database.execute("SELECT Z_PLIST FROM Z_METADATA") if "Z_METADATA" in names else ():
                seeds.append(b"\2" + blob)
    write_seeds(seeds)
    sys.exit()

KINDS = [(".xcdatamodel/contents", b"\1"), (".xccurrentversion", b"\2"), (".entitlements", b"\3"),
         ("project.pbxproj", b"\4"), ("persistlint.lock", b"\5"), (".persistlint-baseline", b"\6"),
         (".xcconfig", b"\7"), ("project.yml", b"\x08"),
         (".swift", b"")]


def part(path):
    for ending, mark in KINDS:
        if str(path).endswith(ending):
            return mark + path.read_bytes().replace(b"\0", b"")
    return None


seeds = []
for example in sorted(path for path in (root / "Examples").iterdir() if path.is_dir()):
    parts = [part(path) for path in sorted(example.rglob("*")) if path.is_file()]
    seeds += [one for one in parts if one]
    seeds.append(b"\0".join(one for one in parts if one)[:8000])
pages = sorted((root / "Rules").glob("*.md")) + sorted((root / "Tests").rglob("*.md"))
fences = []
for page in pages:
    for words, code in re.findall(r"^```(\S+[^\n]*)\n(.*?)^```", page.read_text(), re.M | re.S):
        mark = b"" if words.startswith("swift") else next(
            (mark for ending, mark in KINDS if ending in words), None)
        if mark is not None:
            fences.append(mark + code.encode())
seeds += fences
seeds += [b"\0".join(random.sample(fences, 3))[:8000] for _ in range(len(fences))]
seeds += [fence[:random.randrange(1, len(fence) + 1)] for fence in fences for _ in range(2)]
write_seeds(seeds)
