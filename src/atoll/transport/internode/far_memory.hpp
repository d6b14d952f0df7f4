#pragma once
// One-sided access to memory of other nodes by messages. The owner of the memory executes arrived
// requests whenever it polls for messages. While the owner computes, a helper thread of the owner
// executes the requests. One-sided access between nodes is the only reason for a second thread per
// PE. The helper thread accesses the symmetric segment of its PE, and lets MPI store the data that
// the PE's gets have requested. After executing requests, the helper wakes its PE. A lock protects
// the objects of this file, so that only one thread at a time calls MPI. A flush is a request that
// the owner answers when it has executed all earlier requests.

#include "atoll/transport/internode/memory_server.hpp"
#include "atoll/transport/one_sided.hpp"

#include <atomic>
#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <thread>

namespace atl::transport::internode {

class far_memory final : public remote_memory {
 public:
  /// The memory `segment` is the symmetric segment of this PE. While a function of this object
  /// waits for room for a request, it repeatedly calls `attend`. The function `attend` may throw.
  far_memory(message_layer& layer, std::span<std::byte> segment, std::function<void()> attend);

  /// Lets this PE execute requests of other PEs from now on. Requests that arrived before this call
  /// have waited in the message layer.
  void open() override;
  void expose(std::span<std::byte> more) override { exposed_ = more; }
  void when_opened(std::function<void()> call) { opened_ = std::move(call); }

  /// Adds the receives of this object to `group`. The caller must call `open` before `join`. After
  /// `join`, the caller must poll the group by the function `look` of this object. The function
  /// `look` takes the lock, because the helper polls, too.
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

  /// The result of the function `progress`.
  struct news {
    bool ended = false;  ///< true if an operation of this PE has become complete
    bool asked = false;  ///< true if requests of other PEs have arrived
  };

  /// Executes requests of other PEs and sends collected requests. Also processes answers: decreases
  /// the counters of complete operations, and requests further parts of gets. Only the PE itself
  /// calls this function, not its helper.
  news progress();

  /// The result of the function `serve_beside`.
  struct beside {
    /// True if requests without large data have arrived, so that other PEs may be waiting.
    bool asked = false;
    std::uint64_t parts = 0;  ///< number of parts of large data that were sent or received

    bool any() const { return asked || parts != 0; }
  };

  /// Executes requests of other PEs and sends collected requests. Only `progress` processes answers
  /// and decreases counters. Only the helper calls this function. If the PE holds the lock, the
  /// function does nothing.
  beside serve_beside();

  /// Waits until all sends are complete. The caller must call this function only after all
  /// operations of all ranks are complete.
  void drain();

  /// Numbers of messages for one-sided access that this PE has sent and received so far.
  struct traffic {
    std::uint64_t sent;
    std::uint64_t received;
    bool has_come;  ///< true if parts of gets have arrived that the PE has not processed yet
  };
  traffic counted();

 private:
  /// Consecutive operations that have the same counter of open operations. The operations are puts,
  /// and atomic operations that return no value.
  struct open_puts {
    open_operations* counted;
    std::uint64_t operations;
  };
  struct asked_flush {
    std::uint64_t operations;  // number of operations that had begun when the flush was sent
    std::uint64_t messages;    // number of messages that were sent since the previous flush
  };
  struct wanted_part {
    std::uint64_t offset;
    std::span<std::byte> into;
    open_operations* counted;
  };
  struct data_under_way {
    message_request request;
    // The counter of open operations that the caller of the get passed. The counter decreases after
    // the data have arrived.
    open_operations* counted;
  };
  struct peer {
    std::deque<open_puts> puts;    // operations that may be incomplete, the oldest first
    std::uint64_t put_number = 0;  // number of operations that have begun so far
    std::uint64_t complete_number = 0;
    // Value of `put_number` at the last flush.
    std::uint64_t flushed_number = 0;
    // Flushes that the peer has not answered yet, the oldest first.
    std::deque<asked_flush> flushes;
    /// Number of messages to this peer that were sent after the last answered flush. The number is
    /// atomic, because the PE also reads it without the lock.
    std::atomic<std::uint64_t> unanswered{0};
    // Number of messages sent since the last flush.
    std::uint64_t since_flush = 0;
    // Total size in bytes of the requested answers that have not arrived.
    std::uint64_t awaited_bytes = 0;
    // Parts of gets that were not requested yet.
    std::deque<wanted_part> wanted;
    // Parts of gets that were requested and have not arrived.
    std::deque<data_under_way> receiving;
    // Maximum number of entries in `receiving`.
    std::size_t parts_at_a_time = 0;
    // True if large data was sent to the peer since the last fence, so that `unfenced_` contains
    // the peer.
    bool has_data_under_way = false;
    // True if operations began since the last flush, so that `unflushed_` contains the peer.
    bool is_unflushed = false;
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
  std::vector<peer> peers_;  // state of each rank
  std::vector<int> unfenced_;
  std::vector<int> unflushed_;
  // PEs that have answered a flush. A PE is listed once per answer that was not processed yet.
  std::vector<int> flushed_by_;
  std::map<std::uint64_t, awaited_answer> awaited_;
  std::uint64_t numbers_ = 0;
  std::deque<message_request> sending_;
  // Ranks from which parts of gets are in flight.
  std::vector<int> receiving_from_;
  // Counters that the PE must decrease, because parts of gets have arrived.
  std::vector<open_operations*> uncounted_;
  std::uint64_t answers_received_ = 0;
  std::uint64_t data_received_ = 0;
  std::uint64_t data_sent_ = 0;
  std::uint64_t open_operations_ = 0;
  bool any_ended_ = false;
};

// The memory helper is a second thread of a PE. While the PE computes, the helper executes
// one-sided requests of other PEs, and requests further parts of the PE's gets. While the PE itself
// polls for messages, the helper does nothing. Between its polls, the helper sleeps for a short
// time, a nap. If no requests arrive, naps become longer. After a request without large data, naps
// are short again.

class memory_helper {
 public:
  /// Functions that the helper calls. Objects that the functions use must outlive the helper.
  struct hooks {
    /// Returns true if the job has ended. After the end of the job, the helper does nothing,
    /// because the targets of the PE's gets may be freed.
    std::function<bool()> has_ended;
    /// The helper calls `served` after it has executed a request, or after large data was sent or
    /// received.
    std::function<void()> served;
    /// The helper calls `failed` if memory is exhausted, and then ends.
    std::function<void()> failed;
  };
  memory_helper(far_memory& memory, hooks calls);
  ~memory_helper();
  memory_helper(const memory_helper&) = delete;
  memory_helper& operator=(const memory_helper&) = delete;

  /// Records that the PE itself polls for messages, so that the helper does nothing. Only the PE
  /// calls this function.
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

}  // namespace atl::transport::internode
