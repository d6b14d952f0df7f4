#pragma once
// The end of an event, as threads see it that are no PE.

#include "atoll/event.hpp"

#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>

namespace atl::events {

class outside_wait {
 public:
  // By the PE.
  void triggered() { end({}, {}); }
  void failed(const event_fault& fault);
  void job_ended();

  /// By any thread. False: the time is over. Throws what it has failed with.
  bool wait(std::optional<std::chrono::nanoseconds> longest, site where);

 private:
  void end(std::optional<errc> code, std::string text);

  std::mutex mutex_;
  std::condition_variable ended_;
  bool has_ended_ = false;
  bool job_is_over_ = false;
  std::optional<errc> code_;
  std::string text_;
};

}  // namespace atl::events
