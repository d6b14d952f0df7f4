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
// before each run. Other headers begin something else:
//   k_padding       as name: nothing that counts.
//   parcel_name     of two PEs: the messages of one to the other in this same format (parcels.hpp).
//   no length       a scope marker: the name is the activity, on the sending PE, of the tracked
//                   messages that follow.
// Behind its header a run may have a common part, which all of its messages share
// (common_part.hpp).
//
// Messages of one size are counted when their run ends, by its length: so all of a run are counted
// alike. Until then an open run is one part of its activity, which so is not done.

#include "atoll/error.hpp"
#include "atoll/message/activity.hpp"
#include "atoll/message/handler.hpp"
#include "atoll/transport/transport.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace atl::message {

// A buffer is made of words.

inline std::uint64_t load_word(const std::byte* at) {
  std::uint64_t word = 0;
  std::memcpy(&word, at, sizeof word);
  return word;
}

inline void store_word(std::byte* at, std::uint64_t word) { std::memcpy(at, &word, sizeof word); }

/// An address of a program has 48 bits at most: beside it there is room for 16 more.
inline std::uint64_t word_of_address(std::uintptr_t address, std::uint16_t beside = 0) {
  ATOLL_ASSERT(address >> 48 == 0, "an address with more than 48 bits");
  return std::uint64_t{address} << 16 | beside;
}

inline std::size_t bytes_between(const std::byte* from, const std::byte* to) {
  return static_cast<std::size_t>(to - from);
}

inline constexpr std::size_t k_unit = 8;
inline constexpr int k_name_shift = 16;
// No function has this name: the program's own header lies there.
inline constexpr handler_name k_padding = 1;

/// Bytes; it and what comes with it fit the smallest network buffer.
inline constexpr std::size_t k_largest_message = 960;

/// What the first message of a buffer takes beside its own bytes: scope marker and header.
inline constexpr std::size_t k_run_overhead = 2 * k_unit;

struct outgoing;

/// Tells runs apart on the PE that fills them: the address of their function, or, for those with a
/// common part, a number.
using run_key = std::uintptr_t;

/// No function has its address from here on.
inline constexpr run_key k_no_address = run_key{1} << 63;

inline run_key key_of(run_function function) { return reinterpret_cast<run_key>(function); }

/// A run that is to be opened, with room for `bytes` bytes of messages at least.
struct new_run {
  run_key key;
  run_function function;
  traffic kind;
  activity* scope;  ///< null: its messages are not tracked
  std::size_t bytes;
  std::size_t slot;  ///< bytes of each message; 0: they differ, and are counted one by one
  std::span<const std::byte> common = {};  ///< whole units

  std::size_t all_bytes() const { return common.size() + bytes; }
};

/// The parcels in a buffer (parcels.hpp), where there ever was one.
struct carried_parcels {
  std::vector<outgoing*> streams;  ///< that may have one open
  std::size_t padding = 0;         ///< of those that are closed
};

/// Called by its own PE only. Appending a message to the open run touches only the first cache
/// line.
struct alignas(64) outgoing {
  std::byte* cursor = nullptr;
  std::byte* limit = nullptr;
  run_key run = 0;            ///< 0: no run is open
  activity* scope = nullptr;  ///< of the open run, when its messages are tracked
  std::uint64_t created = 0;  ///< application messages since it was opened, but of open runs
  int destination = 0;        ///< the PE that it is for
  int hop = 0;                ///< the PE that gets the buffer: the destination, or one on the way

  // For those who keep lists of these.
  std::unique_ptr<carried_parcels> parcels;  ///< for open_parcels, as the last one
  transport::nanoseconds opened_at = 0;
  bool in_overflow = false;
  bool is_listed = false;
  bool has_listed_parcel = false;
  bool has_relayed = false;  ///< messages that the PE it is for sends on

  bool is_open() const { return buffer_ != nullptr; }
  bool is_direct() const { return hop == destination; }
  /// Not a parcel in a buffer for the hop.
  bool is_open_buffer() const { return is_open() && is_direct(); }
  std::byte* buffer() const { return buffer_; }
  const std::byte* buffer_end() const { return end_; }

  /// The open run is of this kind and activity, and `bytes` more fit behind it.
  template <traffic Kind>
  bool takes(run_key kind, const activity* tracked_by, std::size_t bytes) const {
    return run == kind && (!has_scope(Kind) || scope == tracked_by) && cursor + bytes <= limit;
  }

  /// Counts a message that was appended to a run without a slot.
  template <traffic Kind>
  void count_one([[maybe_unused]] activity* tracked_by) {
    if constexpr (has_scope(Kind)) tracked_by->begin();
    if constexpr (is_created(Kind)) ++created;
  }

  /// Application messages since it was opened.
  std::uint64_t all_created() const;

  /// Filled so far, about.
  std::size_t bytes() const {
    return static_cast<std::size_t>((mixing_ ? tail_ : cursor) - buffer_);
  }

  /// Not filled so far, about.
  std::size_t room() const { return static_cast<std::size_t>(end_ - buffer_) - bytes(); }

  /// Starts filling a buffer.
  void open(std::byte* buffer, std::size_t capacity);

  /// Continues a chunk of this kind. False: there is none with room for `bytes`. `tracked_by` is
  /// null for messages that are not tracked.
  bool resume(run_key kind, const activity* tracked_by, std::size_t bytes) {
    if (!mixing_) return false;
    leave_chunk();
    chunk* const found = find_chunk(kind);
    if (found == nullptr || found->run != kind) return false;
    const bool same_scope = tracked_by == nullptr || found->scope == tracked_by;
    if (!same_scope || static_cast<std::size_t>(found->limit - found->cursor) < bytes) return false;
    enter(*found);
    return true;
  }

  /// Opens a run whose function has this name. False: the buffer has no room for it.
  bool begin(const new_run& opened, handler_name name);

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
  /// How the messages of a run are counted: `half_units` each, or 0, behind the common part.
  struct counting {
    std::uint8_t half_units = 0;
    std::uint8_t common_units : 7 = 0;
    bool created : 1 = false;

    explicit counting(const new_run& of)
        : half_units(static_cast<std::uint8_t>(2 * of.slot / k_unit)),
          common_units(static_cast<std::uint8_t>(of.common.size() / k_unit)),
          created(is_created(of.kind)) {}
    counting() = default;
    /// Where the first message is.
    const std::byte* first(const std::byte* header) const {
      return header + k_unit * (1U + common_units);
    }
    std::int64_t messages(const std::byte* header, const std::byte* end) const;
  };

  struct chunk {
    run_key run = 0;
    activity* scope = nullptr;
    std::byte* header = nullptr;
    std::byte* cursor = nullptr;
    std::byte* limit = nullptr;
    counting counted;
  };

  bool begin_at_end(const new_run& opened, handler_name name);
  bool begin_chunk(const new_run& opened, handler_name name);
  void count(const counting& how, activity* tracked_by, const std::byte* header,
             const std::byte* end);
  std::byte*& tail() { return mixing_ ? tail_ : cursor; }
  std::byte* write_headers(std::byte* at, const new_run& opened, handler_name name);
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
    run = 0;
  }
  /// The chunk of this kind, or a free chunk; null when there is neither.
  chunk* find_chunk(run_key kind) {
    for (auto& each : *chunks_)
      if (each.run == kind || each.run == 0) return &each;
    return nullptr;
  }
  void end_chunk(chunk& ended);

  bool mixing_ = false;
  std::uint8_t short_runs_ = 0;  ///< beyond those that make a mixture: no more of it
  counting counted_;             ///< of the open run at the end, when not mixing
  std::byte* buffer_ = nullptr;
  std::byte* end_ = nullptr;
  std::byte* header_ = nullptr;  ///< of the open run at the end, when not mixing
  std::byte* tail_ = nullptr;    ///< behind the last chunk, when mixing
  activity* marked_ = nullptr;   ///< of the last scope marker in the buffer
  chunk* active_ = nullptr;
  std::unique_ptr<std::array<chunk, 8>> chunks_;  ///< made when first needed
};

static_assert(sizeof(outgoing) == 128);

}  // namespace atl::message
