#pragma once
// The network buffer being filled for one destination, as runs of messages of one kind.
//
// At first there is one open run, at the end of the buffer; a message of another kind closes it and
// opens the next. Where kinds turn out to be mixed, that would give each message a header and, at
// the receiver, a mispredicted call. So after some short runs each kind gets a *chunk* of the
// buffer, a run that stays open beside those of the other kinds until it is full. Messages of one
// kind stay in order; between kinds none is promised.
//
// Format, in units of 8 bytes: a header (48 bits handler name, 16 bits length in units, rounded up)
// before each run. Headers with these names begin something else:
//   k_scope_marker  a word: the activity, on the sending PE, of the tracked messages that follow.
//   k_padding       nothing that counts.
//   k_parcel        the messages of one PE to another in this same format, behind a word that says
//                   whose they are (parcel.hpp).

#include "atoll/message/activity.hpp"
#include "atoll/message/handler.hpp"
#include "atoll/message/traffic.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

namespace atl::message {

inline constexpr std::size_t k_unit = 8;
inline constexpr int k_name_shift = 16;
// No function has these names: the program's own header lies there.
inline constexpr handler_name k_scope_marker = 0;
inline constexpr handler_name k_padding = 1;
inline constexpr handler_name k_parcel = 2;

/// What the first message of a buffer takes beside its own bytes: scope marker and header.
inline constexpr std::size_t k_run_overhead = 3 * k_unit;

/// Called by its own PE only. Appending a message to the open run touches only the first cache
/// line.
struct alignas(64) outgoing {
  std::byte* cursor = nullptr;
  std::byte* limit = nullptr;
  run_function run = nullptr;  ///< null: no run is open
  activity* scope = nullptr;   ///< of the open run, when its messages are tracked
  std::uint64_t created = 0;   ///< application messages to this destination, ever

  bool is_open() const { return buffer_ != nullptr; }
  std::byte* buffer() const { return buffer_; }
  const std::byte* buffer_end() const { return end_; }

  /// The open run is of this kind and activity, and `bytes` more fit behind it.
  template <traffic Kind>
  bool takes(run_function kind, const activity* tracked_by, std::size_t bytes) const {
    return run == kind && (Kind != traffic::tracked || scope == tracked_by) &&
           static_cast<std::size_t>(limit - cursor) >= bytes;
  }

  /// Counts a message that was appended. `tracked_by` is read for tracked ones only.
  template <traffic Kind>
  void count_created([[maybe_unused]] activity* tracked_by) {
    if constexpr (Kind == traffic::tracked) ++tracked_by->pending;
    if constexpr (Kind != traffic::control) ++created;
  }

  /// How many messages were created since the last call.
  std::uint64_t take_unsubmitted() { return created - std::exchange(submitted_, created); }

  /// Filled so far, about.
  std::size_t bytes() const {
    return static_cast<std::size_t>((mixing_ ? tail_ : cursor) - buffer_);
  }

  /// Starts filling a buffer.
  void open(std::byte* buffer, std::size_t capacity);

  /// Continues a chunk of this kind. False: there is none with room for `bytes`. `tracked_by` is
  /// null for messages that are not tracked.
  bool resume(run_function kind, const activity* tracked_by, std::size_t bytes) {
    if (!mixing_) return false;
    leave_chunk();
    chunk* const found = find_chunk(kind);
    if (found == nullptr || found->run != kind) return false;
    const bool same_scope = tracked_by == nullptr || found->scope == tracked_by;
    if (!same_scope || static_cast<std::size_t>(found->limit - found->cursor) < bytes) return false;
    enter(*found);
    return true;
  }

  /// Opens a run of this kind with room for `bytes`. False: the buffer has no such room.
  bool begin(run_function kind, handler_name name, activity* tracked_by, std::size_t bytes);

  /// Ends all runs; returns the bytes of the buffer, which is no longer this object's.
  std::uint32_t close();

  /// Room at the end of the buffer that the caller fills; null if there is none.
  std::byte* reserve(std::size_t bytes);

  /// Shortens the reserved room that ends at `room_end` to `end`. False, and nothing is done, if
  /// something stands behind it.
  bool shorten(const std::byte* room_end, std::byte* end);

  /// Lets one message of `bytes` bytes into the buffer, and no other.
  void admit_only(std::size_t bytes) { limit = cursor + bytes; }

 private:
  struct chunk {
    run_function run = nullptr;
    activity* scope = nullptr;
    std::byte* header = nullptr;
    std::byte* cursor = nullptr;
    std::byte* limit = nullptr;
  };

  bool begin_at_end(run_function kind, handler_name name, activity* tracked_by, std::size_t bytes);
  bool begin_chunk(run_function kind, handler_name name, activity* tracked_by, std::size_t bytes);
  std::byte*& tail() { return mixing_ ? tail_ : cursor; }
  std::byte* write_headers(std::byte* at, handler_name name, activity* tracked_by);
  void end_run_at_end();
  void start_mixing();
  void stop_mixing();
  void enter(chunk& entered) {
    active_ = &entered;
    run = entered.run;
    scope = entered.scope;
    cursor = entered.cursor;
    limit = entered.limit;
  }
  void leave_chunk() {
    if (active_ != nullptr) active_->cursor = cursor;
    active_ = nullptr;
    run = nullptr;
  }
  /// The chunk of this kind, or a free chunk; null when there is neither.
  chunk* find_chunk(run_function kind) {
    for (auto& each : *chunks_)
      if (each.run == kind || each.run == nullptr) return &each;
    return nullptr;
  }
  static void end_chunk(chunk& ended);

  std::uint64_t submitted_ = 0;  ///< as `created`, but only those in buffers that are closed
  std::byte* buffer_ = nullptr;
  std::byte* end_ = nullptr;
  std::byte* header_ = nullptr;  ///< of the open run at the end, when not mixing
  std::byte* tail_ = nullptr;    ///< behind the last chunk, when mixing
  activity* marked_ = nullptr;   ///< of the last scope marker in the buffer
  chunk* active_ = nullptr;
  int short_runs_ = 0;
  bool mixing_ = false;
  std::unique_ptr<std::array<chunk, 8>> chunks_;  ///< made when first needed
};

}  // namespace atl::message
