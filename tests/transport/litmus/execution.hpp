#pragma once
// An execution of a few threads on atomic words, according to the axioms of C++20. An execution
// consists of events, of the store that each load reads, and of the order of stores to each word.
// Each step adds one event. The class computes which stores the next event of a thread may read. If
// the next event is a store, the class computes which positions it may take in the order of stores
// to the word. Like GenMC and RC11, the model has no notion of time.
//
// The allowed executions follow these rules of C++20 ([intro.races], [atomics.order]):
//
// * Happens-before is the union of sequenced-before and of edges from releases to acquire loads
//   that read their release sequences.
// * A load must not read a store if a later store to the word happens before the load.
// * A new store need not come last in the order of stores to its word. A new store must come after
//   each store that happens before it. If a load happens before a new store, the new store must
//   also come after the store that the load has read.
// * A read-modify-write directly follows the store that it reads.
// * All seq_cst operations have one total order. The total order of seq_cst operations agrees with
//   strongly-happens-before, and with the order of stores and reads of each word. The order of a
//   word counts even if operations that are not seq_cst come between two seq_cst operations.
//
// The model allows fewer executions than C++20: sequenced-before and reads-from form no cycle, so
// load buffering does not occur. Without load buffering, the model does not cover relaxed loads
// that a compiler or an ARM processor delays until after later stores. The model has no fences.
//
// The model adds futexes to C++20. A wake does not order the sleeping thread after the thread that
// wakes it. A wait is a single step: it makes a relaxed load, compares the value, and sleeps if the
// values are equal. The waits and wakes of a word have a total order. If an event happens before a
// wait or wake of a word, it also happens before all later waits and wakes of the word. The manual
// page of futex states the order of waits and wakes.
//
// For plain bytes, the model only checks that there are no data races.

#include <array>
#include <atomic>
#include <bitset>
#include <cstdint>
#include <vector>

namespace atl::litmus {

inline constexpr int max_threads = 4;
inline constexpr int max_events = 256;

using word = std::uint64_t;

/// For each thread, the number of its events that happen before a certain event.
using clock = std::array<int, max_threads>;

enum class act : std::uint8_t { load, store, exchange, add, bit_or, bit_and, compare, wait, wake };

/// Returns the value that a word with value `old` has after an operation.
word modified(act by, word old, word operand);

/// The operation that a thread is about to perform.
struct operation {
  act what = act::load;
  const void* at = nullptr;
  word initial = 0;   ///< value of the word before the threads begin
  word operand = 0;   ///< the value to store or add, or the number of threads to wake
  word expected = 0;  ///< the value that a compare-exchange or a wait expects
  std::memory_order order = std::memory_order_seq_cst;
  std::memory_order order_of_failure = std::memory_order_seq_cst;
};

struct event {
  int thread;  ///< The thread; -1 for the initial value.
  int index;   ///< number of the event within its thread, from 1
  int source;  ///< number of the store whose value the event reads, or -1
  bool writes;
  bool sequential;  ///< true for seq_cst operations
  word value;       ///< the stored value, or for a load the value that it read
  int place;        ///< position of a store in the order of its word
  clock before;     ///< the events that happen before this event, including itself
  clock released;   ///< the events that happen before an acquire load that reads this event
};

class execution {
 public:
  /// Deletes all events.
  void begin();

  /// Lists the choices of the next event: the stores that a load or read-modify-write may read, or
  /// the positions that a store may take. A choice is an index into the order of stores to the
  /// word, in which the initial value has the index 0. If a load chooses an index, it reads the
  /// store at the index. If a store chooses an index, it directly follows the store at the index.
  /// The only choice of a wake is 0.
  void choices(int thread, const operation& next, std::vector<int>& into);

  /// Adds the next event of the thread, with `choice` as one of its `choices`. Returns the value
  /// that the event reads. For a read-modify-write, the value is the word's previous value.
  word commit(int thread, const operation& next, int choice);

  /// Returns true if the thread's next event could not change places with the event that was added
  /// last.
  bool depends_on_last(int thread, const operation& next, int choice);

  bool is_empty() const { return last_ < 0; }

  /// Returns true if there may be no room for another event.
  bool is_full() const { return count_ + 2 > max_events; }
  const event& last() const { return events_[static_cast<std::size_t>(last_)]; }

  /// Returns the store that `e` has read, or null if `e` reads the initial value or nothing.
  const event* source_of(const event& e) const {
    if (e.source < 0) return nullptr;
    const event& source = events_[static_cast<std::size_t>(e.source)];
    return source.thread < 0 ? nullptr : &source;
  }

  bool sleeps(int thread) const { return asleep_[static_cast<std::size_t>(thread)] != nullptr; }

  /// Returns true if the last event was a wake of the thread.
  bool was_just_woken(int thread) const {
    return woken_by_[static_cast<std::size_t>(thread)] == last_;
  }

  /// Returns a hash value of the execution. Executions that differ only in the interleaving of the
  /// threads have the same hash value.
  std::uint64_t digest() const;

  /// Returns the last value stored to a word, when all threads have ended.
  word newest(const void* at, word initial);

  /// Writes or reads a range of plain bytes. The address `at` identifies the range. Returns false
  /// if the access is in a data race, or reads bytes that no thread has written. Thread -1 stands
  /// for writes before the threads begin.
  bool write_bytes(int thread, const void* at);
  bool read_bytes(int thread, const void* at);

 private:
  using sequential_set = std::bitset<max_events>;
  enum class way : std::uint8_t { loads, stores, both };

  struct location {
    const void* at;
    std::vector<int> stores;    ///< the stores to the word, in their order
    std::vector<int> accesses;  ///< the accesses of threads, in the order in which they were added
    std::uint64_t digest;  ///< a hash value that depends on the order of the stores to the word
    std::uint64_t futex_digest;
    clock woken;     ///< the events that happen before the wakes of the word
    int last_futex;  ///< number of the last wait or wake of the word, or -1
  };
  struct bytes {
    const void* at;
    int writer;
    int write_index;
    clock reads;
  };
  struct span {
    int begin, end;
  };

  static way way_of(const operation& next, word found);
  static std::memory_order order_of(const operation& next, way how);
  location& find(const operation& next);
  event& add_event(int thread);
  int rank(const event& e) const;
  std::size_t floor_of(const location& l, const clock& known) const;
  bool is_closed(const location& l, std::size_t place) const;
  static span span_of(way how, std::size_t at);
  bool fits(int thread, const location& l, span place) const;
  sequential_set before_in_order(int thread, const location& l, span place) const;
  void add_with_earlier(sequential_set& into, int number) const;
  void note_behind(int number, const clock& known_before);
  sequential_set after_in_order(const location& l, span place) const;
  void take_place(int number, const location& l, span place);
  void read(event& e, const location& l, std::memory_order order, std::size_t at);
  void write(event& e, location& l, const operation& next, std::size_t at);
  void wake(location& l, const operation& next);
  void note_futex(location& l);
  std::uint64_t name_of(int number, const location& l) const;
  bytes& find_bytes(const void* at);

  int count_ = 0;
  int last_ = -1;  ///< number of the last event that a thread has added
  std::array<event, max_events> events_;
  /// For each seq_cst operation, the seq_cst operations before it in the total order.
  std::array<sequential_set, max_events> earlier_;
  std::array<sequential_set, max_threads>
      behind_;  ///< for each thread, the seq_cst operations that its next event must follow
  /// for each thread, the events that happen before its next event
  std::array<clock, max_threads> present_;
  std::array<int, max_threads> length_;
  std::array<const void*, max_threads> asleep_;
  std::array<int, max_threads> woken_by_;  ///< for each thread, the last event that has woken it
  std::vector<location> locations_;
  std::size_t used_ = 0;  ///< number of locations in use
  std::vector<bytes> bytes_;
  std::uint64_t digest_ = 0;
};

}  // namespace atl::litmus
