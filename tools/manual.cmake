# cmake -DPROGRAM=edgewise -DOUTPUT=folder -P manual.cmake
# Manual pages from what the program prints: edgewise.1 from --help, edgewise-COMMAND.1 from COMMAND
# --help for each command that --help lists. The texts stay as they are, line by line.
cmake_minimum_required(VERSION 3.22)

function(ask variable)
    execute_process(COMMAND ${PROGRAM} ${ARGN} OUTPUT_VARIABLE text RESULT_VARIABLE status
                    OUTPUT_STRIP_TRAILING_WHITESPACE)
    if(NOT status EQUAL 0)
        message(FATAL_ERROR "${PROGRAM} ${ARGN} ended with ${status}")
    endif()
    set(${variable} "${text}" PARENT_SCOPE)
endfunction()

# What roff would read as an order or a line to fill.
function(escape variable text)
    string(REPLACE "\\" "\\e" text "${text}")
    string(REPLACE "-" "\\-" text "${text}")
    string(REGEX REPLACE "(^|\n)([.'])" "\\1\\\\&\\2" text "${text}")
    set(${variable} "${text}" PARENT_SCOPE)
endfunction()

# page(NAME TEXT ALSO): the summary is TEXT's first line after a colon, the rest stands below.
function(page name text also)
    string(FIND "${text}" "\n" end)
    string(SUBSTRING "${text}" 0 ${end} first)
    string(SUBSTRING "${text}" ${end} -1 rest)
    string(REGEX REPLACE "^[^:]*: *" "" first "${first}")
    string(STRIP "${rest}" rest)
    foreach(part first rest also name)
        escape(${part} "${${part}}")
    endforeach()
    string(TOUPPER "${name}" title)
    string(REPLACE "\\-" "-" file "${name}")
    file(WRITE ${OUTPUT}/${file}.1 ".TH \"${title}\" 1 \"\" \"${version}\" \"Edgewise\"\n"
        ".SH NAME\n${name} \\- ${first}\n.SH DESCRIPTION\n.nf\n${rest}\n.fi\n"
        ".SH FILES\nBelow the prefix of the installation, share/doc/edgewise holds README.md, "
        "sample cases and meshes in datasets/ with a README.md that lists every key of a case, and "
        "lib/results/README.md, the layout of result files.\n.SH SEE ALSO\n${also}\n")
endfunction()

ask(version --version)
ask(help --help)
file(REMOVE_RECURSE ${OUTPUT})
string(REGEX MATCHALL "\n  [a-z]+  +[^\n]+" lines "${help}")
set(pages "")
foreach(line IN LISTS lines)
    string(REGEX REPLACE "\n  ([a-z]+) .*" "\\1" command "${line}")
    if(NOT command STREQUAL "edgewise")
        ask(text ${command} --help)
        page(edgewise-${command} "${text}" "edgewise(1)")
        list(APPEND pages "edgewise-${command}(1)")
    endif()
endforeach()
string(REPLACE ";" ", " pages "${pages}")
page(edgewise "${help}" "${pages}")
