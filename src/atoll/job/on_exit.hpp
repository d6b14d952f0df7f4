#pragma once
// Handlers of the end of the process that outlive the library they are part of.

#include <cstdlib>
#include <dlfcn.h>

namespace atl::job {

/// `handler` is called when the process ends by `exit`, with its status. A library that is unloaded
/// would leave it behind, so the library stays loaded.
inline void call_at_exit(void (*handler)(int status, void*)) noexcept {
  Dl_info self;
  if (dladdr(reinterpret_cast<const void*>(handler), &self) != 0)
    dlopen(self.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_NODELETE);
  ::on_exit(handler, nullptr);
}

}  // namespace atl::job
