# cmake -DFOLDER=tools/new -DOUTPUT=case_templates.c -P embed.cmake: the files to start from as texts of
# a C file, see case_templates.h.
file(GLOB files ${FOLDER}/*.yaml ${FOLDER}/*.inp)
list(SORT files)
set(arrays "")
set(rows "")
set(n 0)
foreach(file IN LISTS files)
    get_filename_component(name ${file} NAME_WE)
    get_filename_component(ending ${file} LAST_EXT)
    file(READ ${file} hex HEX)
    string(REGEX REPLACE "(..)" "0x\\1," bytes "${hex}")
    string(APPEND arrays "static const char text_${n}[] = {${bytes}0};\n")
    string(APPEND rows "    {\"${name}\", \"${ending}\", text_${n}},\n")
    math(EXPR n "${n} + 1")
endforeach()
file(WRITE ${OUTPUT} "/* Made by tools/new/embed.cmake. */\n#include \"case_templates.h\"\n\n${arrays}\n"
     "const case_template case_templates[] = {\n${rows}};\nconst int n_case_template = ${n};\n")
