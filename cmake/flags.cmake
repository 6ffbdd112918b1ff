# SPDX-License-Identifier: MIT
#
# flags.cmake: how every C file of the project is compiled.

# A multi-config generator brings its own types; with one configuration, no choice means fast.
get_property(RSL_MULTI_CONFIG GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
if(PROJECT_IS_TOP_LEVEL AND NOT RSL_MULTI_CONFIG AND NOT CMAKE_BUILD_TYPE AND NOT CMAKE_C_FLAGS)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()

# Same input, same bits: no contraction to fused multiply-add, never fast-math. errno and traps are given up, which
# changes no value and lets sqrt be one instruction and loops be vectorised.
set(RSL_ARITHMETIC_FLAGS -ffp-contract=off -fno-math-errno -fno-trapping-math)
set(RSL_WARNING_FLAGS -Wall -Wextra -Wpedantic -Wconversion -Wshadow)

set(RSL_SANITIZE_FLAGS)
if(RSL_SANITIZE OR RSL_FUZZ)
    # a sanitizer does not bear functions chosen at load time
    set(RSL_SANITIZE_FLAGS -DRSL_NO_CLONES
        -fsanitize=address,undefined,float-cast-overflow -fno-sanitize-recover=all -fno-omit-frame-pointer)
endif()
if(RSL_FUZZ)
    list(APPEND RSL_SANITIZE_FLAGS -fsanitize=fuzzer-no-link)
endif()

# The kernels take most of the time of a run: with -O0 for the rest, a tree that runs little is compiled in half the time.
set(RSL_PLAIN_FLAGS "" CACHE STRING "Further flags of all files but the kernels")
mark_as_advanced(RSL_PLAIN_FLAGS)

function(rsl_set_flags target)
    set_target_properties(${target} PROPERTIES
        C_STANDARD 17
        C_STANDARD_REQUIRED ON
        C_EXTENSIONS OFF
        C_VISIBILITY_PRESET hidden
        POSITION_INDEPENDENT_CODE ON)
    target_compile_definitions(${target} PRIVATE _XOPEN_SOURCE=700)  # POSIX.1-2008 with its XSI part
    target_compile_options(${target} PRIVATE
        ${RSL_WARNING_FLAGS} $<$<BOOL:${RSL_WERROR}>:-Werror> ${RSL_ARITHMETIC_FLAGS} ${RSL_SANITIZE_FLAGS})
    if(NOT target MATCHES "^rsl_(single|double|wide)")
        target_compile_options(${target} PRIVATE ${RSL_PLAIN_FLAGS})
    endif()
    get_target_property(type ${target} TYPE)
    if(type STREQUAL "STATIC_LIBRARY" OR type STREQUAL "OBJECT_LIBRARY")
        return()
    endif()
    target_link_options(${target} PRIVATE ${RSL_SANITIZE_FLAGS})
endfunction()

# A shared library names its version and may leave no symbol open.
function(rsl_set_shared target)
    set_target_properties(${target} PROPERTIES
        VERSION ${PROJECT_VERSION}
        SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
    if(NOT RSL_SANITIZE_FLAGS AND NOT APPLE)
        target_link_options(${target} PRIVATE LINKER:--no-undefined)
    endif()
endfunction()

# emcc starts Python for every file, to call clang with these flags: called without it, clang makes the same objects in half the time.
if(EMSCRIPTEN)
    execute_process(COMMAND ${CMAKE_C_COMPILER} --cflags OUTPUT_VARIABLE RSL_EMCC_FLAGS OUTPUT_STRIP_TRAILING_WHITESPACE)
    get_filename_component(RSL_EMCC_FOLDER ${CMAKE_C_COMPILER} DIRECTORY)
    execute_process(COMMAND ${RSL_EMCC_FOLDER}/em-config LLVM_ROOT OUTPUT_VARIABLE RSL_EMCC_LLVM OUTPUT_STRIP_TRAILING_WHITESPACE)
    find_program(RSL_EMCC_CLANG clang PATHS "${RSL_EMCC_LLVM}" NO_DEFAULT_PATH)
    if(RSL_EMCC_CLANG AND RSL_EMCC_FLAGS)
        set(CMAKE_C_COMPILE_OBJECT "\"${RSL_EMCC_CLANG}\" ${RSL_EMCC_FLAGS} <DEFINES> <INCLUDES> <FLAGS> -o <OBJECT> -c <SOURCE>")
    endif()
endif()
