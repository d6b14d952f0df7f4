#include "atoll/loops.hpp"

#include "atoll/delegates.hpp"
#include "atoll/error.hpp"

namespace atl::memory {
namespace {

/// The header of a message that starts a closure on another PE. `start` is the name of the function
/// that spawns the closure as a task, and `where` is the line of the call. The payload of the
/// message contains the bytes of the closure.
struct start_order {
  place_name start;
  transport::travelling_site where;

  void operator()(std::span<const std::byte> function) const {
    const std::uintptr_t address = this_pe().modules->address_of(start);
    if (address == 0) [[unlikely]]
      fail(errc::environment,
           "PE {} cannot run a function that is in a shared library: it has not loaded that "
           "library, or has another build of it; load the same libraries on all PEs first",
           my_pe());
    reinterpret_cast<starter>(address)(function, where);
  }
};

start_order order_to(starter start, site where) {
  const place_name name = this_pe().modules->name_of(reinterpret_cast<std::uintptr_t>(start));
  if (name == 0) [[unlikely]]
    fail(errc::environment,
         "the functions of a shared library have no names for other PEs: it is larger than 256 "
         "MiB, or another loaded library looks the same; link it otherwise, or rename its file");
  return {name, where};
}

}  // namespace

task<> start_on_all_pes(starter start, std::vector<std::byte> function, site where) {
  check_payload<start_order>(function.size(), where);
  const start_order order = order_to(start, where);
  const auto start_everywhere = [&] {
    for (int pe = 0; pe < pes(); ++pe)
      this_pe().messages->send_with<traffic::tracked>(pe, order, function, where);
  };
  co_await finish(start_everywhere, where);
}

}  // namespace atl::memory
