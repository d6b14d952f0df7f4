#pragma once
// Makes the namespace `atoll` possible. The C library declares a function of that name in the
// global scope, and C++ allows no namespace of the same name beside it. So, once <cstdlib> has been
// read, the word stands for `atoll_`, which is what the namespace is called in symbols and
// debuggers. Every header that opens the namespace includes this file first; a program that wants
// the C function writes strtoll.

#include <cstdlib>

#define atoll atoll_
