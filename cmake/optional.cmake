# SPDX-License-Identifier: MIT
#
# optional.cmake: parts that need another library, each with an option AUTO, ON or OFF.
#
# AUTO takes the library when pkg-config finds it, ON insists, OFF does not look.

find_package(PkgConfig QUIET)

# rsl_optional(YAML yaml-0.1 "scene files")
# sets RSL_HAVE_YAML to 0 or 1, RSL_YAML_NEEDS to the module, and, when there, gives the target PkgConfig::RSL_YAML_MODULE.
function(rsl_optional name module purpose)
    set(RSL_${name} AUTO CACHE STRING "${purpose}, needs ${module}: AUTO, ON or OFF")
    set_property(CACHE RSL_${name} PROPERTY STRINGS AUTO ON OFF)
    set(have 0)
    set(found "left out: switched off")
    if(RSL_${name} STREQUAL "AUTO" OR RSL_${name})
        set(found "left out: ${module} not found")
        if(PkgConfig_FOUND)
            pkg_check_modules(RSL_${name}_MODULE QUIET IMPORTED_TARGET GLOBAL ${module})
        endif()
        if(RSL_${name}_MODULE_FOUND)
            set(have 1)
            set(found "${module} ${RSL_${name}_MODULE_VERSION}")
        elseif(NOT RSL_${name} STREQUAL "AUTO")
            message(FATAL_ERROR "RSL_${name} is ON, but pkg-config does not find ${module}")
        endif()
    endif()
    set(RSL_HAVE_${name} ${have} PARENT_SCOPE)
    set(RSL_${name}_NEEDS ${module} PARENT_SCOPE)
    set_property(GLOBAL APPEND_STRING PROPERTY RSL_SUMMARY "  ${purpose}: ${found}\n")
endfunction()

function(rsl_print_summary)
    get_property(summary GLOBAL PROPERTY RSL_SUMMARY)
    message(STATUS "resilin ${PROJECT_VERSION}, ${CMAKE_C_COMPILER_ID} ${CMAKE_C_COMPILER_VERSION}\n${summary}")
endfunction()
