#pragma once
// Included by tests whose jobs end early again and again, or with PEs that are threads: what those
// leave behind cannot be allowed thread by thread (leaks_allowed.hpp), so the program is not
// searched for leaks.

extern "C" [[gnu::used]] inline const char* __lsan_default_options() { return "detect_leaks=0"; }
