"""What the library refuses although it is well formed goes by the rules of base/parts/base.h alone; at most
MAX_RULES of these are of the method, and datasets/GUIDE.md tells each with its reason.

check_refusals.py PROGRAM SOURCE BUILD"""

import pathlib
import re
import sys

MAX_RULES = 8
HOME = "lib/base/refusals.c"


def rules(text, name):
    """{rule: what a message says} of one of the two lists."""
    body = re.search(rf"#define {name}\(X\)(.*?[^\\])\n", text, re.S).group(1).replace("\\\n", "")
    found = re.findall(r'X\((\w+),\s*((?:"[^"]*"\s*)+)\)', body)
    return {rule: "".join(re.findall(r'"([^"]*)"', words)) for rule, words in found}


def main():
    source = pathlib.Path(sys.argv[2])
    header = (source / "lib/base/parts/base.h").read_text()
    guide = " ".join((source / "datasets/GUIDE.md").read_text().split())
    method, other = rules(header, "EW_METHOD_RULES"), rules(header, "EW_OTHER_RULES")
    faults, used = [], set()
    for path in sorted(source.glob("lib/**/*.c")):
        text = path.read_text()
        name = str(path.relative_to(source))
        used |= set(re.findall(r"\bEW_RULE_([A-Z_]+)", text))
        if name != HOME and re.search(r"\bew_fail\w*\(\s*EW_UNSUPPORTED", text):
            faults.append(f"{name}: refuses by itself; use ew_refuse with a rule of lib/base/parts/base.h")
    for header_file in source.glob("lib/**/*.h"):
        used |= set(re.findall(r"\bew_refuse\(EW_RULE_([A-Z_]+)", header_file.read_text()))
    if len(method) > MAX_RULES:
        faults.append(f"lib/base/parts/base.h: {len(method)} rules of the method, at most {MAX_RULES}")
    faults += [f"lib/base/parts/base.h: rule {rule} is not used" for rule in {**method, **other} if rule not in used]
    for rule, words in method.items():
        if f"… {words.split(';')[0]}" not in guide:
            faults.append(f"datasets/GUIDE.md: the table of refusals lacks \"… {words.split(';')[0]}\"")
    print("\n".join(faults))
    print(f"{len(method)} rules of the method, {len(other)} others")
    sys.exit(bool(faults))


main()
