#include "atoll/base/memory_account.hpp"

#include "atoll/base/error.hpp"
#include "atoll/base/format.hpp"

namespace atl {

void memory_account::refuse(std::size_t bytes) const {
  const auto text = [](std::int64_t of) { return human_bytes(static_cast<double>(of)); };
  fail(
      errc::out_of_memory,
      "out of memory: {} more for tasks of this PE are, beside {} of tasks and waiting messages "
      "and {} of global arrays, beyond its share, {}, of --memory-limit, {}; start fewer at a time "
      "(parallel_for and spawn_stealable keep to --workers, room() to what has found room) or "
      "raise the limit",
      text(static_cast<std::int64_t>(bytes)), text(work_), text(arrays_),
      text(static_cast<std::int64_t>(share_)), text(static_cast<std::int64_t>(limit_)));
}

}  // namespace atl
