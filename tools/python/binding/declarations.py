"""Declarations for cffi from public C headers.

The headers are preprocessed by the C compiler; what stands in files below the include folder is cut
into declarations. Bodies of inline functions go, macros with a number or a text become constants, and
what the library does not export (functions of other libraries, objects of incomplete types) is left
out. Nothing is listed by hand: a header that changes changes the declarations."""
import os
import pathlib
import re
import subprocess
import tempfile


def headers_below(include, skip=()):
    """Names of all public headers as they are included: "edgewise/mesh.h"."""
    every = (path.relative_to(include).as_posix() for path in pathlib.Path(include).rglob("*.h"))
    return sorted(name for name in every
                  if pathlib.PurePath(name).stem.split("_")[0] not in skip)


def preprocess(compiler, include, headers, *options):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "all.c")
        with open(path, "w") as file:
            file.writelines(f"#include <{name}>\n" for name in headers)
        done = subprocess.run([compiler, "-E", "-DNDEBUG", *options, "-I", include, path],
                              capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"the headers cannot be preprocessed:\n{done.stderr}")
    return done.stdout


def text_of(preprocessed, include):
    """The lines that come from files below `include`, without pragmas."""
    inside, lines = False, []
    root = os.path.realpath(include) + os.sep
    for line in preprocessed.splitlines():
        marker = re.match(r'#\s*\d+\s+"([^"]*)"', line)
        if marker:
            inside = os.path.realpath(marker.group(1)).startswith(root)
        elif inside and not line.startswith("#"):
            lines.append(line)
    return "\n".join(lines)


def without_attributes(text):
    text = re.sub(r'_Pragma\s*\(\s*"(?:[^"\\]|\\.)*"\s*\)', " ", text)
    out, at = [], 0
    for match in re.finditer(r"__attribute__\s*", text):
        if match.start() < at:
            continue
        out.append(text[at:match.start()])
        depth, at = 0, match.end()
        while True:
            depth += {"(": 1, ")": -1}.get(text[at], 0)
            at += 1
            if not depth:
                break
    out.append(text[at:])
    return re.sub(r"\b(__extension__|__restrict(__)?|__inline(__)?|_Noreturn)\b", "", "".join(out))


def split(text):
    """Top-level declarations; a function with a body as its prototype."""
    found, depth, begin = [], 0, 0
    body = None
    for at, char in enumerate(text):
        if char == "{":
            if depth == 0:
                body = at
            depth += 1
        elif char == "}":
            depth -= 1
            if depth == 0 and text[begin:body].rstrip().endswith(")"):
                found.append(text[begin:body].strip() + ";")
                begin = at + 1
        elif char == ";" and depth == 0:
            found.append(text[begin:at + 1].strip())
            begin = at + 1
    return [" ".join(one.split()) for one in found if one.strip(" ;")]


def exported(library):
    """Names that a shared library exports."""
    done = subprocess.run(["nm", "-D", "--defined-only", library], capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"nm {library}: {done.stderr}")
    return {line.split()[-1].split("@")[0] for line in done.stdout.splitlines() if line.strip()}


def constants(compiler, include, headers):
    """Macros EW_NAME with a number or a text, as declarations."""
    macros = {}
    for line in preprocess(compiler, include, headers, "-dM").splitlines():
        match = re.match(r"#define (EW_\w+) (.+)", line)
        if match and not match.group(1).endswith("_H"):
            macros[match.group(1)] = match.group(2).strip()

    def kind(value, depth=0):
        for name in set(re.findall(r"\bEW_\w+", value)):
            if name not in macros or depth > 8:
                return None
            inner = kind(macros[name], depth + 1)
            if inner is None:
                return None
            value = re.sub(rf"\b{name}\b", {"int": "1", "double": "1.0", "text": '""'}[inner], value)
        if re.fullmatch(r'("(?:[^"\\]|\\.)*"\s*)+', value):
            return "text"
        value = re.sub(r"U?INT\d+_C|INT(32|64)_M(IN|AX)", "1", value)
        bare = re.sub(r"0[xX][0-9a-fA-F]+|\b\d+[uUlL]*\b(?!\.)", "1", value)
        if re.fullmatch(r"[\s()+\-*/<>|1]+", bare) and "." not in value:
            return "int"
        real = re.sub(r"\b(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?[fF]?", "1", value)
        return "double" if re.fullmatch(r"[\s()+\-*/1]+", real) else None

    form = {"int": "#define {} ...", "double": "static const double {};",
            "text": "static char *const {};"}
    found = ((name, kind(value)) for name, value in sorted(macros.items()))
    return [form[sort].format(name) for name, sort in found if sort]


def declarations(compiler, include, headers, library, known=()):
    """(text for ffi.cdef, names of functions). known: declarations of a module that is included,
    which are left out."""
    text = without_attributes(text_of(preprocess(compiler, include, headers), include))
    symbols = exported(library)
    every = split(text)
    whole = {name for one in every for name in re.findall(r"\b(?:struct|union) (\w+) \{", one)}
    opaque = {name for one in every
              for tag, name in re.findall(r"^typedef struct (\w+) (\w+);$", one) if tag not in whole}
    kept, functions = [], []
    for one in every:
        if one in known or one.replace("extern const ", "extern ", 1) in known:
            continue
        inline = re.match(r"(?:(?:static|extern)\s+)?inline\s+", one)
        if inline:
            one = one[inline.end():]
        function = re.match(r"^(?!typedef\b)[\w\s*]*?\b(\w+)\s*\([^{}]*\);$", one)
        variable = re.match(r"^extern const (\w+) .*;$", one)
        if function and not one.startswith(("struct", "union", "enum")) or inline:
            name = function.group(1)
            if not inline and name not in symbols:
                continue
            functions.append(name)
        elif variable:
            names = re.findall(r"(\w+)(?:\[\w+\])*(?=\s*[,;])", one)
            if variable.group(1) in opaque or not all(name in symbols for name in names):
                continue
        elif one.startswith("extern "):
            continue
        elif not one.startswith(("typedef", "struct", "union", "enum")):
            continue  # a function declared through a typedef: of another library
        # Without const cffi takes a global for a variable, which has an address.
        kept.append(one.replace("extern const ", "extern ", 1) if variable else one)
    return "\n".join(kept), kept, functions
