#pragma once
// One-sided access to symmetric segments: put, get and atomic operations in which the owner of the
// memory takes no part. The rules are those of OpenSHMEM 1.5. Puts and atomics to another PE are
// seen in any order, except that a `fence` orders those before it ahead of those after. All are
// seen once they are complete (quiet).
//
// Between PEs that address each other's memory (`endpoint::reached`), a put is a copy and an atomic
// is the processor's; neither calls the wire. `remote_memory` is for other PEs.

#include <cstddef>
#include <cstdint>
#include <span>

namespace atl::transport {

/// Offset at which memory begins that a PE has exposed beside its segment.
inline constexpr std::uint64_t exposed_offset = std::uint64_t{1} << 47;

/// Memory of a PE, at an offset in its segment or from `exposed_offset` on.
struct remote_place {
  int pe;
  std::uint64_t offset;
};

enum class atomic_kind : std::uint8_t {
  load,
  store,
  add,
  bit_and,
  bit_or,
  bit_xor,
  exchange,
  compare_exchange
};

/// An atomic operation on an aligned word of 4 or 8 bytes.
struct atomic_operation {
  atomic_kind kind = atomic_kind::load;
  std::uint8_t bytes = 8;
  std::uint64_t operand = 0;
  std::uint64_t expected = 0;  ///< compare_exchange only
};

/// Executes the operation by the processor's atomics. Returns the previous word.
std::uint64_t apply_atomic(const atomic_operation& what, std::byte* at) noexcept;

/// Counts operations until they are complete. The PE that has begun them counts them out in `poll`,
/// `wait` and calls here that wait for room. `when_none` is called whenever the count becomes 0.
struct open_operations {
  std::uint64_t count = 0;
  void (*when_none)(open_operations&) = nullptr;

  void one_complete() {
    if (--count == 0 && when_none != nullptr) when_none(*this);
  }
};

/// An atomic operation on a word of the target PE, seen only after the data of the put.
struct signal_update {
  std::uint64_t offset;
  atomic_operation what;
};

/// One-sided access to PEs that are not reached directly. Called by its own PE only, except
/// `is_idle` of a simulated PE. No function runs user code or suspends a task. Without room a call
/// waits, serving other PEs meanwhile, and may throw `job_ended`.
class remote_memory {
 public:
  virtual ~remote_memory() = default;

  /// Lets other PEs access the memory of this one. Earlier requests wait until this call.
  virtual void open() {}

  /// Exposes further memory of this PE, which others address from `exposed_offset` on. Call this
  /// before `open`. Not available to simulated PEs.
  virtual void expose(std::span<std::byte>) {}

  /// Begins to copy `from` to `to`. The source may be changed as soon as the call returns or, if it
  /// `lasts`, once the operation is complete.
  virtual void put(const remote_place& to, std::span<const std::byte> from, bool lasts,
                   open_operations& counted, const signal_update* signal = nullptr) = 0;

  /// Begins to copy from `from` into `into`.
  virtual void get(const remote_place& from, std::span<std::byte> into,
                   open_operations& counted) = 0;

  /// Begins an atomic operation. The previous word is stored in `before`, unless that is null.
  virtual void update(const remote_place& at, const atomic_operation& what, std::uint64_t* before,
                      open_operations& counted) = 0;

  /// Orders puts: those before this call are seen by their target before those after it.
  virtual void fence() = 0;

  /// Sends operations now, because a task waits for them. Otherwise they are sent once there are
  /// many, or when the PE or its helper looks for messages.
  virtual void send() {}

  /// Lets all operations complete without further calls except `poll` and `wait`.
  virtual void flush() = 0;

  /// Returns whether all operations are complete and no answer to this PE is in flight.
  virtual bool is_idle() = 0;
};

}  // namespace atl::transport
