// Compares the locations of a global array's elements with a model that distributes the blocks one
// by one.

#include "support/run_on.hpp"

#include <gmock/gmock.h>

#include <vector>

using namespace atl;

namespace {

struct numbered {
  std::uint64_t index;
  std::uint32_t owner;
  std::uint32_t padding;
};

/// Returns for each PE the indices of its elements, in the order of its memory.
std::vector<std::vector<std::uint64_t>> dealt(std::uint64_t size, std::uint64_t block) {
  std::vector<std::vector<std::uint64_t>> all(static_cast<std::size_t>(pes()));
  for (std::uint64_t i = 0; i < size; ++i) all[i / block % all.size()].push_back(i);
  return all;
}

template <class T>
void check_arithmetic(global_array<T> array, std::uint64_t block) {
  const auto model = dealt(array.size(), block);
  for (int pe = 0; pe < pes(); ++pe) {
    const auto& indices = model[static_cast<std::size_t>(pe)];
    EXPECT_EQ(array.elements_of(pe), indices.size());
    for (std::uint64_t k = 0; k < indices.size(); ++k) {
      const auto at = array[indices[k]];
      const bool right = at.pe() == pe && at == array[indices[0]] + static_cast<std::int64_t>(k);
      if (!right) ADD_FAILURE() << "element " << indices[k] << " of " << array.size();
      if (pe == my_pe()) {
        const bool there = array.index_of_local(k) == indices[k] && at.is_local() &&
                           at.local() == &array.local()[k];
        if (!there) ADD_FAILURE() << "local element " << k << " of " << array.size();
      }
    }
  }
  EXPECT_EQ(array.local().size(), model[static_cast<std::size_t>(my_pe())].size());
}

template <class T>
task<> check_one(std::uint64_t size, array_options options) {
  const auto array = co_await make_array<T>(size, options);
  const auto share = (size + static_cast<std::uint64_t>(pes()) - 1) / static_cast<unsigned>(pes());
  const auto block =
      options.block_size != 0 ? options.block_size : std::max<std::uint64_t>(1, share);
  EXPECT_EQ(array.size(), size);
  EXPECT_EQ(array.block_size(), block);
  const auto check = [array, block] { check_arithmetic(array, block); };
  co_await on_all_pes(check);
  co_await array.destroy();
}

template <class T>
task<> check_all(placement where) {
  for (const std::uint64_t size : {0, 1, 2, 7, 64, 193, 997}) {
    for (const std::uint64_t block : {0, 1, 3, 64}) {
      co_await check_one<T>(size, array_options(block, where));
    }
  }
}

class arrays : public test::on_pes {};

TEST_P(arrays, of_words_lie_where_a_model_says) {
  run([] { return check_all<std::uint64_t>(placement::owner_only); });
}

TEST_P(arrays, of_bytes_lie_where_a_model_says) {
  run([] { return check_all<char>(placement::owner_only); });
}

TEST_P(arrays, of_structs_in_shared_memory_lie_where_a_model_says) {
  run([] { return check_all<numbered>(placement::symmetric); });
}

task<> fill_and_check(placement where) {
  const auto array = co_await make_array<numbered>(1009, array_options(3, where));
  const auto fill = [](std::uint64_t i, numbered& element) {
    element = {i, static_cast<std::uint32_t>(my_pe()), 0};
  };
  co_await for_each(array, fill);
  for (std::uint64_t i = 0; i < array.size(); ++i) {
    const auto element = co_await read(array[i]);
    EXPECT_EQ(element.index, i);
    EXPECT_EQ(element.owner, static_cast<std::uint32_t>(array[i].pe()));
  }
  co_await array.destroy();
}

TEST_P(arrays, hold_what_their_owners_store) {
  run([]() -> task<> {
    co_await fill_and_check(placement::owner_only);
    co_await fill_and_check(placement::symmetric);
  });
}

/// Lets each PE add to every element of the array.
task<> update_and_check(std::uint64_t size, array_options options) {
  const auto array = co_await make_array<std::uint64_t>(size, options);
  const auto add_to_all = [array]() -> task<> {
    for (std::uint64_t i = 0; i < array.size(); ++i) {
      async_update(array, i, leaf([i](std::uint64_t& word) noexcept { word += i + 1; }));
      co_await room();
    }
  };
  co_await finish([=] { return on_all_pes(add_to_all); });
  const auto all = static_cast<std::uint64_t>(pes());
  for (std::uint64_t i = 0; i < size; ++i) EXPECT_EQ(co_await read(array[i]), (i + 1) * all);
  co_await array.destroy();
}

TEST_P(arrays, are_updated_by_the_index_of_an_element) {
  run([]() -> task<> {
    for (const std::uint64_t block : {0, 1, 3, 64}) {
      co_await update_and_check(997, array_options(block));
      co_await update_and_check(1, array_options(block, placement::symmetric));
    }
  });
}

/// Sets all bytes of this PE's part. Returns true if all bytes of the part were zero before.
bool zero_then_not(global_array<unsigned char> array) {
  bool zero = true;
  for (auto& byte : array.local()) {
    zero = zero && byte == 0;
    byte = 0xa5;
  }
  return zero;
}

task<> check_reuse(std::uint64_t bytes, placement where) {
  for (int round = 0; round < 4; ++round) {
    const auto array = co_await make_array<unsigned char>(bytes, where);
    for (int pe = 0; pe < pes(); ++pe) {
      const bool zero = co_await call(pe, [array] { return zero_then_not(array); });
      EXPECT_TRUE(zero) << bytes << " bytes, PE " << pe << ", round " << round;
    }
    co_await array.destroy();
  }
}

TEST_P(arrays, are_zero_also_where_another_was_destroyed) {
  run([]() -> task<> {
    const auto neighbour = co_await make_array<unsigned char>(100 * static_cast<unsigned>(pes()));
    for (const auto where : {placement::owner_only, placement::symmetric}) {
      for (const std::uint64_t bytes : {1, 100, 5'000, 100'000, 5'000'000}) {
        co_await check_reuse(bytes, where);
      }
    }
    const bool zero = co_await call(pes() - 1, [neighbour] { return zero_then_not(neighbour); });
    EXPECT_TRUE(zero);
  });
}

TEST_P(arrays, do_not_overlap) {
  run([]() -> task<> {
    std::vector<global_array<unsigned char>> all;
    for (unsigned i = 0; i < 40; ++i) {
      const std::uint64_t bytes = hash(i) % 3000;
      const auto where = i % 2 == 0 ? placement::owner_only : placement::symmetric;
      all.push_back(co_await make_array<unsigned char>(bytes, where));
      const auto array = all.back();
      const auto mark = [i](std::uint64_t, unsigned char& byte) {
        byte = static_cast<unsigned char>(i + 1);
      };
      co_await for_each(array, mark);
    }
    for (unsigned i = 0; i < all.size(); ++i) {
      const auto array = all[i];
      const auto same = [i](std::uint64_t, unsigned char& byte) { EXPECT_EQ(byte, i + 1); };
      co_await for_each(array, same);
      co_await array.destroy();
    }
  });
}

TEST_P(arrays, handles_travel) {
  run([]() -> task<> {
    const auto array = co_await make_array<std::uint64_t>(100, 7);
    const auto last = co_await call(pes() - 1, [array] { return array[99]; });
    EXPECT_EQ(last, array[99]);
    EXPECT_EQ(last.offset(), array[99].offset());
  });
}

template <class Array>
task<> expect_refused_twice(Array array) {
  co_await array.destroy();
  std::string text;
  try {
    co_await array.destroy();
  } catch (const error& refused) {
    EXPECT_EQ(refused.code(), errc::input);
    text = refused.what();
  }
  EXPECT_THAT(text, testing::HasSubstr("global_array_test.cpp:" + std::to_string(__LINE__ - 5)));
  EXPECT_THAT(text, testing::HasSubstr("destroyed before"));
}

TEST_P(arrays, are_destroyed_once) {
  run([]() -> task<> {
    co_await expect_refused_twice(co_await make_array<std::uint64_t>(100));
    co_await expect_refused_twice(co_await make_array<std::uint64_t>(0));
    co_await expect_refused_twice(
        co_await make_array<std::uint64_t>(100, {std::uint64_t{3}, placement::symmetric}));
    co_await expect_refused_twice(co_await make_symmetric_array<std::uint64_t>(100));
    co_await expect_refused_twice(co_await node_array<std::uint64_t>::make(100));
    co_await expect_refused_twice(co_await per_pe<std::vector<int>>::make());
    // The memory still contains the data of the earlier array.
    const auto array = co_await make_array<int>(10);
    co_await write(array[9], 7);
    EXPECT_EQ(co_await read(array[9]), 7);
  });
}

/// Arrays occupy the same memory one after the other. A handle of a destroyed array must not be
/// taken for a handle of the array that now occupies the memory.
TEST_P(arrays, are_known_to_live_or_not_where_others_follow) {
  run([]() -> task<> {
    EXPECT_TRUE(memory::lifetime().has_ended());
    std::vector<memory::lifetime> former;
    for (int i = 0; i < 40; ++i) {
      const auto array = co_await make_array<std::uint64_t>(100);
      const memory::lifetime life = array.life();
      const bool lives = co_await call(pes() - 1, [life] { return !life.has_ended(); });
      EXPECT_TRUE(lives && !life.has_ended());
      EXPECT_TRUE(std::ranges::all_of(former, &memory::lifetime::has_ended));
      co_await array.destroy();
      EXPECT_TRUE(life.has_ended());
      former.push_back(life);
    }
  });
}

ATOLL_RUN_ON_ALL(arrays);

}  // namespace
