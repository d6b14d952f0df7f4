#!/bin/sh
# Runs a compiler command, which is given as arguments. If the command makes a precompiled header, the script prevents
# ccache from returning an old one in two ways. First, it removes the existing file, which the preprocessor of ccache would
# read instead of the headers. Second, it makes ccache compare the text of each header with its comments, and not the
# preprocessed text. The reason is that a compiler rejects a precompiled header if a comment in a header has changed.
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
