#include "bench/one_sided_messages.hpp"

#include "atoll/collectives.hpp"
#include "bench/one_sided_batches.hpp"
#include "bench/one_sided_contents.hpp"

#include <cstring>

namespace atl::bench::one_sided {
namespace {

constexpr std::size_t k_beside_piece = 256;  // of a buffer: closure and headers

/// Where what another PE sends arrives, piece by piece.
struct mailbox {
  std::vector<std::byte> data;
  std::size_t arrived = 0;
  semaphore whole;  ///< a permit for each message of which all pieces are here
  bool is_last = false;

  void take(std::uint64_t at, std::span<const std::byte> piece) {
    std::memcpy(data.data() + at, piece.data(), piece.size());
    arrived += piece.size();
    if (arrived < data.size()) return;
    arrived = 0;
    whole.release();
  }
};

using mailboxes = per_pe<mailbox>;

/// Straight to the other PE and at once, as what two sides wait for goes in MPI: the runtime would
/// else route it over others, and hand it over when this PE has nothing else to do.
void send(const mailboxes& boxes, int to, std::span<const std::byte> data) {
  const std::size_t most = job_settings().buffer_size - k_beside_piece;
  for (std::size_t at = 0; at < data.size(); at += most) {
    const auto piece = data.subspan(at, std::min(most, data.size() - at));
    const auto arrive = [boxes, at](std::span<const std::byte> bytes) {
      boxes.local().take(at, bytes);
    };
    this_pe().messages->at_once(to, [&] { async_call(to, arrive, piece); });
  }
}

task<> ping_pong(mailboxes boxes, std::span<const std::byte> data, std::uint64_t rounds) {
  for (std::uint64_t i = 0; i < rounds; ++i) {
    send(boxes, pes() - 1, data);
    co_await boxes->whole.acquire();
  }
}

task<outcome> measure_first(load chosen, mailboxes boxes) {
  outcome found;
  const auto data = contents(0, chosen.bytes);
  const auto batch = [&](std::uint64_t rounds) { return ping_pong(boxes, data, rounds); };
  found.nanoseconds = co_await median_of_rounds(chosen.seconds, batch) / 2;
  found.wrong = differing(boxes->data, data);
  boxes.async_update(pes() - 1, [](mailbox& mine) {
    mine.is_last = true;
    mine.whole.release();
  });
  co_return found;
}

/// Sends back what has come.
task<> answer(mailboxes boxes) {
  for (co_await boxes->whole.acquire(); !boxes->is_last; co_await boxes->whole.acquire())
    send(boxes, 0, boxes->data);
}

task<outcome> measure_on_pe(load chosen, mailboxes boxes) {
  outcome found;
  boxes->data.resize(chosen.bytes);
  co_await all_barrier();
  if (my_pe() == 0) found = co_await measure_first(chosen, boxes);
  if (my_pe() == pes() - 1) co_await answer(boxes);
  co_await all_barrier();
  co_return found;
}

}  // namespace

task<outcome> measure_messages(load chosen) {
  const mailboxes boxes = co_await mailboxes::make();
  const auto on_each = [chosen, boxes] { return measure_on_pe(chosen, boxes); };
  const outcome found = co_await from_all_pes(on_each);
  co_await boxes.destroy();
  co_return found;
}

}  // namespace atl::bench::one_sided
