#pragma once

namespace atl::transport {

/// What a PE that waits looks at again and again: conditions of its memory, which others change by
/// plain stores that ring no bell.
class memory_watch {
 public:
  /// One of the conditions holds, or an operation of this PE has come to its end.
  virtual bool has_changed() noexcept = 0;

 protected:
  ~memory_watch() = default;
};

}  // namespace atl::transport
