// This example transfers money between accounts. Each transfer needs exclusive access to both
// accounts, and no task blocks. Events tell when a transfer has its reservations, when it is done,
// and when all transfers are done.

#include <algorithm>
#include <atoll/atoll.hpp>
#include <fmt/core.h>
#include <utility>
#include <vector>

struct account {
  std::int64_t money;
  atl::reservation door;  // protects this account, and is owned by the PE that stores it
};

using accounts = atl::global_array<account>;

constexpr std::uint64_t k_accounts = 1000;
constexpr std::int64_t k_money = 100;
constexpr int k_transfers_of_pe = 5000;

atl::task<> move_money(accounts all, std::uint64_t from, std::uint64_t to, std::int64_t sum) {
  account giver = co_await atl::read(all[from]);
  account taker = co_await atl::read(all[to]);
  giver.money -= sum;
  taker.money += sum;
  co_await atl::write(all[from], giver);
  co_await atl::write(all[to], taker);
}

/// Returns an event that triggers when the transfer is done and both accounts are free for other
/// transfers. Every transfer reserves the account with the lower number first, so that no two
/// transfers wait for each other.
atl::event transfer(accounts all, const std::vector<account>& known, std::uint64_t from,
                    std::uint64_t to, std::int64_t sum) {
  const atl::reservation first = known[std::min(from, to)].door;
  const atl::reservation second = known[std::max(from, to)].door;
  const atl::event first_held = first.acquire();
  const atl::event held = second.acquire(first_held);
  const atl::event moved = atl::spawn_when(held, [=] { return move_money(all, from, to, sum); });
  return atl::merge_events({first.release(moved, first_held), second.release(moved, held)});
}

atl::task<> transfer_at_random(accounts all) {
  std::vector<account> known(all.size());
  co_await atl::get(all, 0, known);
  atl::random_stream random(atl::hash(static_cast<std::uint64_t>(atl::my_pe())));
  std::vector<atl::event> done;
  for (int i = 0; i < k_transfers_of_pe; ++i) {
    const std::uint64_t from = random.below(k_accounts);
    const std::uint64_t to = (from + 1 + random.below(k_accounts - 1)) % k_accounts;
    done.push_back(transfer(all, known, from, to, static_cast<std::int64_t>(random.below(50))));
  }
  co_await atl::merge_events(done);
}

atl::task<> program() {
  const auto all = co_await atl::make_array<account>(k_accounts);
  const auto open = [all](std::uint64_t i) -> atl::task<> {
    co_await atl::write(all[i], account{k_money, atl::make_reservation()});
  };
  co_await atl::parallel_for(k_accounts, open);
  co_await atl::on_all_pes([all] { return transfer_at_random(all); });
  std::vector<account> last(k_accounts);
  co_await atl::get(all, 0, last);
  std::int64_t sum = 0;
  for (const account& each : last) sum += each.money;
  fmt::print("{} transfers left {} in {} accounts\n", atl::pes() * k_transfers_of_pe, sum,
             k_accounts);
}

int main(int argc, char** argv) { return atl::run(argc, argv, program); }
