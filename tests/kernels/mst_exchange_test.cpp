// Tests that an exchange by one-sided access delivers every list completely and in order.

#include "atoll/kernels/mst/one_sided.hpp"
#include "kernels/mst_lists.hpp"

namespace {

using namespace mst_lists;

// Buffer size in bytes; longer lists need several transfers.
constexpr std::uint64_t k_exchange_buffer = 4096;

class mst_exchange : public test::on_pes {};

TEST_P(mst_exchange, one_sided_lets_a_pe_work_while_lists_are_on_their_way) {
  run([]() -> task<> {
    for (const int chunks : {1, 8}) {
      const auto memory = co_await mst::one_sided_memory::make(k_exchange_buffer);
      co_await together([memory, chunks]() -> task<> {
        mst::one_sided_exchange others(memory, chunks);
        co_await send_all_ways(others);
        co_await mst::one_sided_exchange::barrier();
      });
      co_await memory.destroy();
    }
  });
}

ATOLL_RUN_ON(mst_exchange, 1, 2, 3, 11);

}  // namespace
