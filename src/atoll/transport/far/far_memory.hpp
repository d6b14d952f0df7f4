#pragma once
// One-sided access to memory of other nodes, over messages. What is asked for is executed by the PE
// whose memory it is when that looks for messages, and by a thread beside it, the helper, while it
// computes: the one exception to one thread a PE. The helper touches the symmetric segment, lets
// MPI fill the memory that the PE gets into, and, under a lock, touches what is here; it calls MPI,
// one thread at a time, and wakes the PE.

#include "atoll/transport/far/memory_server.hpp"
#include "atoll/transport/one_sided.hpp"

#include <atomic>
#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <thread>

namespace atl::transport::far {

class far_memory final : public remote_memory {
 public:
  /// `attend` is called again and again while a call waits for room; it may throw.
  far_memory(message_layer& layer, std::span<std::byte> segment, std::function<void()> attend);

  /// From now on others may ask. Before, nothing is looked for.
  void open() override;
  void expose(std::span<std::byte> more) override { exposed_ = more; }
  void when_opened(std::function<void()> call) { opened_ = std::move(call); }

  /// When it is open: what arrives is found by the group from now on, whose `look` goes through
  /// here then, for the helper looks as well.
  void join(receive_group& group);
  void look(receive_group& group);

  void put(const remote_place& to, std::span<const std::byte> from, bool lasts,
           open_operations& counted, const signal_update* signal) override;
  void get(const remote_place& from, std::span<std::byte> into, open_operations& counted) override;
  void update(const remote_place& at, const atomic_operation& what, std::uint64_t* before,
              open_operations& counted) override;
  void fence() override;
  void send() override;
  void flush() override;
  bool is_idle() override;

  /// What came of a look.
  struct news {
    bool ended = false;  ///< an operation of this PE
    bool asked = false;  ///< others asked for something
  };

  /// By the PE: executes what others ask for, counts out what is complete, asks for further parts
  /// of what it gets, sends what waits.
  news progress();

  /// What came of a look of the helper.
  struct beside {
    bool asked = false;       ///< others asked for something short, and may wait for it
    std::uint64_t parts = 0;  ///< of large data that were sent or have come

    bool any() const { return asked || parts != 0; }
  };

  /// By the helper: the same, but takes no answers and counts nothing out. Nothing happens where
  /// the PE is at it.
  beside serve_beside();

  /// When all that was begun is complete on all ranks: waits until what was sent has gone.
  void drain();

  /// Messages sent and received so far. Any thread of the process.
  struct traffic {
    std::uint64_t sent;
    std::uint64_t received;
    bool has_come;  ///< something that the PE has not counted out
  };
  traffic counted();

 private:
  /// Puts, and updates that return nothing, which count in the same place, one behind another.
  struct open_puts {
    open_operations* counted;
    std::uint64_t operations;
  };
  struct asked_flush {
    std::uint64_t operations;  // begun before it
    std::uint64_t messages;    // that have gone since the flush before
  };
  struct wanted_part {
    std::uint64_t offset;
    std::span<std::byte> into;
    open_operations* counted;
  };
  struct data_under_way {
    message_request request;
    open_operations* counted;  // a get
  };
  struct peer {
    std::deque<open_puts> puts;    // not known to be complete
    std::uint64_t put_number = 0;  // operations begun
    std::uint64_t complete_number = 0;
    std::uint64_t flushed_number = 0;  // of the last flush that was asked for
    std::deque<asked_flush> flushes;   // not answered
    /// Messages that no answered flush stands behind. Read by the PE without the lock as well.
    std::atomic<std::uint64_t> unanswered{0};
    std::uint64_t since_flush = 0;         // of those, behind the last flush
    std::uint64_t awaited_bytes = 0;       // of answers
    std::deque<wanted_part> wanted;        // of what is got, not asked for
    std::deque<data_under_way> receiving;  // asked for
    std::size_t parts_at_a_time = 0;       // of those, at most
    bool has_data_under_way = false;       // since the last fence; `unfenced_` has it then
    bool is_unflushed = false;             // `unflushed_` has it
  };
  struct awaited_answer {
    std::span<std::byte> into;
    open_operations* counted;
  };

  peer& of(int rank) { return peers_[static_cast<std::size_t>(rank)]; }
  void wait_for_room(int to);
  void count_put(int to, open_operations& counted);
  template <class Record>
  void append(int to, const Record& record, std::span<const std::byte> payload = {});
  void message_has_gone(int to);
  void ask_for_completion(int to, flush_is why);
  void append_put(const remote_place& to, std::span<const std::byte> from);
  void put_in_parts(const remote_place& to, std::span<const std::byte> from);
  void put_data(const remote_place& to, std::span<const std::byte> from);
  void put_parts(const remote_place& to, std::span<const std::byte> from);
  void append_fence(int to);
  void append_update(const remote_place& at, const atomic_operation& what, bool wants_value,
                     std::uint64_t number);
  std::uint64_t await_answer(int from, std::span<std::byte> into, open_operations& counted);
  void ask_for_parts(int from);
  void take_answers();
  void take_answer(int from, const answer& head, const std::byte* data);
  void complete_flushed();
  void complete_puts(peer& of_peer);
  void flush_all();
  void take_data();
  void count_data();
  void send_waiting();

  message_layer& layer_;
  const std::span<std::byte> segment_;
  std::span<std::byte> exposed_;
  const std::function<void()> attend_;
  std::function<void()> opened_;
  std::mutex mutex_;
  std::optional<memory_server> server_;
  std::optional<receive_ring> answers_;
  record_box requests_;
  std::vector<peer> peers_;  // by rank
  std::vector<int> unfenced_;
  std::vector<int> unflushed_;
  std::vector<int> flushed_by_;  // whose answers are not taken note of
  std::map<std::uint64_t, awaited_answer> awaited_;
  std::uint64_t numbers_ = 0;
  std::deque<message_request> sending_;
  std::vector<int> receiving_from_;          // ranks whose data is under way
  std::vector<open_operations*> uncounted_;  // of parts that have come
  std::uint64_t answers_received_ = 0;
  std::uint64_t data_received_ = 0;
  std::uint64_t data_sent_ = 0;
  std::uint64_t open_operations_ = 0;
  bool any_ended_ = false;
};

// The thread beside a PE that executes one-sided access to its memory while it computes, and asks
// for further parts of what it gets. It does nothing while the PE looks itself, looks seldom while
// nobody asks, and often once somebody has asked for something short.

class memory_helper {
 public:
  /// What the helper calls; all must outlive it.
  struct hooks {
    std::function<bool()> has_ended;  ///< the job: what its PE gets into may be gone then
    std::function<void()> served;     ///< something short was executed, or large data has moved
    std::function<void()> failed;     ///< there is no memory to go on
  };
  memory_helper(far_memory& memory, hooks calls);
  ~memory_helper();
  memory_helper(const memory_helper&) = delete;
  memory_helper& operator=(const memory_helper&) = delete;

  /// The PE looks by itself. By the PE.
  void pe_looks() noexcept {
    looks_.store(looks_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  }

 private:
  void run();
  void serve();
  void nap(std::chrono::nanoseconds time);

  far_memory& memory_;
  const hooks calls_;
  std::atomic<std::uint64_t> looks_{0};
  std::mutex mutex_;
  std::condition_variable stops_;
  std::atomic<bool> stopping_{false};
  std::thread thread_;
};

}  // namespace atl::transport::far
