#pragma once
// Messages of two-sided communication whose content tells which PE has sent them.

#include "support/run_on.hpp"

#include <vector>

namespace atl::test {

using word_list = std::vector<std::uint64_t>;

/// The lengths are of short messages, of the longest eager ones, and of some that need several
/// buffers.
inline constexpr std::size_t k_message_lengths[] = {0, 1, 2, 31, 32, 33, 300, 5000};

/// Returns the content of the `number`th message from one PE to another.
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

/// Receives a message that must equal `expected`, into a longer buffer.
inline task<> expect_message(int pe, int tag, word_list expected) {
  word_list room(5001);
  const std::size_t count = co_await two_sided::receive(pe, tag, room);
  room.resize(count);
  EXPECT_EQ(room, expected) << "from " << pe << ", tag " << tag;
}

/// Sends messages of all lengths from each PE to each PE, all with one tag, and then awaits them.
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

/// Sends the messages by a task each. The tasks begin in this order and share buffers.
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

/// Exchanges messages; `send(count)`, coroutine or not, sends to all PEs. Some of the receives
/// begin before their message arrives, and some after.
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
