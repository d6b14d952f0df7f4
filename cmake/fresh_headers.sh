#!/bin/sh
# Runs the g++ command that its arguments are. A precompiled header that the command makes is removed first: the
# preprocessor of ccache would read the old one in place of the headers, and take one old header for another.
former=
for argument; do
  case $former-$argument in -o-*.gch) rm -f "$argument" ;; esac
  former=$argument
done
exec "$@"
