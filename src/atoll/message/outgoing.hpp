#pragma once
// The network buffer being filled for one destination, as runs of messages of one kind.
//
// At first there is one open run, at the end of the buffer. A message of another kind closes that
// run and opens the next. With mixed kinds each message would need a header and, at the receiver, a
// mispredicted call. After some short runs, each kind therefore gets a *chunk* of the buffer. A
// chunk is a run that stays open beside those of other kinds until it is full. Messages of one kind
// stay in order; messages of different kinds may be reordered.
//
// The format has units of 8 bytes. Before each run stands a header: 48 bits of handler name, 16
// bits of length in units, rounded up. Three headers begin something else.
//
// The name `k_padding` begins bytes to be skipped.
//
// The name `parcel_name` of two PEs begins messages of one to the other in this same format
// (parcels.hpp).
//
// The length 0 is a scope marker. The name is then the activity, on the sending PE, of the tracked
// messages that follow.
//
// Behind its header a run may have a common part, which all of its messages share
// (common_part.hpp).
//
// Messages of one size are counted when their run ends, by the length of the run. All messages of a
// run are therefore counted alike. Until then the open run counts as one part of its activity,
// which keeps the activity from ending.

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

/// Packs an address, which has at most 48 bits, and the 16 bits of `beside` into a word.
inline std::uint64_t word_of_address(std::uintptr_t address, std::uint16_t beside = 0) {
  ATOLL_ASSERT(address >> 48 == 0, "an address with more than 48 bits");
  return std::uint64_t{address} << 16 | beside;
}

inline std::size_t bytes_between(const std::byte* from, const std::byte* to) {
  return static_cast<std::size_t>(to - from);
}

inline constexpr std::size_t k_unit = 8;
inline constexpr int k_name_shift = 16;
// No function has this name: at this address the program has its own header.
inline constexpr handler_name k_padding = 1;

/// Bytes; a message of this size and everything sent with it fit the smallest network buffer.
inline constexpr std::size_t k_largest_message = 960;

/// Bytes that the first message of a buffer takes beside its own: a scope marker and a header.
inline constexpr std::size_t k_run_overhead = 2 * k_unit;

struct outgoing;

/// Identifies a run on the PE that fills it: the address of its function or, for a run with a
/// common part, a number.
using run_key = std::uintptr_t;

/// Function addresses are below this number.
inline constexpr run_key k_no_address = run_key{1} << 63;

inline run_key key_of(run_function function) { return reinterpret_cast<run_key>(function); }

/// A run to be opened, with room for at least `bytes` bytes of messages.
struct new_run {
  run_key key;
  run_function function;
  traffic kind;
  activity* scope;  ///< null: its messages are not tracked
  std::size_t bytes;
  std::size_t slot;  ///< bytes per message; 0: sizes differ, and messages are counted one by one
  std::span<const std::byte> common = {};  ///< common part, in whole units

  std::size_t all_bytes() const { return common.size() + bytes; }
};

/// The parcels in a buffer (parcels.hpp). A buffer that never had one has no such object.
struct carried_parcels {
  std::vector<outgoing*> streams;  ///< streams that may have an open parcel here
  std::size_t padding = 0;         ///< bytes of padding in closed parcels
};

/// Fills one buffer; called by its own PE only. Appending a message to the open run touches only
/// the first cache line.
struct alignas(64) outgoing {
  std::byte* cursor = nullptr;
  std::byte* limit = nullptr;
  run_key run = 0;            ///< 0: no run is open
  activity* scope = nullptr;  ///< activity of the open run if its messages are tracked
  std::uint64_t created = 0;  ///< application messages of runs that have ended
  int destination = 0;        ///< the PE that receives the messages
  int hop = 0;                ///< the PE that receives the buffer: destination or hop

  // The next fields belong to the lists of buffers and parcels.
  std::unique_ptr<carried_parcels> parcels;  ///< for open_parcels, as is has_listed_parcel
  transport::nanoseconds opened_at = 0;
  bool in_overflow = false;
  bool is_listed = false;
  bool has_listed_parcel = false;
  bool has_relayed = false;  ///< has messages that the receiving PE relays

  bool is_open() const { return buffer_ != nullptr; }
  bool is_direct() const { return hop == destination; }
  /// Returns whether this is an open buffer, not a parcel in a buffer for the hop.
  bool is_open_buffer() const { return is_open() && is_direct(); }
  std::byte* buffer() const { return buffer_; }
  const std::byte* buffer_end() const { return end_; }

  /// Returns whether the open run has this kind and activity, and room for `bytes` more.
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

  /// Returns the number of application messages since the buffer was opened.
  std::uint64_t all_created() const;

  /// Returns about how many bytes are filled.
  std::size_t bytes() const {
    return static_cast<std::size_t>((mixing_ ? tail_ : cursor) - buffer_);
  }

  /// Returns about how many bytes are not filled yet.
  std::size_t room() const { return static_cast<std::size_t>(end_ - buffer_) - bytes(); }

  /// Starts filling a buffer.
  void open(std::byte* buffer, std::size_t capacity);

  /// Continues a chunk of this kind. Returns false if none has room for `bytes`. `tracked_by` is
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

  /// Opens a run whose function has this name. Returns false if the buffer has no room for the run.
  bool begin(const new_run& opened, handler_name name);

  /// Ends all runs and gives up the buffer. Returns the number of bytes filled.
  std::uint32_t close();

  /// Reserves bytes at the end of the buffer, which the caller fills. Returns null if there is no
  /// room.
  std::byte* reserve(std::size_t bytes);

  /// Shortens the reserved room that ends at `room_end` to `end`. Does nothing and returns false if
  /// something follows that room.
  bool shorten(const std::byte* room_end, std::byte* end);

  /// Lets one message of `bytes` bytes into the buffer, and no other.
  void admit_only(std::size_t bytes) { limit = cursor + bytes; }

 private:
  /// How the messages of a run behind its common part are counted: `half_units` per message, or 0.
  struct counting {
    std::uint8_t half_units = 0;
    std::uint8_t common_units : 7 = 0;
    bool created : 1 = false;

    explicit counting(const new_run& of)
        : half_units(static_cast<std::uint8_t>(2 * of.slot / k_unit)),
          common_units(static_cast<std::uint8_t>(of.common.size() / k_unit)),
          created(is_created(of.kind)) {}
    counting() = default;
    /// Returns the place of the first message.
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
  /// Returns the chunk of this kind, or a free chunk; null if there is neither.
  chunk* find_chunk(run_key kind) {
    for (auto& each : *chunks_)
      if (each.run == kind || each.run == 0) return &each;
    return nullptr;
  }
  void end_chunk(chunk& ended);

  bool mixing_ = false;
  std::uint8_t short_runs_ = 0;  ///< 8: kinds are mixed in chunks; more: not again in this buffer
  counting counted_;             ///< of the open run at the end, when not mixing
  std::byte* buffer_ = nullptr;
  std::byte* end_ = nullptr;
  std::byte* header_ = nullptr;  ///< of the open run at the end, when not mixing
  std::byte* tail_ = nullptr;    ///< end of the last chunk, when mixing
  activity* marked_ = nullptr;   ///< activity of the last scope marker in the buffer
  chunk* active_ = nullptr;
  std::unique_ptr<std::array<chunk, 8>> chunks_;  ///< allocated when first needed
};

static_assert(sizeof(outgoing) == 128);

}  // namespace atl::message
