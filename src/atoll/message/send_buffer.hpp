#pragma once
// A `send_buffer` object fills one network buffer, or one parcel in a buffer, with messages for one
// destination. The messages are stored in runs; a run is a sequence of messages of one kind behind
// one header. Messages of one kind call the same function.
//
// At first, only one run (a sequence of messages of one kind) is open for more messages, at the end
// of the buffer. If the next message has another kind, the open run is closed and a new run is
// opened. If the kind of message changed every time, each message would need a header and cause a
// mispredicted call at the receiver. After eight short runs in a buffer, each kind of message gets
// a *chunk*, a part of the buffer only for that kind. A chunk is a run that stays open until it is
// full, even if runs of other kinds are opened. Messages of one kind stay in order, but messages of
// different kinds may be reordered.
//
// A buffer consists of units of 8 bytes. Each run begins with a header of one unit, which contains
// the handler's name in 48 bits and the run's length in 16 bits. The length of a run is the number
// of units (8 bytes each) behind its header, rounded up. Besides the headers of runs, there are
// three kinds of headers: for padding, for parcels and for scopes.
//
// A header with the name `k_padding` marks padding: bytes that the receiver skips.
//
// A parcel (parcels.hpp) begins with a header whose name, `parcel_name`, is computed from the
// source PE and the destination PE. A parcel contains messages from one PE to another, in the same
// format as a buffer.
//
// A header with the length 0 and another name than `k_padding` is a scope marker. Instead of the
// name of a handler, a scope marker contains the address of an activity on the sending PE. The
// tracked messages behind a scope marker belong to the activity that the marker names.
//
// A run may have a common part behind its header, which all messages of the run share
// (common_part.hpp).
//
// If all messages of a run have the same size, their number is computed from the length of the run
// when the run ends. All messages of a run must be counted in the same way, because they are
// counted together when the run ends. While a run of messages is open, its activity counts the run
// as one unfinished part, so that the activity does not end too early.

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

// `load_word` and `store_word` read and write the 8-byte words of a buffer.

inline std::uint64_t load_word(const std::byte* at) {
  std::uint64_t word = 0;
  std::memcpy(&word, at, sizeof word);
  return word;
}

inline void store_word(std::byte* at, std::uint64_t word) { std::memcpy(at, &word, sizeof word); }

/// Packs `address` and the 16 bits of `beside` into a word. `address` must have at most 48 bits.
inline std::uint64_t word_of_address(std::uintptr_t address, std::uint16_t beside = 0) {
  ATOLL_ASSERT(address >> 48 == 0, "an address with more than 48 bits");
  return std::uint64_t{address} << 16 | beside;
}

inline std::size_t bytes_between(const std::byte* from, const std::byte* to) {
  return static_cast<std::size_t>(to - from);
}

inline constexpr std::size_t k_unit = 8;
inline constexpr int k_name_shift = 16;
// No handler has the name 1, because a name below 64 is an offset in the header of the program's
// file.
inline constexpr handler_name k_padding = 1;

/// Largest size of a message in bytes. A message of 960 bytes, with all of its headers, fits into
/// the smallest network buffer.
inline constexpr std::size_t k_largest_message = 960;

/// Number of bytes that the first message of a buffer needs for a scope marker and a header, in
/// addition to its own bytes.
inline constexpr std::size_t k_run_overhead = 2 * k_unit;

struct send_buffer;

/// Identifies a run (a sequence of messages of one kind) among all runs that one PE fills. Usually,
/// the key is the address of the function that the messages call. If the messages share data
/// (common_part.hpp), the key is a number that only runs with the same shared data have.
using run_key = std::uintptr_t;

/// Keys below `k_no_address` are addresses of functions. Keys above `k_no_address` are numbers of
/// runs with a common part (data that all messages of a run share).
inline constexpr run_key k_no_address = run_key{1} << 63;

inline run_key key_of(run_function function) { return reinterpret_cast<run_key>(function); }

/// Describes a run (a sequence of messages of one kind) to be opened, with room for at least
/// `bytes` bytes of messages.
struct new_run {
  run_key key;
  run_function function;
  traffic kind;
  activity* scope;  ///< activity of the messages; null if they are not tracked
  std::size_t bytes;
  std::size_t slot;  ///< bytes per message; 0 if sizes differ and messages are counted one by one
  std::span<const std::byte> common =
      {};  ///< data shared by the messages, padded to whole units of 8 bytes

  std::size_t all_bytes() const { return common.size() + bytes; }
};

/// The parcels (groups of messages that the receiver forwards, parcels.hpp) in a buffer. A buffer
/// that never had a parcel has no `carried_parcels` object.
struct carried_parcels {
  /// `send_buffer` objects that may have an open parcel in this buffer.
  std::vector<send_buffer*> streams;
  std::size_t padding = 0;  ///< bytes of padding in closed parcels
};

/// Fills one buffer. Only the PE that owns the object may use it. Appending a message to the open
/// run touches only the first cache line of the object.
struct alignas(64) send_buffer {
  std::byte* cursor = nullptr;
  std::byte* limit = nullptr;
  run_key run = 0;            ///< key of the open run; 0 if no run is open
  activity* scope = nullptr;  ///< activity of the open run, if the messages are tracked
  std::uint64_t created = 0;  ///< number of application messages in runs that have ended
  int destination = 0;        ///< the PE that receives the messages
  int hop = 0;  ///< the PE that receives the buffer: `destination`, or a PE that forwards messages

  // The classes `open_buffers` and `open_parcels` set the fields from `parcels` to
  // `has_listed_parcel`.
  /// Parcels in this buffer. The pointer is null if the buffer never had a parcel.
  std::unique_ptr<carried_parcels> parcels;
  transport::nanoseconds opened_at = 0;
  bool in_overflow = false;
  bool is_listed = false;
  bool has_listed_parcel = false;
  bool has_relayed = false;  ///< whether the buffer contains messages that the receiving PE relays

  bool is_open() const { return buffer_ != nullptr; }
  bool is_direct() const { return hop == destination; }
  /// Returns whether this object fills an open buffer, and not a parcel inside another buffer.
  bool is_open_buffer() const { return is_open() && is_direct(); }
  std::byte* buffer() const { return buffer_; }
  const std::byte* buffer_end() const { return end_; }

  /// Returns whether a message of `bytes` bytes can be appended to the open run. The result is true
  /// only if the open run has the key `kind` and enough room. For a tracked message, the result is
  /// true only if the open run has the activity `tracked_by`.
  template <traffic Kind>
  bool takes(run_key kind, const activity* tracked_by, std::size_t bytes) const {
    return run == kind && (!has_scope(Kind) || scope == tracked_by) && cursor + bytes <= limit;
  }

  /// Counts one message of a run whose messages have different sizes. Call this function after
  /// appending the message.
  template <traffic Kind>
  void count_one([[maybe_unused]] activity* tracked_by) {
    if constexpr (has_scope(Kind)) tracked_by->begin();
    if constexpr (is_created(Kind)) ++created;
  }

  /// Returns the number of application messages in the buffer, including those in open runs.
  std::uint64_t all_created() const;

  /// Returns the number of filled bytes. While there are chunks (parts of the buffer for one kind
  /// of message), the number includes their free bytes.
  std::size_t bytes() const {
    return static_cast<std::size_t>((mixing_ ? tail_ : cursor) - buffer_);
  }

  /// Returns the number of bytes that are not filled. While there are chunks (parts of the buffer
  /// for one kind of message), their free bytes are not counted.
  std::size_t room() const { return static_cast<std::size_t>(end_ - buffer_) - bytes(); }

  /// Starts filling `buffer`, which has `capacity` bytes.
  void open(std::byte* buffer, std::size_t capacity);

  /// Continues filling the chunk (a part of the buffer for one kind of message) with the key `kind`
  /// and the activity `tracked_by`. If no chunk with the key and the activity has room for `bytes`
  /// bytes, returns false. For messages that are not tracked, `tracked_by` is null.
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

  /// Opens the run `opened`, whose function has the name `name`. If the buffer has no room for the
  /// run, returns false.
  bool begin(const new_run& opened, handler_name name);

  /// Ends all open runs of messages, and forgets the buffer. After the call, the caller must send
  /// the buffer. Returns the number of filled bytes.
  std::uint32_t close();

  /// Reserves `bytes` bytes at the end of the buffer for the caller to fill. If there is no room,
  /// returns null.
  std::byte* reserve(std::size_t bytes);

  /// Shortens the reserved bytes that end at `room_end`, so that they end at `end`. If other data
  /// follows the reserved bytes, does nothing and returns false.
  bool shorten(const std::byte* room_end, std::byte* end);

  /// Limits the buffer to one more message, which has `bytes` bytes.
  void admit_only(std::size_t bytes) { limit = cursor + bytes; }

 private:
  /// Says how the messages of a run are counted. Each message takes `half_units` times 4 bytes. If
  /// the sizes of messages may differ, `half_units` is 0, and messages are counted one by one.
  struct counting {
    std::uint8_t half_units = 0;
    std::uint8_t common_units : 7 = 0;
    bool created : 1 = false;

    explicit counting(const new_run& of)
        : half_units(static_cast<std::uint8_t>(2 * of.slot / k_unit)),
          common_units(static_cast<std::uint8_t>(of.common.size() / k_unit)),
          created(is_created(of.kind)) {}
    counting() = default;
    /// Returns the address of the first message of a run whose header is at `header`.
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
  /// Returns the chunk (a part of the buffer for one kind of message) with the key `kind`. If no
  /// chunk has this key, returns a free chunk, or null if all chunks are in use.
  chunk* find_chunk(run_key kind) {
    for (auto& each : *chunks_)
      if (each.run == kind || each.run == 0) return &each;
    return nullptr;
  }
  void end_chunk(chunk& ended);

  bool mixing_ = false;
  /// Number of short runs in this buffer so far, at most 9. After 8 short runs, new runs are put
  /// into chunks (parts of the buffer), one chunk for each kind of message. The value 9 means that
  /// the buffer has used chunks (parts for one kind of message) and no longer uses them.
  std::uint8_t short_runs_ = 0;
  /// How messages of the run at `header_` are counted; each chunk has a field `counted` of its own.
  counting counted_;
  std::byte* buffer_ = nullptr;
  std::byte* end_ = nullptr;
  std::byte* header_ =
      nullptr;  ///< header of the open run; null if that run is in a chunk, or if no run is open
  std::byte* tail_ = nullptr;   ///< end of the last chunk, while there are chunks
  activity* marked_ = nullptr;  ///< activity of the last scope marker in the buffer
  chunk* active_ = nullptr;
  std::unique_ptr<std::array<chunk, 8>> chunks_;  ///< allocated when first needed
};

static_assert(sizeof(send_buffer) == 128);

}  // namespace atl::message
