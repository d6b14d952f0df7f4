#include "atoll/base/memory_account.hpp"

#include "atoll/base/error.hpp"
#include "atoll/base/format.hpp"

namespace atl {

void memory_account::refuse(std::size_t bytes) const {
  fail(errc::out_of_memory,
       "out of memory: {} more for tasks and messages of this PE, which holds {}, are beyond its "
       "share, {}, of --memory-limit, {}; start fewer at a time (parallel_for and spawn_stealable "
       "keep to --workers, room() to what has found room) or raise the limit",
       human_bytes(static_cast<double>(bytes)), human_bytes(static_cast<double>(held())),
       human_bytes(static_cast<double>(share_)), human_bytes(static_cast<double>(limit_)));
}

}  // namespace atl
