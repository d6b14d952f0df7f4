#pragma once
// An execution of a few threads on atomic words, as the axioms of C++20 see it. An execution has
// events, the store that each load reads, and the order of stores to each word. Each step adds one
// event. The class says which values the memory orders let the next event of a thread read, and
// where in the order of its word it may store. Time plays no part, as in GenMC and RC11.
//
// The allowed executions are those of C++20 ([intro.races], [atomics.order]):
//
// * Happens-before consists of sequenced-before and of acquire loads that read release sequences.
// * A load reads no store that happens before another store that the load's thread knows of.
// * A store may enter the order of its word before stores that its thread does not know of.
// * A read-modify-write reads the store just before its own.
// * One order of all seq_cst operations agrees with strongly-happens-before, and with the order of
//   reads and stores of each word (the operations in between may be of any order).
//
// The model allows less than C++20: sequenced-before and reads-from form no cycle, so there is no
// load buffering. Relaxed loads that a compiler or an ARM processor moves behind later stores are
// therefore not covered. There are no fences.
//
// The model adds futexes to C++20. A sleeper is not ordered behind the thread that wakes it. A wait
// is one step: it loads any value that it may (relaxed), compares, and sleeps. Waits and wakes of a
// word have one order. Each comes behind what happens before the earlier ones, as the manual page
// of futex says.
//
// Plain bytes are only watched for data races.

#include <array>
#include <atomic>
#include <bitset>
#include <cstdint>
#include <vector>

namespace atl::litmus {

inline constexpr int max_threads = 4;
inline constexpr int max_events = 256;

using word = std::uint64_t;

/// clocks[thread] is how many events of a thread happen before.
using clock = std::array<int, max_threads>;

enum class act : std::uint8_t { load, store, exchange, add, bit_or, bit_and, compare, wait, wake };

/// Returns the value of a word after an operation.
word modified(act by, word old, word operand);

/// The next operation of a thread.
struct operation {
  act what = act::load;
  const void* at = nullptr;
  word initial = 0;   ///< of the word, before the threads began
  word operand = 0;   ///< to store, add, ...; of a wake: how many
  word expected = 0;  ///< of a compare-exchange, and of a wait
  std::memory_order order = std::memory_order_seq_cst;
  std::memory_order order_of_failure = std::memory_order_seq_cst;
};

struct event {
  int thread;  ///< -1: the value from before the threads began
  int index;   ///< in its thread, from 1
  int source;  ///< the event whose value it reads, or -1
  bool writes;
  bool sequential;  ///< seq_cst
  word value;       ///< stored, else read
  int place;        ///< of a store: in the order of its word
  clock before;     ///< itself included
  clock released;   ///< what happens before an acquire load that reads it
};

class execution {
 public:
  /// Forgets all.
  void begin();

  /// Lists the stores that a load, an exchange, ... of the thread may read, or the places that a
  /// store may take. Their numbers are those in the order of the word.
  void choices(int thread, const operation& next, std::vector<int>& into);

  /// Adds the event. Returns the value that it read, which the word had before.
  word commit(int thread, const operation& next, int choice);

  /// Returns whether the thread's next event could not have come before the last event that was
  /// added.
  bool depends_on_last(int thread, const operation& next, int choice);

  bool is_empty() const { return last_ < 0; }

  /// Returns whether there may be no room for another event.
  bool is_full() const { return count_ + 2 > max_events; }
  const event& last() const { return events_[static_cast<std::size_t>(last_)]; }

  /// Returns the store that `e` has read. Null: the value is from before the threads began, or `e`
  /// reads nothing.
  const event* source_of(const event& e) const {
    if (e.source < 0) return nullptr;
    const event& source = events_[static_cast<std::size_t>(e.source)];
    return source.thread < 0 ? nullptr : &source;
  }

  bool sleeps(int thread) const { return asleep_[static_cast<std::size_t>(thread)] != nullptr; }

  /// Returns whether the last event has woken the thread.
  bool was_just_woken(int thread) const {
    return woken_by_[static_cast<std::size_t>(thread)] == last_;
  }

  /// Returns a digest that is equal for the same events, sources and orders, however the threads
  /// took turns.
  std::uint64_t digest() const;

  /// Returns the last store to a word, when all threads have ended.
  word newest(const void* at, word initial);

  /// Writes or reads plain bytes as a whole. Returns false for a data race, or for bytes that
  /// nobody has written. Thread -1 writes before the threads begin.
  bool write_bytes(int thread, const void* at);
  bool read_bytes(int thread, const void* at);

 private:
  using sequential_set = std::bitset<max_events>;
  enum class way : std::uint8_t { loads, stores, both };

  struct location {
    const void* at;
    std::vector<int> stores;    ///< in the order of the word
    std::vector<int> accesses;  ///< of threads, as they were added
    std::uint64_t digest;       ///< digest of the order of its stores
    std::uint64_t futex_digest;
    clock woken;     ///< what happens before its wakes
    int last_futex;  ///< the last wait or wake, or -1
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
  int last_ = -1;  ///< event of a thread
  std::array<event, max_events> events_;
  std::array<sequential_set, max_events> earlier_;  ///< in the order of seq_cst operations
  std::array<sequential_set, max_threads>
      behind_;                              ///< events that the next event of a thread comes behind
  std::array<clock, max_threads> present_;  ///< of each thread
  std::array<int, max_threads> length_;
  std::array<const void*, max_threads> asleep_;
  std::array<int, max_threads> woken_by_;  ///< the last event that has woken each thread
  std::vector<location> locations_;
  std::size_t used_ = 0;  ///< of the locations
  std::vector<bytes> bytes_;
  std::uint64_t digest_ = 0;
};

}  // namespace atl::litmus
