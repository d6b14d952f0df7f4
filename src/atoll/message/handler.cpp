#include "atoll/message/handler.hpp"

#include "atoll/base/error.hpp"

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

void handler_table::refuse_to_run() {
  fail(errc::environment,
       "a message came for a handler in a shared library that this PE has not loaded, or has in "
       "another version; load the same libraries on all PEs before messages for them are sent");
}

}  // namespace atl::message
