#pragma once
// One-sided access to symmetric segments: put, get and atomic operations. The program of the PE
// that owns the memory takes no part in them. The rules equal the rules of OpenSHMEM 1.5. Another
// PE may see puts and atomics in any order. A `fence` orders them: operations before the fence are
// seen before operations after it. Every PE sees an operation once it is complete.
//
// Some PEs can address each other's memory directly (`endpoint::reached`). Between such PEs a put
// is a copy, and an atomic operation is an instruction of the processor. The class `remote_memory`
// is for all other pairs of PEs.

#include <cstddef>
#include <cstdint>
#include <span>

namespace atl::transport {

/// Offset from which on other PEs address memory that a PE has exposed in addition to its segment.
inline constexpr std::uint64_t exposed_offset = std::uint64_t{1} << 47;

/// A place in the memory of a PE. Offsets below `exposed_offset` are in the PE's segment, other
/// offsets in its exposed memory.
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
  std::uint64_t expected = 0;  ///< expected word, used by compare_exchange only
};

/// Executes `what` on the word at `at` by atomic instructions of the processor. Returns the
/// previous word.
std::uint64_t apply_atomic(const atomic_operation& what, std::byte* at) noexcept;

/// Counts operations that have begun and are not complete. The PE that began them decreases the
/// count in `poll`, in `wait`, and in functions of `remote_memory` that wait for room. `when_none`
/// is called whenever the count becomes 0.
struct open_operations {
  std::uint64_t count = 0;
  void (*when_none)(open_operations&) = nullptr;

  void one_complete() {
    if (--count == 0 && when_none != nullptr) when_none(*this);
  }
};

/// An atomic operation that accompanies a put. The target PE sees the changed word only after the
/// data of the put.
struct signal_update {
  std::uint64_t offset;
  atomic_operation what;
};

/// One-sided access to PEs whose memory this PE cannot address directly. Only the PE itself calls
/// the functions. In a simulation, other PEs may call `is_idle` too. The functions neither run user
/// code nor suspend a task. If there is no room for a request, a function waits and executes
/// requests of other PEs meanwhile. The function throws `job_ended` if the job ends.
class remote_memory {
 public:
  virtual ~remote_memory() = default;

  /// Lets other PEs access the memory of this PE. Requests that arrived before this call are
  /// executed after it.
  virtual void open() {}

  /// Exposes memory of this PE in addition to its segment. Other PEs address the exposed memory by
  /// offsets from `exposed_offset` on. Call this before `open`. Simulated PEs cannot expose memory.
  virtual void expose(std::span<std::byte>) {}

  /// Begins to copy `from` to `to`. If `lasts` is true, `from` must stay unchanged until the
  /// operation is complete. If `lasts` is false, `from` may be changed as soon as the call returns.
  virtual void put(const remote_place& to, std::span<const std::byte> from, bool lasts,
                   open_operations& counted, const signal_update* signal = nullptr) = 0;

  /// Begins to copy from `from` into `into`.
  virtual void get(const remote_place& from, std::span<std::byte> into,
                   open_operations& counted) = 0;

  /// Begins an atomic operation. If `before` is not null, the previous word is stored there.
  virtual void update(const remote_place& at, const atomic_operation& what, std::uint64_t* before,
                      open_operations& counted) = 0;

  /// Orders puts: a target sees puts from before this call before puts from after it.
  virtual void fence() = 0;

  /// Sends collected operations now, because a task waits for them. Without this call, operations
  /// are sent when a message is full, or when the PE or its helper thread polls.
  virtual void send() {}

  /// Sends all collected operations and asks for their completion. The operations then complete
  /// without further calls except `poll` and `wait`.
  virtual void flush() = 0;

  /// Returns whether all operations of this PE are complete and no answer to it is in flight.
  virtual bool is_idle() = 0;
};

}  // namespace atl::transport
