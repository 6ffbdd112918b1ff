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

# Gmsh is under the GPL, and so is then what links with it: only when asked for. Sets RSL_HAVE_GMSH, RSL_GMSH_HEADERS, RSL_GMSH_LIBRARY.
function(rsl_optional_gmsh)
    option(RSL_GMSH "tetrahedra by Gmsh (GPL), needs gmshc.h and libgmsh" OFF)
    set(have 0)
    set(found "left out: switched off")
    if(RSL_GMSH)
        find_path(RSL_GMSH_HEADERS gmshc.h)
        find_library(RSL_GMSH_LIBRARY gmsh)
        mark_as_advanced(RSL_GMSH_HEADERS RSL_GMSH_LIBRARY)
        if(NOT RSL_GMSH_HEADERS OR NOT RSL_GMSH_LIBRARY)
            message(FATAL_ERROR "RSL_GMSH is ON, but gmshc.h or libgmsh is not found (libgmsh-dev)")
        endif()
        set(have 1)
        set(found "${RSL_GMSH_LIBRARY}; the whole is under the GPL then")
    endif()
    set(RSL_HAVE_GMSH ${have} PARENT_SCOPE)
    set_property(GLOBAL APPEND_STRING PROPERTY RSL_SUMMARY "  tetrahedra by Gmsh: ${found}\n")
endfunction()

# CHOLMOD has no pkg-config file before SuiteSparse 7. It is never taken by itself: parts of it are under the GPL, and so is then
# what is distributed. Sets RSL_HAVE_CHOLMOD to 0 or 1; RSL_CHOLMOD_LIBRARY and RSL_CHOLMOD_INCLUDE also for the tests.
function(rsl_find_cholmod)
    option(RSL_CHOLMOD "direct solves, needs CHOLMOD (GPL): ON or OFF" OFF)
    find_library(RSL_CHOLMOD_LIBRARY cholmod)
    find_path(RSL_CHOLMOD_INCLUDE cholmod.h PATH_SUFFIXES suitesparse)
    mark_as_advanced(RSL_CHOLMOD_LIBRARY RSL_CHOLMOD_INCLUDE)
    set(have 0)
    set(found "left out: switched off")
    if(RSL_CHOLMOD AND RSL_CHOLMOD_LIBRARY AND RSL_CHOLMOD_INCLUDE)
        set(have 1)
        set(found "${RSL_CHOLMOD_LIBRARY}, under the GPL")
    elseif(RSL_CHOLMOD)
        message(FATAL_ERROR "RSL_CHOLMOD is ON, but cholmod.h or its library is not found")
    endif()
    set(RSL_HAVE_CHOLMOD ${have} PARENT_SCOPE)
    set_property(GLOBAL APPEND_STRING PROPERTY RSL_SUMMARY "  direct solves: ${found}\n")
endfunction()

function(rsl_print_summary)
    get_property(summary GLOBAL PROPERTY RSL_SUMMARY)
    message(STATUS "resilin ${PROJECT_VERSION}, ${CMAKE_C_COMPILER_ID} ${CMAKE_C_COMPILER_VERSION}\n${summary}")
endfunction()
