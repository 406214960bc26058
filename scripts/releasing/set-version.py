#!/usr/bin/env python3
"""Sets the version of a release wherever it stands; writes nothing unless all of it can be set."""
import datetime, pathlib, re, sys

version, tags = sys.argv[1], sys.argv[2].split()
number = r"[0-9]+\.[0-9]+\.[0-9]+"
edits = {}


def refuse(reason):
    sys.exit(f"scripts/release: {reason}")


def text(path):
    return edits.get(path) or pathlib.Path(path).read_text()


def put(path, pattern, replacement, flags=re.M):
    edited, count = re.subn(pattern, replacement, text(path), flags=flags)
    if not count:
        refuse(f"{path} has no place for the version: {pattern}")
    edits[path] = edited


def parts(of):
    return [int(part) for part in of.split(".")]


source = "Sources/persistlint/Persistlint.swift"
old = re.search(rf'static let version = "({number})"', text(source)).group(1)
if not re.fullmatch(number, version):
    refuse(f"'{version}' is no version such as 1.2.3")
if version in tags:
    refuse(f"there is a tag {version} already")
if parts(version) < parts(old) or version == old and tags.count(old):
    refuse(f"{version} doesn't come after {old}")
unreleased = re.search(r"^## Unreleased\n(.*?)(?=^## |\Z)", text("CHANGELOG.md"), re.M | re.S)
if not unreleased or not re.search(r"^- ", unreleased.group(1), re.M):
    refuse("CHANGELOG.md says nothing under '## Unreleased'")

put(source, r'static let version = ".*"', f'static let version = "{version}"')
put(source, r"static let tag: String\? = .*", f'static let tag: String? = "{version}"')
put("pyproject.toml", r'^version = ".*"', f'version = "{version}"')
put("pyproject.toml", r'persistlint==[0-9.]+', f"persistlint=={version}")
today = datetime.datetime.now(datetime.timezone.utc).date()
put("CHANGELOG.md", r"^## Unreleased$", f"## Unreleased\n\n## {version} ({today})")
put("Examples/CI/github.yml", r"persistlint/persistlint@\S+", f"persistlint/persistlint@{version}")
put("Examples/CI/gitlab.yml", r"PERSISTLINT_RELEASE: \S+", f"PERSISTLINT_RELEASE: {version}")
put("Examples/CI/gitlab.yml", rf"/raw/{number}/", f"/raw/{version}/")
for page in [pathlib.Path("README.md"), *pathlib.Path("docs").glob("*.md")]:
    path = str(page)
    edits[path] = re.sub(rf"(persistlint-|download/){re.escape(old)}", rf"\g<1>{version}", text(path))
for path, edited in edits.items():
    pathlib.Path(path).write_text(edited)
