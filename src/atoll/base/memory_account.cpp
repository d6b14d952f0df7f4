#include "atoll/base/memory_account.hpp"

#include "atoll/base/pe.hpp"
#include "atoll/error.hpp"
#include "atoll/local_memory.hpp"
#include "atoll/log.hpp"

#include <string>

namespace atl {

namespace {

std::string text_of(std::int64_t bytes) { return human_bytes(static_cast<double>(bytes)); }

}  // namespace

void memory_account::refuse(std::size_t bytes) const {
  if (!limits_data_)
    fail(
        errc::out_of_memory,
        "out of memory: {} more for tasks of this PE are, beside {} of tasks and waiting messages, "
        "beyond its share, {}, of what the machine had free when the job began; start fewer at a "
        "time (parallel_for and spawn_stealable keep to --workers, room() to what has found room) "
        "or set --memory-limit",
        text_of(static_cast<std::int64_t>(bytes)), text_of(work_),
        text_of(static_cast<std::int64_t>(share_)));
  fail(errc::out_of_memory,
       "out of memory: {} more for tasks of this PE are, beside {} of tasks and waiting messages "
       "and {} of global arrays and other data, beyond its share, {}, of --memory-limit, {}; start "
       "fewer at a time (parallel_for and spawn_stealable keep to --workers, room() to what has "
       "found room) or raise the limit",
       text_of(static_cast<std::int64_t>(bytes)), text_of(work_), text_of(arrays_),
       text_of(static_cast<std::int64_t>(share_)), text_of(static_cast<std::int64_t>(limit_)));
}

void memory_account::refuse_data(std::size_t bytes, const char* what) const {
  fail(errc::out_of_memory,
       "out of memory: {} more for {} on this PE are, beside {} of tasks and "
       "waiting messages and {} of global arrays and other data, beyond its share, {}, of "
       "--memory-limit, {}; use more PEs or raise the limit",
       text_of(static_cast<std::int64_t>(bytes)), what, text_of(work_), text_of(arrays_),
       text_of(static_cast<std::int64_t>(share_)), text_of(static_cast<std::int64_t>(limit_)));
}

std::string memory_account::limit_text() const {
  if (limit_ == 0 || !limits_data_) return "";
  return ", of --memory-limit, " + text_of(static_cast<std::int64_t>(limit_));
}

held_memory::held_memory(std::size_t bytes, const char* what, site where)
    : account_(*pe_of_job("held_memory", where).account), bytes_(bytes) {
  account_.charge_data(bytes, what);
}

held_memory::~held_memory() { account_.release_data(bytes_); }

}  // namespace atl
