#!/bin/sh
# Runs the compiler command that its arguments are. Where the command makes a precompiled header, two things keep ccache
# from giving an old one. The former file is removed, as the preprocessor of ccache would read it in place of the headers.
# And ccache compares the text of each header, with its comments, in place of what the preprocessor makes of all: a
# compiler refuses a precompiled header that was made of headers with other comments.
former=
for argument; do
  case $former-$argument in
    -o-*.gch)
      rm -f "$argument"
      export CCACHE_DEPEND=1
      ;;
  esac
  former=$argument
done
exec "$@"
