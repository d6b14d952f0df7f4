// Loads a shared object and calls one of its functions. Usage: host FILE [ARGUMENT...]

#include <cstdio>
#include <dlfcn.h>

int main(int argc, char** argv) {
  void* const library = argc > 1 ? dlopen(argv[1], RTLD_NOW) : nullptr;
  using function = int (*)(int, char**);
  const auto run = library ? reinterpret_cast<function>(dlsym(library, "run_updates")) : nullptr;
  if (run == nullptr) {
    std::fprintf(stderr, "host: %s\n", dlerror());
    return 1;
  }
  return run(argc - 1, argv + 1);
}
