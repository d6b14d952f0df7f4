#pragma once
// The connection between a client, such as the Python package, and PE 0. Both sides send messages:
// a JSON object, with files in memory that hold arrays.
//
// A message begins with two numbers of 32 bits, least significant byte first: the length of the
// JSON text in bytes, and the number of files. The JSON text follows the two numbers at the
// beginning of a message. How files travel depends on the channel (channel.hpp).

#include "atoll/deferred.hpp"
#include "atoll/task.hpp"
#include "python/server/channel.hpp"

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace atl::serve {

struct message {
  nlohmann::json body;
  std::vector<descriptor> files;
  std::exception_ptr refusal;  ///< why the files were not taken; null if they were
};

/// Messages over a channel. One thread may receive while another thread sends.
class connection {
 public:
  static constexpr std::uint32_t most_bytes = 1 << 20;  ///< largest length of a JSON text
  static constexpr std::uint32_t most_files = k_most_files;
  static constexpr std::size_t most_waiting = 256;  ///< largest number of unanswered messages

  explicit connection(std::unique_ptr<channel> over) : channel_(std::move(over)) {}

  /// Returns whether the client may be on another machine.
  bool is_remote() const { return channel_->is_remote(); }

  /// Receives a message. Blocks the thread. Returns nothing if the client has closed the
  /// connection, or was killed. Throws atl::error (input) if the JSON text is longer than
  /// `most_bytes` or not an object, or if the files are too many or not as many as announced.
  /// Throws atl::error (environment) if the socket cannot be read.
  std::optional<message> receive();

  /// Sends a message. Blocks the thread while the socket is full. If the client has closed the
  /// connection, nothing is sent and nothing is thrown; `receive` reports the end.
  void send(const nlohmann::json& body, const std::vector<descriptor>& files = {});

  /// Sends a message that may get lost. Does nothing if the client has not yet read most of what
  /// was sent. Does not block.
  void send_if_read(const nlohmann::json& body);

  /// Ends a call of `receive` in another thread, as if the client had closed the connection.
  void stop_receiving() { channel_->stop_receiving(); }

 private:
  std::unique_ptr<channel> channel_;
};

/// Triggers the event by which a task waits for a thread. Does nothing if the job has ended.
void wake(const outside_user_event& awaited);

/// Receives messages in a thread of its own, so that the PE never blocks. If a client on this
/// machine closes the connection during a call, the process gets SIGTERM, which ends the job. A
/// remote client may leave during a call: the call goes on, and nobody gets its answer.
class receiver {
 public:
  /// Starts the thread. The object must be made on PE 0, by the task that calls `next`.
  explicit receiver(std::shared_ptr<connection> from);
  ~receiver();
  receiver(const receiver&) = delete;
  receiver& operator=(const receiver&) = delete;

  /// Waits for the next message, in the order of arrival. Returns nothing if the client has closed
  /// the connection, even if earlier messages wait. Suspends the task. A job that waits here does
  /// not count as hanging. Throws the errors of `connection::receive`, and atl::error (input) if
  /// more than `most_waiting` messages wait.
  task<std::optional<message>> next();

  /// Tells the receiving thread that the call that `next` returned last has ended. If a client
  /// closes the connection between calls, the process does not get SIGTERM.
  void end_call();

 private:
  /// The data that the receiving thread shares with the task that calls `next`. If the job ends
  /// early, the destructor of the receiver does not run, and the receiving thread may still run.
  /// The receiving thread shares the ownership of these data, because it may run longer than the
  /// receiver lives.
  struct mail;

  static void run(const std::shared_ptr<mail>& into);

  std::shared_ptr<mail> mail_;
  std::thread thread_;
};

}  // namespace atl::serve
