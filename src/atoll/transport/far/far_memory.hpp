#pragma once
// One-sided access to memory of other nodes, over messages. The owner of the memory executes
// requests whenever it looks for messages. While the owner computes, its helper thread executes
// them. This is the only case of a second thread per PE. The helper accesses the symmetric segment,
// and lets MPI fill the memory of the PE's gets. State of this file is accessed under a lock, and
// only one thread at a time calls MPI. The helper also wakes the PE.

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
  /// `attend` is called repeatedly while a call waits for room; it may throw.
  far_memory(message_layer& layer, std::span<std::byte> segment, std::function<void()> attend);

  /// Accepts requests of other PEs from now on. Before this call nothing is looked for.
  void open() override;
  void expose(std::span<std::byte> more) override { exposed_ = more; }
  void when_opened(std::function<void()> call) { opened_ = std::move(call); }

  /// Lets `group` find the messages that arrive. Call this once the object is open. The `look` of
  /// the group must then go through this object, because the helper looks as well.
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

  /// Result of `progress`.
  struct news {
    bool ended = false;  ///< an operation of this PE has ended
    bool asked = false;  ///< other PEs have sent requests
  };

  /// Makes progress; called by the PE. Executes requests of others, counts out complete operations,
  /// asks for further parts of gets, and sends what waits.
  news progress();

  /// Result of `serve_beside`.
  struct beside {
    bool asked = false;       ///< other PEs sent short requests, for which they may wait
    std::uint64_t parts = 0;  ///< parts of large data that were sent or have arrived

    bool any() const { return asked || parts != 0; }
  };

  /// Makes progress; called by the helper. Unlike `progress`, takes no answers and counts nothing
  /// out. Does nothing while the PE holds the lock.
  beside serve_beside();

  /// Waits until everything sent has left. Call this when all operations are complete on all ranks.
  void drain();

  /// Number of messages sent and received so far. Any thread of the process may call `counted`.
  struct traffic {
    std::uint64_t sent;
    std::uint64_t received;
    bool has_come;  ///< the PE has not counted out all that has come
  };
  traffic counted();

 private:
  /// Consecutive puts, and updates that return nothing, with the same counter.
  struct open_puts {
    open_operations* counted;
    std::uint64_t operations;
  };
  struct asked_flush {
    std::uint64_t operations;  // operations begun before the flush
    std::uint64_t messages;    // messages sent since the previous flush
  };
  struct wanted_part {
    std::uint64_t offset;
    std::span<std::byte> into;
    open_operations* counted;
  };
  struct data_under_way {
    message_request request;
    open_operations* counted;  // of a get
  };
  struct peer {
    std::deque<open_puts> puts;    // not known to be complete
    std::uint64_t put_number = 0;  // operations begun
    std::uint64_t complete_number = 0;
    std::uint64_t flushed_number = 0;  // `put_number` at the last flush
    std::deque<asked_flush> flushes;   // flushes without an answer
    /// Messages not followed by an answered flush. The PE reads this without the lock as well.
    std::atomic<std::uint64_t> unanswered{0};
    std::uint64_t since_flush = 0;         // those of them sent since the last flush
    std::uint64_t awaited_bytes = 0;       // bytes of answers
    std::deque<wanted_part> wanted;        // parts of gets, not requested yet
    std::deque<data_under_way> receiving;  // parts of gets, requested
    std::size_t parts_at_a_time = 0;       // maximum size of `receiving`
    bool has_data_under_way = false;       // since the last fence; `unfenced_` lists this peer then
    bool is_unflushed = false;             // `unflushed_` lists this peer
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
  std::vector<int> flushed_by_;  // PEs whose answers to flushes were not processed yet
  std::map<std::uint64_t, awaited_answer> awaited_;
  std::uint64_t numbers_ = 0;
  std::deque<message_request> sending_;
  std::vector<int> receiving_from_;          // ranks from which data is in flight
  std::vector<open_operations*> uncounted_;  // counters of parts that have come
  std::uint64_t answers_received_ = 0;
  std::uint64_t data_received_ = 0;
  std::uint64_t data_sent_ = 0;
  std::uint64_t open_operations_ = 0;
  bool any_ended_ = false;
};

// The memory helper is the thread beside a PE that executes one-sided access while the PE computes,
// and asks for further parts of its gets. The helper does nothing while the PE looks for messages
// itself. It looks seldom while no requests come, and often after a short one.

class memory_helper {
 public:
  /// Functions that the helper calls; all must outlive it.
  struct hooks {
    std::function<bool()> has_ended;  ///< the job has ended: memory of the PE's gets may be gone
    std::function<void()> served;     ///< a short request was executed, or large data has moved
    std::function<void()> failed;     ///< there is no memory to continue
  };
  memory_helper(far_memory& memory, hooks calls);
  ~memory_helper();
  memory_helper(const memory_helper&) = delete;
  memory_helper& operator=(const memory_helper&) = delete;

  /// Notes that the PE looks for messages itself. Called by the PE.
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
