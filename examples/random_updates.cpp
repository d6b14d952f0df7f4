#include <atoll/atoll.hpp>

#include <fmt/core.h>

atl::task<> program() {  // runs on PE 0
  auto table = co_await atl::make_array<std::uint64_t>(1 << 22);
  // The iterations run on all PEs; the loop ends when all updates have landed.
  co_await atl::parallel_for(1 << 24, [=](std::uint64_t i) {
    auto r = atl::hash(i);
    atl::async_update(table[r % table.size()], [r](std::uint64_t& word) { word ^= r; });
  });
  auto first = co_await atl::read(table[0]);  // the task waits, the PE does not
  fmt::print("the first of {} words is {:016x}\n", table.size(), first);
}

int main(int argc, char** argv) { return atl::run(argc, argv, program); }
