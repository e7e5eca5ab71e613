"""The index of keys in README.md: by part of the reference, each mapping of a case with its keys, from the JSON Schema of the
program. A part claims mappings in the line that begins with "Keys of"; a mapping belongs to the part that claims it
or the one around it.

index.py PROGRAM          writes the index into README.md
"""
import json
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
BEGIN, END = "<!-- index of keys: python3 index.py PROGRAM -->", "<!-- end of the index -->"


REPEATED = {"steps.constraints", "steps.loads"}  # the keys of the case's own


def read_schema(program):
    return json.loads(subprocess.run([program, "help", "--json-schema"], capture_output=True, text=True, check=True).stdout)


def list_mappings(schema):
    """{"steps.static": [keys]} of all mappings with keys of their own; the case itself is ""."""
    found, definitions = {}, set()

    def visit(node, path):
        if not isinstance(node, dict) or path in REPEATED:
            return
        if "$ref" in node:
            name = node["$ref"].rsplit("/", 1)[-1]
            if name not in definitions:
                definitions.add(name)
                visit(schema["$defs"][name], name if name == "edit" else path)
            return
        edits = schema["$defs"]["edit"]["properties"] if path == "steps.dynamic.edits" else {}
        for key, value in node.get("properties", {}).items():
            if key in edits:
                continue
            keys = found.setdefault(path, [])
            if key not in keys:
                keys.append(key)
            visit(value, f"{path}.{key}" if path else key)
        for form in ("anyOf", "oneOf", "allOf"):
            for one in node.get(form, []):
                visit(one, path)
        visit(node.get("items"), path)
        visit(node.get("additionalProperties"), path)

    visit(schema, "")
    return found


def read_claims(text):
    """The mappings that a part claims: "Keys of `material`, `units`."."""
    return re.findall(r"`([a-z_.]+|the case)`", " ".join(re.findall(r"^Keys of (.*)$", text, re.M)))


def read_parts():
    """{"reference/loads.md": text}, the page itself included."""
    pages = [HERE / "README.md", *sorted((HERE / "reference").glob("*.md"))]
    return {page.relative_to(HERE).as_posix(): page.read_text(encoding="utf-8") for page in pages}


def assign_mappings(mappings, parts):
    """{part: [mappings]}: each to the longest claim that it begins with; a claim of two parts is an error."""
    owner = {}
    for part, text in parts.items():
        for claim in read_claims(text):
            if claim in owner:
                raise SystemExit(f"`{claim}` is claimed by {owner[claim]} and by {part}")
            owner[claim] = part
    made = {}
    for path in mappings:
        names = path.split(".")
        claims = [".".join(names[:n]) for n in range(len(names), 0, -1)] if path else ["the case"]
        claim = next((one for one in claims if one in owner), None)
        if claim is None:
            raise SystemExit(f"no part of the reference claims the keys of `{path}`: add it to a line \"Keys of\"")
        made.setdefault(owner[claim], []).append(path)
    return made


def write_index(mappings, parts):
    lines = [BEGIN, "", "| part | mapping | keys |", "| --- | --- | --- |"]
    for part, paths in assign_mappings(mappings, parts).items():
        title = re.search(r"^# (.*)$", parts[part], re.M).group(1)
        link = "this page" if part == "README.md" else f"[{title}]({part})"
        for path in paths:
            keys = ", ".join(f"`{key}`" for key in mappings[path])
            lines.append(f"| {link} | {f'`{path}`' if path else 'the case'} | {keys} |")
            link = ""
    return "\n".join([*lines, "", END])


def main():
    page = HERE / "README.md"
    text = page.read_text(encoding="utf-8")
    index = write_index(list_mappings(read_schema(sys.argv[1])), read_parts())
    page.write_text(text[:text.index(BEGIN)] + index + text[text.index(END) + len(END):], encoding="utf-8")


if __name__ == "__main__":
    main()
