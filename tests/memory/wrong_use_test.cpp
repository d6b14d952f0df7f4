// The library refuses invalid addresses, elements that do not exist, and closures that must not be
// sent.

#include "support/run_on.hpp"

#include <array>

using namespace atl;

namespace {

class wrong_use : public test::on_pes {};

/// Runs the coroutine `use`, and returns the text of the error that it throws.
template <class Use>
task<std::string> refusal_of(Use use) {
  std::string text;
  try {
    co_await use();
  } catch (const error& refusal) {
    EXPECT_EQ(refusal.code(), errc::input) << refusal.what();
    text = refusal.what();
  }
  co_return text;
}

template <class Use>
task<> expect_refused(Use use, std::string says) {
  const std::string text = co_await refusal_of(use);
  EXPECT_NE(text.find(says), std::string::npos) << text;
}

TEST_P(wrong_use, of_an_element_that_does_not_exist_is_refused) {
  run([]() -> task<> {
    const auto all = co_await make_array<std::uint64_t>(10);
    const auto other = co_await make_array<std::uint64_t>(10);
    for (const std::uint64_t i : {std::uint64_t{10}, std::uint64_t{1000}, ~std::uint64_t{0}}) {
      const auto store = [=]() -> task<> { co_await write(all[i], 1); };
      co_await expect_refused(store, "of a global array of 10 elements");
      const auto update = [=]() -> task<> {
        async_update(all, i, [](std::uint64_t& word) { word = 1; });
        co_return;
      };
      co_await expect_refused(update, "of a global array of 10 elements");
    }
    for (std::uint64_t i = 0; i < 10; ++i) EXPECT_EQ(co_await read(other[i]), 0u);
    co_await write(all[9], 1);
    EXPECT_EQ(co_await read(all[9]), 1u);
  });
}

/// Returns "wrong_use_test.cpp:LINE: ", with which an error begins. LINE is the line number `here`
/// minus `lines`.
std::string line_before(unsigned lines, unsigned here = __builtin_LINE()) {
  return "wrong_use_test.cpp:" + std::to_string(here - lines) + ": ";
}

TEST_P(wrong_use, is_told_with_its_line) {
  run([]() -> task<> {
    const auto all = co_await make_array<std::uint64_t>(10);
    const auto symmetric = co_await make_symmetric_array<std::uint64_t>(10);
    const auto elements = [=]() -> task<> {
      (void)all[10];
      co_return;
    };
    co_await expect_refused(elements, line_before(3));
    const auto negative = [=]() -> task<> { (void)co_await read(all[-1]); };
    co_await expect_refused(negative, line_before(1) + "element 18446744073709551615");
    const auto update_beyond = [=]() -> task<> {
      async_update(all, 10, [](std::uint64_t&) {});
      co_return;
    };
    co_await expect_refused(update_beyond, line_before(3));
    const auto on_beyond = [=]() -> task<> {
      (void)symmetric.on(0, 10);
      co_return;
    };
    co_await expect_refused(on_beyond, line_before(3));
    const auto call_nobody = []() -> task<> {
      async_call(pes(), [] {});
      co_return;
    };
    co_await expect_refused(call_nobody, line_before(3) + "a message was sent to PE");
    const auto ask_nobody = []() -> task<> { co_await call(pes(), [] {}); };
    co_await expect_refused(ask_nobody, line_before(1) + "a message was sent to PE");
  });
}

TEST_P(wrong_use, of_local_on_another_pe_is_refused) {
  run([]() -> task<> {
    const auto all = co_await make_array<std::uint64_t>(static_cast<std::uint64_t>(pes()));
    for (std::uint64_t i = 0; i < all.size(); ++i) co_await write(all[i], i + 1);
    const auto look_everywhere = [all]() -> task<> {
      for (std::uint64_t i = 0; i < all.size(); ++i) {
        const auto look = [=]() -> task<> {
          EXPECT_EQ(*all[i].local(), i + 1);
          co_return;
        };
        if (all[i].is_local())
          co_await look();
        else
          co_await expect_refused(look, line_before(6) + "local() was called on PE");
      }
      const auto look_nowhere = []() -> task<> {
        (void)global_address<std::uint64_t>().local();
        co_return;
      };
      co_await expect_refused(look_nowhere, "a null global_address");
    };
    co_await on_all_pes(look_everywhere);
  });
}

TEST(outside_of_a_job, calls_are_refused_with_their_line) {
  const auto refusal = [](auto call) {
    try {
      call();
    } catch (const error& refused) {
      EXPECT_EQ(refused.code(), errc::input);
      return std::string(refused.what());
    }
    return std::string("not refused");
  };
  EXPECT_NE(refusal([] { (void)pes(); }).find(line_before(0) + "pes() was"), std::string::npos);
  EXPECT_NE(refusal([] { (void)my_pe(); }).find("my_pe() was called where there is no job"),
            std::string::npos);
  EXPECT_NE(refusal([] { (void)job_settings(); }).find("job_settings() was"), std::string::npos);
  EXPECT_NE(refusal([] { (void)global_array<int>().local(); }).find("local() was"),
            std::string::npos);
  EXPECT_NE(refusal([] { (void)global_address<int>(0, 64).local(); }).find("local() was"),
            std::string::npos);
}

TEST_P(wrong_use, of_a_null_address_is_refused) {
  run([]() -> task<> {
    const auto addresses = co_await make_array<global_address<std::uint64_t>>(3);
    EXPECT_EQ(co_await read(addresses[1]), global_address<std::uint64_t>());
    for (const auto null : {global_address<std::uint64_t>(), co_await read(addresses[2])}) {
      EXPECT_EQ(null.pe(), -1);
      EXPECT_FALSE(null.is_local());
      co_await expect_refused([=]() -> task<> { co_await read(null); }, "a null global_address");
      co_await expect_refused([=]() -> task<> { co_await write(null, 1); },
                              "a null global_address");
      co_await expect_refused([=]() -> task<> { co_await read(null + 3); }, "null global_address");
      co_await expect_refused(
          [=]() -> task<> {
            async_fetch_add(null, 1);
            co_return;
          },
          "a null");
      const std::array<std::uint64_t, 2> words{};
      co_await expect_refused([&]() -> task<> { co_await put(null, words); }, "a null");
    }
  });
}

TEST_P(wrong_use, of_a_pe_that_does_not_exist_is_refused) {
  run([]() -> task<> {
    for (const int pe : {pes(), 1000, 65'534}) {
      const global_address<std::uint64_t> at(pe, 4096);
      const std::string name = "PE " + std::to_string(pe);
      co_await expect_refused([=]() -> task<> { co_await read(at); }, name);
      co_await expect_refused([=]() -> task<> { co_await call(pe, [] {}); }, name);
      std::array<std::uint64_t, 2> words{};
      co_await expect_refused([&]() -> task<> { co_await get(at, words); }, name);
    }
  });
}

TEST_P(wrong_use, of_a_stretch_beyond_an_array_is_refused_as_a_whole) {
  run([]() -> task<> {
    const auto count = static_cast<std::uint64_t>(pes()) * 8;
    const auto all = co_await make_array<std::uint64_t>(count);
    const auto behind = co_await make_array<std::uint64_t>(count);
    const std::vector<std::uint64_t> ones(9, 1);
    const auto put_one = [&]() -> task<> { co_await put(all[count - 8], ones); };
    const auto put_from_middle = [&]() -> task<> {
      co_await put(all[count - 3], std::span(ones).first(4));
    };
    const auto put_all = [&]() -> task<> { co_await put(all, count - 8, ones); };
    co_await expect_refused(put_one, "has this element: the array was destroyed");
    co_await expect_refused(put_from_middle, "has this element: the array was destroyed");
    co_await expect_refused(put_all, "from element " + std::to_string(count - 8) + " on");
    std::vector<std::uint64_t> read_here(9, 7);
    const auto get_one = [&]() -> task<> { co_await get(all[count - 8], read_here); };
    const auto get_all = [&]() -> task<> { co_await get(all, count - 8, read_here); };
    co_await expect_refused(get_one, "has this element: the array was destroyed");
    co_await expect_refused(get_all, "from element");
    EXPECT_EQ(read_here, std::vector<std::uint64_t>(9, 7));
    for (std::uint64_t i = 0; i < count; ++i) {
      EXPECT_EQ(co_await read(all[i]), 0u);
      EXPECT_EQ(co_await read(behind[i]), 0u);
    }
    co_await put(all[count - 8], std::span(ones).first(8));
    EXPECT_EQ(co_await read(all[count - 1]), 1u);
  });
}

// The address arithmetic must not change the PE number in an address.
TEST_P(wrong_use, of_an_address_beyond_all_memory_is_refused) {
  run([]() -> task<> {
    const auto all = co_await make_symmetric_array<std::uint64_t>(4);
    const global_address<std::uint64_t> first = all.on(pes() - 1);
    EXPECT_EQ(first + 3 + -3, first);
    EXPECT_EQ(first + 2, all.on(pes() - 1, 2));
    for (const std::int64_t n : {std::int64_t{1} << 61, std::int64_t{1} << 45,
                                 -(std::int64_t{1} << 45), INT64_MIN, INT64_MAX}) {
      const auto step = [=]() -> task<> {
        (void)(first + n);
        co_return;
      };
      co_await expect_refused(step, line_before(3) + "the address " + std::to_string(n));
    }
  });
}

// In 64 bits, the number of bytes of this many words overflows, and the result is the size of one
// word.
TEST_P(wrong_use, of_counts_whose_bytes_wrap_is_refused) {
  run([]() -> task<> {
    const auto all = co_await make_symmetric_array<std::uint64_t>(4);
    const global_address<std::uint64_t> at = all.on(pes() - 1);
    std::uint64_t word = 0;
    const std::span<std::uint64_t> many(&word, (std::uint64_t{1} << 61) + 1);
    const std::string says = "2305843009213693953 objects of 8 bytes are more than any memory has";
    const auto expect = [says](auto use) { return expect_refused(use, says); };
    co_await expect([&]() -> task<> { co_await put(at, many); });
    co_await expect([&]() -> task<> { co_await get(at, many); });
    co_await expect([&]() -> task<> { co_await one_sided::put(at, many); });
    co_await expect([&]() -> task<> { co_await one_sided::get(at, many); });
    co_await expect([&]() -> task<> { co_await two_sided::send(0, 0, many); });
    co_await expect([&]() -> task<> { co_await two_sided::receive(0, 0, many); });
    co_await expect(
        [&]() -> task<> { co_await call(0, [](std::span<const std::uint64_t>) {}, many); });
    co_await expect([&]() -> task<> { co_await all_gather(std::span<const std::uint64_t>(many)); });
    const auto begin_put = [&]() -> task<> {
      one_sided::put_nbi(at, many);
      co_return;
    };
    co_await expect(begin_put);
  });
}

TEST_P(wrong_use, of_parts_for_other_than_all_pes_is_refused) {
  run([]() -> task<> {
    const std::vector<std::vector<int>> parts(static_cast<std::size_t>(pes()) + 1);
    const auto give = [&]() -> task<> { co_await all_to_all(parts); };
    co_await expect_refused(give, line_before(1) + "all_to_all sends one part to each of " +
                                      std::to_string(pes()) + " PEs, and was given");
  });
}

task<> expect_no_array_at(global_address<std::uint64_t> at) {
  std::array<std::uint64_t, 1> one{1};
  const std::string gone = "the array was destroyed, or";
  co_await expect_refused([=]() -> task<> { (void)co_await read(at); }, gone);
  co_await expect_refused([=]() -> task<> { co_await write(at, 1); }, gone);
  co_await expect_refused([=]() -> task<> { (void)co_await fetch_add(at, 1); }, gone);
  co_await expect_refused([=]() -> task<> { (void)co_await compare_exchange(at, 0, 1); }, gone);
  co_await expect_refused([=]() -> task<> { co_await update(at, [](auto& word) { ++word; }); },
                          gone);
  const auto read_two = [=]() -> task<> {
    const std::array<global_address<std::uint64_t>, 2> from{at, at};
    std::array<std::uint64_t, 2> into{};
    co_await read_all(std::span<const global_address<std::uint64_t>>(from), into.data());
  };
  co_await expect_refused(read_two, gone);
  if (at.is_local()) {
    const auto look = [=]() -> task<> {
      (void)at.local();
      co_return;
    };
    co_await expect_refused(look, gone);
  }
  co_await expect_refused([&]() -> task<> { co_await put(at, one); },
                          "the array was destroyed, or");
  co_await expect_refused([&]() -> task<> { co_await get(at, one); },
                          "the array was destroyed, or");
}

TEST_P(wrong_use, of_an_array_that_was_destroyed_is_refused) {
  run([]() -> task<> {
    for (const placement where : {placement::owner_only, placement::symmetric}) {
      const auto all = co_await make_array<std::uint64_t>(100, where);
      const auto last = all[99];
      const std::array<std::uint64_t, 1> one{1};
      co_await put(last, one);
      co_await all.destroy();
      std::array<std::uint64_t, 1> read_here{7};
      co_await expect_refused([&]() -> task<> { co_await put(all, 99, one); },
                              "the array was destroyed, or");
      co_await expect_refused([&]() -> task<> { co_await get(all, 99, read_here); },
                              "the array was destroyed, or");
      const auto go_through = [=]() -> task<> {
        co_await for_each(all, [](std::uint64_t, std::uint64_t&) {});
      };
      co_await expect_refused(go_through, "the array was destroyed, or");
      EXPECT_EQ(read_here[0], 7u);
      const auto from_everywhere = [=] { return expect_no_array_at(last); };
      co_await on_all_pes(from_everywhere);
    }
  });
}

/// Debug builds refuse to send a closure that contains an address of the sender's stack or
/// coroutine. The test directly calls the functions that check an address.
TEST_P(wrong_use, of_an_address_of_the_sender_is_seen) {
  if (test::sanitized && !test::only_threads) GTEST_SKIP() << "what is a stack has no one place";
  run([]() -> task<> {
    const auto refusal = [](const void* address) {
      const std::array<const void*, 3> closure{nullptr, address, nullptr};
      try {
        tasks::check_own_addresses(std::as_bytes(std::span(closure)), site::current());
      } catch (const error& refused) {
        return std::string(refused.what());
      }
      return std::string();
    };
    int in_frame = 0;
    const bool are_processes = job_settings().pe_kind == pe_kind::process;
    const std::string of_frame = are_processes ? "a variable of its sender's coroutine" : "";
    EXPECT_NE(refusal(&in_frame).find(of_frame), std::string::npos);
    EXPECT_EQ(refusal(&in_frame).empty(), !are_processes);
    co_await yield();
    ++in_frame;
    static const int constant = 0;
    const auto on_heap = std::make_unique<int>();
    EXPECT_EQ(refusal(&constant), "");
    EXPECT_EQ(refusal(on_heap.get()), "");
    EXPECT_NE(refusal(__builtin_frame_address(0)).find("its sender's stack"), std::string::npos);
    EXPECT_NE(refusal(__builtin_frame_address(0)).find("wrong_use_test.cpp:"), std::string::npos);
    co_return;
  });
}

#ifdef ATOLL_SEES_OWN_ADDRESSES
TEST_P(wrong_use, of_a_closure_that_must_not_travel_is_refused) {
  run([]() -> task<> {
    void* const here = __builtin_frame_address(0);
    const auto closure = [here] { return here == nullptr; };
    const std::string says = "wrong_use_test.cpp";
    co_await expect_refused([=]() -> task<> { co_await call(my_pe(), closure); }, says);
    co_await expect_refused(
        [=]() -> task<> {
          async_call(pes() - 1, closure);
          co_return;
        },
        says);
    co_await expect_refused([=]() -> task<> { co_await on_all_pes(closure); }, says);
    co_await expect_refused(
        [=]() -> task<> {
          spawn_stealable(closure);
          co_return;
        },
        says);
  });
}

#endif

#ifdef ATOLL_CHECKED
TEST_P(wrong_use, of_one_object_beyond_an_array_is_refused) {
  run([]() -> task<> {
    const auto all = co_await make_array<std::uint64_t>(static_cast<std::uint64_t>(pes()));
    const auto beyond = all[0] + 1;
    const std::string says = "has this element: the array was destroyed";
    co_await expect_refused([=]() -> task<> { co_await read(beyond); }, says);
    co_await expect_refused([=]() -> task<> { co_await write(beyond, 1); }, says);
    co_await expect_refused([=]() -> task<> { co_await fetch_add(beyond, 1); }, says);
    co_await expect_refused(
        [=]() -> task<> {
          async_write(beyond, 1);
          co_return;
        },
        says);
  });
}
#endif

ATOLL_RUN_ON(wrong_use, 1, 2, 3, 7);

}  // namespace
