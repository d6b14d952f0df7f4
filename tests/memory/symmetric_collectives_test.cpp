// Collectives on symmetric memory must have the same result as a loop over all contributions. The
// library chooses the method by the size of the data. Each collective is therefore called with
// sizes slightly below and slightly above each limit.

#include "atoll/collectives.hpp"
#include "support/refusal.hpp"
#include "support/run_on.hpp"

#include <array>
#include <gmock/gmock.h>

using namespace atl;
namespace os = atl::one_sided;

namespace {

class symmetric_collectives : public test::on_pes {};

using numbers = symmetric_array<std::int64_t>;

/// Returns the contribution of PE `pe` to a round.
std::int64_t contributed(int pe, std::uint64_t i, std::int64_t round) {
  return static_cast<std::int64_t>(
      hash(static_cast<std::uint64_t>(1000 * round + pe) * 1'000'003 + i) % 1'000'000);
}

void contribute(numbers source, std::uint64_t count, std::int64_t round) {
  for (std::uint64_t i = 0; i < count; ++i) source.local()[i] = contributed(my_pe(), i, round);
}

std::int64_t sum_of_all(std::uint64_t i, std::int64_t round) {
  std::int64_t all = 0;
  for (int pe = 0; pe < pes(); ++pe) all += contributed(pe, i, round);
  return all;
}

template <class Expected>
std::uint64_t wrong_of(numbers target, std::uint64_t count, Expected expected) {
  std::uint64_t wrong = 0;
  for (std::uint64_t i = 0; i < count; ++i) wrong += target.local()[i] != expected(i);
  return wrong;
}

const std::vector<std::uint64_t> k_counts = {0, 1, 2, 7, 511, 512, 513, 3000, 8192, 8193, 20'000};

task<> reduce_at_sizes(numbers target, numbers source) {
  std::int64_t round = 0;
  for (const std::uint64_t count : k_counts) {
    for (int again = 0; again < 3; ++again) {
      contribute(source, count, ++round);
      const bool in_place = again == 1;
      const auto into = in_place ? source : target;
      co_await os::all_reduce({into, 0, count}, {source, 0, count}, sum<std::int64_t>());
      EXPECT_EQ(wrong_of(into, count, [&](auto i) { return sum_of_all(i, round); }), 0u) << count;
    }
  }
}

TEST_P(symmetric_collectives, reduce_to_all) {
  run([]() -> task<> {
    const auto target = co_await make_symmetric_array<std::int64_t>(20'000);
    const auto source = co_await make_symmetric_array<std::int64_t>(20'000);
    co_await together([=] { return reduce_at_sizes(target, source); });
  });
}

task<> reduce_to_each(numbers target, numbers source) {
  std::int64_t round = 0;
  for (const std::uint64_t count : k_counts) {
    const int root = static_cast<int>(++round) % pes();
    contribute(source, count, round);
    for (auto& untouched : target.local()) untouched = -1;
    co_await os::reduce_to(root, {target, 0, count}, {source, 0, count}, sum<std::int64_t>());
    const auto expected = [&](auto i) { return my_pe() == root ? sum_of_all(i, round) : -1; };
    EXPECT_EQ(wrong_of(target, count, expected), 0u) << count << " to PE " << root;
    co_await os::barrier();
  }
}

TEST_P(symmetric_collectives, reduce_to_one) {
  run([]() -> task<> {
    const auto target = co_await make_symmetric_array<std::int64_t>(20'000);
    const auto source = co_await make_symmetric_array<std::int64_t>(20'000);
    co_await together([=] { return reduce_to_each(target, source); });
  });
}

/// An element of 24 bytes. The memory for a piece of a reduction has 65536 bytes. Elements of 24
/// bytes do not fill 65536 bytes completely.
struct triple {
  std::array<std::int64_t, 3> sums{};

  friend triple operator+(const triple& a, const triple& b) {
    return {{a.sums[0] + b.sums[0], a.sums[1] + b.sums[1], a.sums[2] + b.sums[2]}};
  }
  bool operator==(const triple&) const = default;
};
using triples = symmetric_array<triple>;

triple contributed_triple(int pe, std::uint64_t i, std::int64_t round) {
  return {{contributed(pe, i, round), contributed(pe, ~i, round), pe}};
}

std::uint64_t wrong_triples(triples target, std::uint64_t count, std::int64_t round) {
  std::uint64_t wrong = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    triple expected;
    for (int pe = 0; pe < pes(); ++pe) expected = expected + contributed_triple(pe, i, round);
    wrong += target.local()[i] == expected ? 0 : 1;
  }
  return wrong;
}

task<> reduce_triples(triples target, triples source) {
  std::int64_t round = 0;
  for (const std::uint64_t count : {1, 170, 171, 683, 2731, 7000}) {
    const int root = static_cast<int>(++round) % pes();
    for (std::uint64_t i = 0; i < count; ++i)
      source.local()[i] = contributed_triple(my_pe(), i, round);
    co_await os::all_reduce({target, 0, count}, {source, 0, count}, sum<triple>());
    EXPECT_EQ(wrong_triples(target, count, round), 0u) << count;
    for (triple& forgotten : target.local()) forgotten = {};
    co_await os::reduce_to(root, {target, 0, count}, {source, 0, count}, sum<triple>());
    const std::uint64_t wrong = my_pe() == root ? wrong_triples(target, count, round) : 0;
    EXPECT_EQ(wrong, 0u) << count << " to PE " << root;
    co_await os::barrier();
  }
}

TEST_P(symmetric_collectives, reduce_elements_that_divide_no_piece) {
  run([]() -> task<> {
    const auto target = co_await make_symmetric_array<triple>(7000);
    const auto source = co_await make_symmetric_array<triple>(7000);
    co_await together([=] { return reduce_triples(target, source); });
  });
}

task<> broadcast_from_each(numbers target, numbers source) {
  std::int64_t round = 0;
  for (const std::uint64_t count : k_counts) {
    for (int root = 0; root < pes(); ++root) {
      if (my_pe() == root)
        contribute(source, count, ++round);
      else
        ++round;
      co_await os::broadcast<std::int64_t>({target, 0, count}, {source, 0, count}, root);
      const auto expected = [&](auto i) { return contributed(root, i, round); };
      EXPECT_EQ(wrong_of(target, count, expected), 0u) << count << " of PE " << root;
      for (auto& changed : source.local().first(count)) changed = -2;
    }
  }
}

TEST_P(symmetric_collectives, broadcast_from_any_pe) {
  run([]() -> task<> {
    const auto target = co_await make_symmetric_array<std::int64_t>(20'000);
    const auto source = co_await make_symmetric_array<std::int64_t>(20'000);
    co_await together([=] { return broadcast_from_each(target, source); });
  });
}

task<> exchange_and_gather(numbers target, numbers source) {
  const auto all = static_cast<std::uint64_t>(pes());
  std::int64_t round = 0;
  for (const std::uint64_t count : {0, 1, 5, 1000}) {
    contribute(source, all * count, ++round);
    co_await os::all_to_all<std::int64_t>({target, 0, all * count}, {source, 0, all * count});
    const auto sent_here = [&](std::uint64_t i) {
      const auto within = static_cast<std::uint64_t>(my_pe()) * count + i % count;
      return contributed(static_cast<int>(i / count), within, round);
    };
    EXPECT_EQ(wrong_of(target, all * count, sent_here), 0u) << count;
    co_await os::all_gather<std::int64_t>({target, 0, all * count}, {source, 0, count});
    const auto of_each = [&](std::uint64_t i) {
      return contributed(static_cast<int>(i / count), i % count, round);
    };
    EXPECT_EQ(wrong_of(target, all * count, of_each), 0u) << count;
    for (auto& untouched : target.local()) untouched = -1;
    const int root = pes() - 1;
    co_await os::barrier();
    co_await os::gather_to<std::int64_t>(root, {target, 0, all * count}, {source, 0, count});
    const auto of_root = [&](auto i) { return my_pe() == root ? of_each(i) : -1; };
    EXPECT_EQ(wrong_of(target, all * count, of_root), 0u) << count;
    co_await os::barrier();
  }
}

TEST_P(symmetric_collectives, exchange_and_gather) {
  run([]() -> task<> {
    const auto target = co_await make_symmetric_array<std::int64_t>(8000);
    const auto source = co_await make_symmetric_array<std::int64_t>(8000);
    co_await together([=] { return exchange_and_gather(target, source); });
  });
}

task<> pass_barriers(numbers counter) {
  for (std::int64_t round = 1; round <= 200; ++round) {
    for (int pe = 0; pe < pes(); ++pe) os::add(counter.on(pe), 1);
    co_await os::barrier();
    EXPECT_EQ(co_await os::fetch(counter.on(my_pe())), round * pes());
    co_await os::barrier();
  }
}

TEST_P(symmetric_collectives, barriers_hold_back_until_all_puts_are_seen) {
  run([]() -> task<> {
    const auto counter = co_await make_symmetric_array<std::int64_t>(1);
    co_await together([=] { return pass_barriers(counter); });
  });
}

TEST_P(symmetric_collectives, take_arrays_without_elements) {
  run([]() -> task<> {
    const auto none = co_await make_symmetric_array<std::int64_t>(0);
    co_await together([none]() -> task<> {
      co_await os::broadcast(none, none);
      co_await os::all_reduce(none, none, sum<std::int64_t>());
      co_await os::reduce_to(0, none, none, sum<std::int64_t>());
      co_await os::all_to_all(none, none);
      co_await os::all_gather(none, none);
      co_await os::gather_to(0, none, none);
    });
  });
}

task<> reduce_doubles(symmetric_array<double> of, symmetric_array<std::uint64_t> bits) {
  for (std::uint64_t i = 0; i < of.size(); ++i)
    of.local()[i] = 1.0 / static_cast<double>(3 * i + 7 * static_cast<std::uint64_t>(my_pe()) + 1);
  co_await os::all_reduce(of, of, sum<double>());
  std::uint64_t digest = 0;
  for (const double value : of.local()) digest = hash(digest ^ std::bit_cast<std::uint64_t>(value));
  bits.local()[0] = digest;
  co_await os::broadcast<std::uint64_t>({bits, 1, 1}, {bits, 0, 1});
  EXPECT_EQ(bits.local()[1], digest) << "other bits than on PE 0";
}

TEST_P(symmetric_collectives, give_the_same_bits_everywhere) {
  run([]() -> task<> {
    for (const std::uint64_t count : {3, 5000}) {
      const auto of = co_await make_symmetric_array<double>(count);
      const auto bits = co_await make_symmetric_array<std::uint64_t>(2);
      co_await together([=] { return reduce_doubles(of, bits); });
    }
  });
}

TEST_P(symmetric_collectives, refuse_wrong_sizes_and_roots) {
  run([]() -> task<> {
    const auto array = co_await make_symmetric_array<std::int64_t>(4);
    using part = symmetric_part<std::int64_t>;
    using testing::HasSubstr;
    EXPECT_THAT(test::refusal_of([&] { (void)os::broadcast(part(array), part(array), pes()); }),
                HasSubstr("broadcast: PE " + std::to_string(pes()) + " does not exist"));
    EXPECT_THAT(test::refusal_of(
                    [&] { (void)os::all_reduce(part(array, 0, 3), array, sum<std::int64_t>()); }),
                HasSubstr("all_reduce: 3 elements were given where 4 are needed"));
    EXPECT_THAT(test::refusal_of([&] { (void)os::broadcast(part(array, 2, 4), part(array)); }),
                HasSubstr("4 elements from element 2 on were asked for"));
    EXPECT_THAT(test::refusal_of([&] { part(array, 0, std::uint64_t{1} << 61); }),
                HasSubstr("were asked for, of a global array of 4"));
    if (pes() == 3) {
      EXPECT_THAT(test::refusal_of([&] { (void)os::all_to_all(array, array); }),
                  HasSubstr("all_to_all: 4 elements cannot be divided among 3 PEs"));
    }
  });
}

ATOLL_RUN_ON_ALL(symmetric_collectives);

}  // namespace
