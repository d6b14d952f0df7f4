// Tests that an exchange by two-sided messages delivers every list completely and in order.

#include "kernels/mst_lists.hpp"
#include "reproduction/mst/two_sided.hpp"

namespace {

using namespace mst_lists;

class mst_two_sided : public test::on_pes {};

TEST_P(mst_two_sided, lets_a_pe_work_before_it_applies_what_came) {
  run_spmd([]() -> task<> {
    for (const int chunks : {1, 8}) {
      reproduction::two_sided_exchange others(chunks);
      co_await send_all_ways(others);
    }
  });
}

ATOLL_RUN_ON(mst_two_sided, 1, 2, 3, 11);

}  // namespace
