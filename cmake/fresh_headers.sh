#!/bin/sh
# Runs the compiler command that its arguments are. A precompiled header that the command makes is removed first:
# the preprocessor of ccache would read the old one in place of the headers, and take one old header for another.
for argument; do
  case $argument in *.gch | *.pch) rm -f "$argument" ;; esac
done
exec "$@"
