// Replaces the C library's functions that load shared objects; the linker redirects calls of
// `dlopen` to `__wrap_dlopen`. A program without shared libraries that loads one would also load a
// second C library, of the version that the machine has. Therefore these functions always fail: the
// runtime loads no MPI plug-in, and hwloc loads no plug-in of its own.

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
