"""The tables of the keys of a case: the JSON Schema accepts every case of datasets/ and refuses what the program refuses,
the page lists every key, and each is in the index of datasets/README.md and in exactly one part of datasets/reference/. Usage: PROGRAM SOURCE_DIR BUILD_DIR."""
import glob
import json
import os
import re
import sys
import tempfile

import checks
from checks import expect, execute

program, source = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])



def read_as_1_2(yaml):
    """YAML 1.2, as editors and the program read it: `on` is a word, not a truth."""
    class Loader(yaml.SafeLoader):
        pass
    Loader.yaml_implicit_resolvers = {
        first: [(tag, pattern) for tag, pattern in of if tag != "tag:yaml.org,2002:bool"]
        for first, of in yaml.SafeLoader.yaml_implicit_resolvers.items()}
    Loader.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile(r"^(?:true|false)$"), list("tf"))
    return Loader


CASE = {"mesh": "beam.mesh", "material": {"young": "1e6", "poisson": 0.3},
        "sets": {"base": {"plane": {"point": [0, 0, 0], "normal": "x"}}}, "parameters": {"p": 1},
        "constraints": [{"set": "base", "displacement": [0, 0, None]}], "loads": [{"gravity": [0, 0, -10]}]}
# Each with a key or a value that neither the program nor the schema takes.
WRONG = [{"meshes": 1}, {"material": {"young": 1, "poison": 0.3}}, {"material": {"young": -1, "poisson": 0.3}},
         {"elements": "cubic"}, {"loads": [{"gravity": [0, 0]}]}, {"constraints": [{"set": "base", "spring": -1}]},
         {"output": {"every": 0}}, {"output": {"fields": ["hue"]}}, {"under_constrained": True},
         {"steps": [{"edit": [{"refine": {"turns": 1}}]}]}, {"steps": [{"static": {"tolerance": 2}}]},
         {"steps": [{"dynamic": {"end": 1}}]}, {"steps": [{"dynamic": {"step": -0.1, "end": 1}}]},
         {"steps": [{"edit": [{"enrich": {"order": 3}}]}]}, {"sets": {**CASE["sets"], "a": {"sphere": {"center": [0, 0, 0]}}}},
         {"sweep": {"latin": {"count": 3}}}, {"amplitudes": {"a": {"sine": {"size": 1}}}},
         {"material": {"young": 1, "poisson": 0.3, "plastic": {"stress": 1}}}]


def keys_of(schema):
    """All names of properties in a schema."""
    if isinstance(schema, list):
        return set().union(*map(keys_of, schema)) if schema else set()
    if not isinstance(schema, dict):
        return set()
    found = set(schema.get("properties", {}))
    return found.union(*(keys_of(value) for value in schema.values()))


def answer_of_program(case):
    """Exit status and last line of the program that reads the case."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "case.yaml")
        with open(path, "w") as file:
            json.dump(case, file)  # JSON is YAML
        os.symlink(os.path.join(source, "datasets", "beam.mesh"), os.path.join(folder, "beam.mesh"))
        done = execute(program, "info", path)
        return done.returncode, done.stderr.strip()


def check_documents(schema):
    sys.path.insert(0, os.path.join(source, "datasets"))
    import index
    mappings, parts = index.list_mappings(schema), index.read_parts()
    expect(len(mappings) > 60 and len(parts) > 10, f"{len(mappings)} mappings in {len(parts)} parts")
    expect(keys_of(schema) == set().union(*mappings.values()), "mappings of the index have other keys than the schema")
    for part, paths in index.assign_mappings(mappings, parts).items():
        words = set(re.findall(r"[a-z_0-9]+", parts[part].split(index.BEGIN)[0]))
        missing = sorted(f"{path}: {key}" for path in paths for key in mappings[path] if key not in words)
        expect(not missing, f"datasets/{part} says nothing of {missing}")
    expect(index.write_index(mappings, parts) in parts["README.md"],
           "the index of datasets/README.md is not that of the program: python3 datasets/index.py PROGRAM")
    links = [(part, link) for part, text in parts.items() for link in re.findall(r"\]\(((?!http)[^)#]+)", text)]
    missing = [f"{part}: {link}" for part, link in links
               if not os.path.exists(os.path.join(source, "datasets", os.path.dirname(part), link))]
    expect(links and not missing, f"links to what does not exist: {missing}")
    page = execute(program, "help", "case").stdout
    operations = keys_of(schema["$defs"]["edit"])
    missing = sorted(key for key in keys_of(schema) - operations if f"  {key} " not in page)
    laws = keys_of({k: v for k, v in schema["properties"]["material"].items()})
    missing = [key for key in missing if key not in laws]
    expect(not missing, f"edgewise help case does not list {missing}")


def check_cases(schema):
    try:
        import jsonschema
        import yaml
    except ImportError as reason:
        print(f"skipped: cases against the schema ({reason})")
        return False
    validator = jsonschema.Draft7Validator(schema)
    jsonschema.Draft7Validator.check_schema(schema)
    cases = sorted(glob.glob(os.path.join(source, "datasets", "*.yaml")))
    expect(len(cases) > 20, f"{len(cases)} cases in datasets/")
    for path in cases:
        with open(path) as file:
            faults = [f"{list(e.absolute_path)}: {e.message[:200]}" for e in validator.iter_errors(yaml.load(file, read_as_1_2(yaml)))]
        expect(not faults, f"{os.path.basename(path)}: {faults[:3]}")
    expect(validator.is_valid(CASE), "the case that is made wrong below is not valid")
    expect(answer_of_program(CASE) == (0, ""), f"the program does not take it: {answer_of_program(CASE)}")
    for part in WRONG:
        case = {**CASE, **part}
        expect(not validator.is_valid(case), f"the schema takes {part}")
        status, line = answer_of_program(case)
        expect(status == 2 and "\n" not in line and "no set" not in line, f"{part}: {status}, {line}")
    return True


done = execute(program, "help", "--json-schema")
expect(done.returncode == 0, "edgewise help --json-schema fails")
schema = json.loads(done.stdout)
check_documents(schema)
complete = check_cases(schema)
sys.exit(checks.finish("check_schema") or (0 if complete else 77))
