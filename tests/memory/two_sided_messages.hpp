#pragma once
// Two-sided messages. The content of a message tells which PE has sent the message.

#include "support/run_on.hpp"

#include <vector>

namespace atl::test {

using word_list = std::vector<std::uint64_t>;

/// The lengths include short messages, the longest eager messages, and messages that need several
/// buffers.
inline constexpr std::size_t k_message_lengths[] = {0, 1, 2, 31, 32, 33, 300, 5000};

/// Returns the content of message `number` from the PE `from` to the PE `to`.
inline word_list message_between(int from, int to, std::uint64_t number, std::size_t length) {
  word_list values(length);
  for (std::size_t i = 0; i < length; ++i)
    values[i] = hash(number << 40 | static_cast<std::uint64_t>(from * pes() + to) << 24 | i);
  return values;
}

inline std::size_t length_of_message(std::uint64_t number) {
  return k_message_lengths[hash(number) % std::size(k_message_lengths)];
}

inline word_list numbered_message(int from, int to, std::uint64_t number) {
  return message_between(from, to, number, length_of_message(number));
}

inline int pe_behind(int steps) { return (my_pe() + steps) % pes(); }

/// Receives a message into a buffer longer than necessary; the message must equal `expected`.
inline task<> expect_message(int pe, int tag, word_list expected) {
  word_list room(5001);
  const std::size_t count = co_await two_sided::receive(pe, tag, room);
  room.resize(count);
  EXPECT_EQ(room, expected) << "from " << pe << ", tag " << tag;
}

/// Sends messages of all lengths with one tag from each PE to each PE, and then awaits all sends.
inline task<> send_in_order(std::uint64_t count) {
  std::vector<word_list> sent;
  for (int pe = 0; pe < pes(); ++pe)
    for (std::uint64_t i = 0; i < count; ++i) sent.push_back(numbered_message(my_pe(), pe, i));
  std::vector<two_sided::request> requests;
  for (std::uint64_t i = 0; i < count; ++i)
    for (int pe = 0; pe < pes(); ++pe)
      requests.push_back(
          two_sided::send_nbi(pe, 1, sent[static_cast<std::size_t>(pe) * count + i]));
  for (auto& each : requests) co_await each;
}

/// Sends each message from a task of its own. The tasks begin in the order of the messages, and
/// their messages share buffers.
inline void send_by_tasks(std::uint64_t count) {
  for (std::uint64_t i = 0; i < count; ++i) {
    for (int pe = 0; pe < pes(); ++pe) {
      spawn([=]() -> task<> {
        const word_list sent = numbered_message(my_pe(), pe, i);
        co_await two_sided::send(pe, 1, sent);
      });
    }
  }
}

inline task<> receive_in_order(int pe, std::uint64_t count) {
  for (std::uint64_t i = 0; i < count; ++i)
    co_await expect_message(pe, 1, numbered_message(pe, my_pe(), i));
}

/// Exchanges messages between all PEs. `send(count)` sends the messages, and may be a coroutine.
/// Some receives begin before their message arrives, and other receives begin after the arrival.
template <class Send>
task<> exchange_in_order(std::uint64_t count, Send send) {
  const auto all = [count, send] {
    spawn([count, send] { return send(count); });
    for (int pe = 0; pe < pes(); ++pe) spawn([pe, count] { return receive_in_order(pe, count); });
  };
  co_await finish(all);
}

inline task<> exchange_in_order(std::uint64_t count) {
  co_await exchange_in_order(count, &send_in_order);
  co_await exchange_in_order(count, &send_by_tasks);
}

}  // namespace atl::test
