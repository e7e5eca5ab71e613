# What doxygen reads of a header: its plain comments become documentation comments, so that the
# source keeps its style. A comment that begins a line describes what follows, one after code the
# member before it; the first one describes the file. Rulers between sections are left out, and what
# doxygen would take for an order or a tag is escaped.
{
    line = $0
    if (!inside && line ~ /^[ \t]*\/\* ---- /) {
        if (line !~ /\*\//) {
            skip = 1
        }
        print ""
        next
    }
    if (skip) {
        if (line ~ /\*\//) {
            skip = 0
        }
        print ""
        next
    }
    at = index(line, "/*")
    if (!inside && at) {
        code = substr(line, 1, at - 1)
        text = substr(line, at + 2)
        if (!n_comment++) {
            mark = "/** \\file\n *"
        } else if (code ~ /[^ \t]/) {
            mark = "/**<"
        } else {
            mark = "/**"
        }
        inside = 1
    } else if (inside) {
        code = ""
        mark = ""
        text = line
    } else {
        print line
        next
    }
    end = index(text, "*/")
    rest = ""
    if (end) {
        rest = substr(text, end)
        text = substr(text, 1, end - 1)
        inside = 0
    }
    gsub(/[\\@<>#%&]/, "\\\\&", text)
    print code mark text rest
}
