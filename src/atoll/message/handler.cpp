#include "atoll/message/handler.hpp"

#include "atoll/error.hpp"

#include <dlfcn.h>

namespace atl::message {

void handler_table::refuse_to_send(run_function function) {
  Dl_info found{};
  if (dladdr(reinterpret_cast<const void*>(function), &found) == 0)
    fail(errc::environment, "a message handler lies in no loaded library");
  fail(errc::environment,
       "the message handlers in {} have no names for other PEs: it is larger than 256 MiB, or "
       "another loaded library looks the same; link it otherwise, or give the file another name",
       found.dli_fname);
}

void handler_table::fail_unknown_to(int pe, handler_name name) {
  Dl_info found{};
  const std::uintptr_t address = modules_.address_of(name);
  const bool is_known = dladdr(reinterpret_cast<const void*>(address), &found) != 0;
  fail(errc::environment,
       "PE {} has not loaded {}, or another build of it, and got a message for a handler in it; "
       "load the same libraries on all PEs before messages for them are sent",
       pe, is_known ? found.dli_fname : "a shared library");
}

}  // namespace atl::message
