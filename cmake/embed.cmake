# SPDX-License-Identifier: MIT
#
# embed.cmake: files as a C source: cmake -DOUTPUT=scenes.c "-DINPUTS=a.yaml;b.yaml" -P embed.cmake

set(arrays "")
set(entries "")
set(count 0)
foreach(input IN LISTS INPUTS)
    get_filename_component(name ${input} NAME)
    file(READ ${input} bytes HEX)
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
    string(APPEND arrays "static const unsigned char file${count}[] = { ${bytes}0 };\n")
    string(APPEND entries "    { \"${name}\", file${count}, sizeof file${count} - 1 },\n")
    math(EXPR count "${count} + 1")
endforeach()
file(WRITE ${OUTPUT}
    "#include \"study.h\"\n\n${arrays}\nconst cliEmbedded cliScenes[] = {\n${entries}    { 0 },\n};\n"
    "const int cliSceneCount = ${count};\n")
