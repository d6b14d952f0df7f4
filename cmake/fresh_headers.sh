#!/bin/sh
# Runs the compiler command that its arguments are. Where the command makes a precompiled header, two things keep ccache
# from giving an old one. The former file is removed, as the preprocessor of ccache would read it in place of the headers.
# And all headers of the library are part of the key: a compiler refuses a precompiled header that was made of headers
# with other comments, and the key that ccache makes of preprocessed text is the same for both.
former= made=
for argument; do
  case $former-$argument in -o-*.gch | -o-*.pch) made=$argument ;; esac
  former=$argument
done
if [ -n "$made" ]; then
  rm -f "$made"
  headers=$(find "$(dirname "$0")/../src" -name '*.hpp' -o -name '*.def' | LC_ALL=C sort | tr '\n' ':')
  for argument; do
    shift
    case $argument in CCACHE_EXTRAFILES=*) argument=$argument:${headers%:} ;; esac
    set -- "$@" "$argument"
  done
fi
exec "$@"
