// Tests `read_all`, which reads several objects at once, while other remote operations are in
// flight.

#include "support/run_on.hpp"

using namespace atl;

namespace {

struct wide {
  std::uint64_t words[5];

  friend bool operator==(const wide&, const wide&) = default;
};

template <class T>
T nth(std::uint64_t i) {
  if constexpr (std::is_same_v<T, wide>) {
    return {{i, i + 1, i * i, ~i, 7}};
  } else {
    return static_cast<T>(3 * i + 1);
  }
}

template <class T>
task<global_array<T>> filled(std::uint64_t size, placement where = placement::owner_only) {
  const auto array = co_await make_array<T>(size, {1, where});
  const auto fill = [&] {
    for (std::uint64_t i = 0; i < size; ++i) async_write(array[i], nth<T>(i));
  };
  co_await finish(fill);
  co_return array;
}

/// Reads `count` consecutive elements from `first` on, all at once.
template <class T>
task<> check(global_array<T> array, std::uint64_t first, std::uint64_t count) {
  std::vector<global_address<T>> from;
  for (std::uint64_t i = 0; i < count; ++i) from.push_back(array[first + i]);
  std::vector<T> into(count);
  co_await read_all(std::span<const global_address<T>>(from), into.data());
  for (std::uint64_t i = 0; i < count; ++i) EXPECT_EQ(into[i], nth<T>(first + i)) << i;
}

class read_all_of : public test::on_pes {};

template <class T>
task<> from_everywhere(placement where = placement::owner_only) {
  constexpr std::uint64_t size = 1'000;
  const auto array = co_await filled<T>(size, where);
  const auto part = [array]() -> task<> {
    for (const std::uint64_t count : {0, 1, 2, 7, 999}) co_await check(array, 1, count);
  };
  co_await on_all_pes(part);
  co_await array.destroy();
}

TEST_P(read_all_of, brings_each_object_to_its_place) {
  run([] { return from_everywhere<std::uint64_t>(); });
  run([] { return from_everywhere<std::uint32_t>(); });
  run([] { return from_everywhere<std::uint8_t>(); });
  run([] { return from_everywhere<wide>(); });
  run([] { return from_everywhere<std::uint64_t>(placement::symmetric); });
}

// Many requests are in flight at the same time, and their answers can arrive in any order. The
// numbers of completed requests are reused.
TEST_P(read_all_of, is_called_by_many_tasks_among_other_delegates) {
  run([]() -> task<> {
    constexpr std::uint64_t size = 500;
    const auto array = co_await filled<std::uint64_t>(size);
    const auto sums = co_await make_array<std::uint64_t>(static_cast<std::uint64_t>(pes()), 1);
    const auto part = [array, sums] {
      for (std::uint64_t i = 0; i < 40; ++i) {
        spawn([array, sums, i]() -> task<> {
          co_await check(array, i, i % 13);
          const auto pe = (static_cast<std::uint64_t>(my_pe()) + i) % sums.size();
          co_await fetch_add(sums[pe], 1);
          const auto one = co_await read(array[i + 100]);
          EXPECT_EQ(one, nth<std::uint64_t>(i + 100));
          co_await check(array, size - 20, 20);
        });
      }
    };
    co_await on_all_pes(part);
    std::uint64_t in_all = 0;
    for (std::uint64_t pe = 0; pe < sums.size(); ++pe) {
      const auto sum = co_await read(sums[pe]);
      in_all += sum;
    }
    EXPECT_EQ(in_all, 40 * sums.size());
    co_await sums.destroy();
    co_await array.destroy();
  });
}

// If all objects are on this PE, read_all must send no message.
TEST_P(read_all_of, own_objects_waits_for_the_cache_only) {
  run([]() -> task<> {
    const auto array = co_await filled<std::uint64_t>(64);
    const auto part = [array]() -> task<> {
      std::vector<global_address<std::uint64_t>> own;
      for (std::uint64_t i = 0; i < array.size(); ++i)
        if (array[i].is_local()) own.push_back(array[i]);
      std::vector<std::uint64_t> into(own.size());
      const auto sent = this_pe().messages->created();
      co_await read_all(std::span<const global_address<std::uint64_t>>(own), into.data());
      EXPECT_EQ(this_pe().messages->created(), sent);
      for (std::size_t i = 0; i < own.size(); ++i) EXPECT_EQ(into[i], *own[i].local());
    };
    co_await on_all_pes(part);
    co_await array.destroy();
  });
}

// `read_all` must send all requests before the calling task waits. Another task counts the requests
// while the calling task waits.
TEST_P(read_all_of, asks_for_all_before_it_waits) {
  run([]() -> task<> {
    const auto array = co_await filled<std::uint64_t>(200);
    std::vector<global_address<std::uint64_t>> remote;
    for (std::uint64_t i = 0; i < array.size(); ++i)
      if (!array[i].is_local()) remote.push_back(array[i]);
    std::vector<std::uint64_t> into(remote.size());
    const auto before = this_pe().messages->created();
    std::uint64_t seen = 0;
    spawn([&] { seen = this_pe().messages->created() - before; });
    co_await read_all(std::span<const global_address<std::uint64_t>>(remote), into.data());
    if (!remote.empty()) {
      EXPECT_EQ(seen, remote.size());
    }
    co_await array.destroy();
  });
}

// One of the addresses belongs to no PE, so the call must fail. Later calls must not get the
// answers of the failed call.
TEST_P(read_all_of, an_address_of_no_pe_fails_and_harms_nobody_else) {
  run([]() -> task<> {
    const auto array = co_await filled<std::uint64_t>(100);
    for (int i = 0; i < 20; ++i) {
      std::vector<global_address<std::uint64_t>> from;
      for (std::uint64_t k = 0; k < array.size(); ++k) from.push_back(array[k]);
      from[50 + static_cast<std::size_t>(i)] = {};
      std::vector<std::uint64_t> into(from.size());
      bool refused = false;
      try {
        co_await read_all(std::span<const global_address<std::uint64_t>>(from), into.data());
      } catch (const error& e) {
        refused = e.code() == errc::input;
      }
      EXPECT_TRUE(refused);
      co_await check(array, 0, array.size());
    }
    co_await array.destroy();
  });
}

ATOLL_RUN_ON_ALL(read_all_of);

}  // namespace
