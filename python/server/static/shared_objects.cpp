// Replaces the C library's functions that load shared objects; the linker redirects calls of
// `dlopen` to `__wrap_dlopen`. If a statically linked program loads a shared library, it also loads
// a second C library, in the version of the machine. The replaced functions always fail, so that
// the runtime loads no MPI plug-in, and hwloc loads no plug-in of its own.

// The linker decides the names of these functions.
// NOLINTBEGIN(readability-identifier-naming,bugprone-reserved-identifier,cert-dcl*)
extern "C" {

void* __wrap_dlopen(const char* /*file*/, int /*mode*/) { return nullptr; }

void* __wrap_dlsym(void* /*library*/, const char* /*name*/) { return nullptr; }

int __wrap_dlclose(void* /*library*/) { return -1; }

char* __wrap_dlerror() {
  static char text[] =
      "the server in the Python package was built without MPI, because a program without shared "
      "libraries cannot load any";
  return text;
}

}  // extern "C"
// NOLINTEND(readability-identifier-naming,bugprone-reserved-identifier,cert-dcl*)
