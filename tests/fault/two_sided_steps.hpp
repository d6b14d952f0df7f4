#pragma once
// Each step of fault_dependents uses two-sided communication. Short and long messages are sent
// around a ring of PEs. Each PE waits for data from other PEs, and waits until other PEs have
// received its data.

#include "atoll/atoll.hpp"

namespace dependents {

using namespace atl;

inline std::vector<std::uint64_t> message_of_step(int pe, std::uint64_t step,
                                                  std::uint64_t number) {
  constexpr std::size_t k_lengths[] = {1, 10'000, 0, 1024, 1025};
  return std::vector<std::uint64_t>(k_lengths[number % std::size(k_lengths)],
                                    100 * step + number +
                                        static_cast<std::uint64_t>(pe) * 1'000'000);
}

inline task<> send_around(int neighbour, std::uint64_t step) {
  std::vector<std::vector<std::uint64_t>> sent;
  for (std::uint64_t i = 0; i < 10; ++i) sent.push_back(message_of_step(my_pe(), step, i));
  std::vector<two_sided::request> requests;
  for (const auto& each : sent) requests.push_back(two_sided::send_nbi(neighbour, 17, each));
  for (auto& each : requests) co_await each;
}

inline task<> use_messages(int neighbour, std::uint64_t step) {
  const auto send = [=] { spawn([=] { return send_around(neighbour, step); }); };
  const auto receive = [=]() -> task<> {
    send();
    const int before = (my_pe() + pes() - 1) % pes();
    for (std::uint64_t i = 0; i < 10; ++i) {
      std::vector<std::uint64_t> room(10'000);
      const std::size_t count = co_await two_sided::receive(before, 17, room);
      room.resize(count);
      if (room != message_of_step(before, step, i))
        fail(errc::internal, "another message was received than was sent");
    }
  };
  co_await finish(receive);
}

}  // namespace dependents
