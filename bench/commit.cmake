# SPDX-License-Identifier: MIT
# Writes OUTPUT with the commit of SOURCE, at build time, and only if it has changed, so that nothing is compiled anew
# without need.
execute_process( COMMAND git -C ${SOURCE} rev-parse --short=12 HEAD
    OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed )
if ( failed )
    set( commit "unknown" )
else()
    execute_process( COMMAND git -C ${SOURCE} status --porcelain --untracked-files=no
        OUTPUT_VARIABLE changes ERROR_QUIET )
    if ( NOT changes STREQUAL "" )
        string( APPEND commit "+" )
    endif()
endif()
set( text "extern const char benchCommitText[];\nconst char benchCommitText[] = \"${commit}\";\n" )
set( old "" )
if ( EXISTS ${OUTPUT} )
    file( READ ${OUTPUT} old )
endif()
if ( NOT old STREQUAL text )
    file( WRITE ${OUTPUT} "${text}" )
endif()
