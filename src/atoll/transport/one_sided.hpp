#pragma once
// One-sided access to symmetric segments: put, get and atomic operations. The program of the PE
// that owns the memory takes no part in one-sided operations. The memory model follows OpenSHMEM
// 1.5. Puts and atomic operations may become visible to another PE in any order. A `fence` orders
// operations: operations before the fence become visible before operations after the fence. When an
// operation is complete, all PEs see its effect.
//
// Some PEs can address each other's memory directly (`endpoint::directly_mapped`). Between two PEs
// with direct access, a put is a copy in memory, and an atomic operation is an instruction of the
// processor. The class `remote_memory` is for all other pairs of PEs.

#include <cstddef>
#include <cstdint>
#include <span>

namespace atl::transport {

/// First offset of the memory that a PE has exposed in addition to its segment. Smaller offsets are
/// in the segment.
inline constexpr std::uint64_t exposed_offset = std::uint64_t{1} << 47;

/// An address in the memory of a PE. Offsets below `exposed_offset` are in the PE's segment.
/// Offsets from `exposed_offset` on are in the memory that the PE has exposed by
/// `remote_memory::expose`.
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

/// A counter of operations that have begun and are not complete. Only the PE that began the
/// operations decreases the counter: in `poll`, in `wait`, and in functions of `remote_memory` that
/// wait for room. When the counter becomes 0, `when_none` is called.
struct open_operations {
  std::uint64_t count = 0;
  void (*when_none)(open_operations&) = nullptr;

  void one_complete() {
    if (--count == 0 && when_none != nullptr) when_none(*this);
  }
};

/// An atomic operation that is executed after the data of a put has been stored. A PE that sees the
/// changed word also sees the data of the put.
struct signal_update {
  std::uint64_t offset;
  atomic_operation what;
};

/// One-sided access to PEs whose memory this PE cannot address directly. Only the PE itself calls
/// the functions. As an exception, other PEs of a simulation may call `is_idle`. No function runs
/// user code or suspends a task. If there is no room for a request, a function waits, and executes
/// requests of other PEs meanwhile. If the job ends during the wait, the function throws
/// `job_ended`.
class remote_memory {
 public:
  virtual ~remote_memory() = default;

  /// Lets other PEs access the memory of this PE from now on. Requests that arrived before this
  /// call are executed after the call.
  virtual void open() {}

  /// Exposes memory of this PE to other PEs, in addition to the segment. Other PEs address the
  /// memory by offsets from `exposed_offset` on. The caller must call this function before `open`.
  /// Simulated PEs cannot expose memory.
  virtual void expose(std::span<std::byte>) {}

  /// Begins to copy the bytes `from` to the remote address `to`. If `lasts` is true, the caller
  /// must leave `from` unchanged until the operation is complete. If `lasts` is false, the caller
  /// may change `from` as soon as the call returns.
  virtual void put(const remote_place& to, std::span<const std::byte> from, bool lasts,
                   open_operations& counted, const signal_update* signal = nullptr) = 0;

  /// Begins to copy bytes from the remote address `from` into `into`.
  virtual void get(const remote_place& from, std::span<std::byte> into,
                   open_operations& counted) = 0;

  /// Begins the atomic operation `what` on the word at the remote address `at`. If `before` is not
  /// null, the previous value of the word is stored at `before`.
  virtual void update(const remote_place& at, const atomic_operation& what, std::uint64_t* before,
                      open_operations& counted) = 0;

  /// Orders puts and atomic operations: at each target, operations before this call become visible
  /// before operations after this call.
  virtual void fence() = 0;

  /// Sends collected operations now, because a task waits for them. Without this call, operations
  /// would be sent when a message is full, or when the PE or its helper thread polls.
  virtual void send() {}

  /// Sends all collected operations and asks their targets for acknowledgements. After `flush`, the
  /// PE only needs to call `poll` or `wait` until the operations are complete.
  virtual void flush() = 0;

  /// Returns true if all operations of this PE are complete and no answer to this PE is in flight.
  virtual bool is_idle() = 0;
};

}  // namespace atl::transport
