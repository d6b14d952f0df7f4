#pragma once
// One-sided access to symmetric segments: put, get and atomic operations that the PE whose memory
// it is takes no part in. The rules are those of OpenSHMEM 1.5: puts and atomics of a PE to another
// one are seen in the order in which a `fence` divides them, in no order otherwise; all are seen
// once they are complete (quiet).
//
// Where a PE addresses the memory of another (`endpoint::reached`), a put is a copy and an atomic
// is the processor's, and nobody asks the wire. `remote_memory` is for the others.

#include <cstddef>
#include <cstdint>
#include <span>

namespace atl::transport {

/// Where the memory begins that a PE has exposed beside its segment.
inline constexpr std::uint64_t exposed_offset = std::uint64_t{1} << 47;

/// Bytes of a PE, at an offset in its segment, or behind `exposed_offset`.
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

/// What an atomic operation does to a word of 4 or 8 bytes, which is aligned.
struct atomic_operation {
  atomic_kind kind = atomic_kind::load;
  std::uint8_t bytes = 8;
  std::uint64_t operand = 0;
  std::uint64_t expected = 0;  ///< for compare_exchange
};

/// Does it by the processor's atomics; the word before.
std::uint64_t apply_atomic(const atomic_operation& what, std::byte* at) noexcept;

/// What operations count in until they are complete. The PE that has begun them counts them out, in
/// `poll`, `wait` and calls here that wait for room, and calls `when_none` whenever that leaves
/// none.
struct open_operations {
  std::uint64_t count = 0;
  void (*when_none)(open_operations&) = nullptr;

  void one_complete() {
    if (--count == 0 && when_none != nullptr) when_none(*this);
  }
};

/// An atomic operation on a word beside the target of a put, seen behind all that was put.
struct signal_update {
  std::uint64_t offset;
  atomic_operation what;
};

/// Called by its own PE only, but for `is_idle` of a simulated one. Nothing here runs user code or
/// suspends; where there is no room a call waits, serving others meanwhile, and may throw
/// `job_ended`.
class remote_memory {
 public:
  virtual ~remote_memory() = default;

  /// From now on other PEs may access the memory of this one. What they ask for before waits.
  virtual void open() {}

  /// Beside its segment, others may access this memory of the PE, from `exposed_offset` on. Before
  /// `open`; not where PEs are simulated.
  virtual void expose(std::span<std::byte>) {}

  /// Begins to copy `from` there, which may be changed as soon as the call returns, or, when it
  /// `lasts`, once the operation is complete.
  virtual void put(const remote_place& to, std::span<const std::byte> from, bool lasts,
                   open_operations& counted, const signal_update* signal = nullptr) = 0;

  /// Begins to copy into `into`.
  virtual void get(const remote_place& from, std::span<std::byte> into,
                   open_operations& counted) = 0;

  /// Begins an atomic operation; the word before is stored in `before`, unless that is null.
  virtual void update(const remote_place& at, const atomic_operation& what, std::uint64_t* before,
                      open_operations& counted) = 0;

  /// What was put into the memory of a PE before is seen there before what is put into it after.
  virtual void fence() = 0;

  /// What was begun goes on its way now, for somebody waits; else it goes when there is much, or
  /// when the PE, or its helper, looks for messages.
  virtual void send() {}

  /// Lets all that was begun become complete without a further call but `poll` and `wait`.
  virtual void flush() = 0;

  /// All that was begun is complete, and no answer is under way to this PE.
  virtual bool is_idle() = 0;
};

}  // namespace atl::transport
