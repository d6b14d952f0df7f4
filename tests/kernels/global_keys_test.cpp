// Tests the public functions that read, make, sort, rank, verify and write integer keys.

#include "atoll/atoll.hpp"
#include "support/captured_stderr.hpp"
#include "support/run_on.hpp"
#include "support/scratch_folder.hpp"
#include "tests/graph/scratch_file.hpp"

#include <fmt/format.h>
#include <fstream>
#include <functional>
#include <gmock/gmock.h>
#include <iterator>
#include <map>
#include <numeric>

namespace {

using namespace atl;
using testing::HasSubstr;

/// Returns key `i` of an input whose keys have `bits` bits. Keys occur repeatedly.
std::uint64_t key_at(std::uint64_t i, unsigned bits) {
  const std::uint64_t seed = i % 3 == 0 ? i / 2 : i;
  return random_at(random_key(11), seed) >> (64 - bits);
}

auto keys_of_bits(unsigned bits) {
  return [bits](std::uint64_t first) {
    return [bits, i = first]() mutable { return key_at(i++, bits); };
  };
}

std::vector<std::uint64_t> keys_in_order(std::uint64_t count, unsigned bits) {
  std::vector<std::uint64_t> keys;
  for (std::uint64_t i = 0; i < count; ++i) keys.push_back(key_at(i, bits));
  std::ranges::sort(keys);
  return keys;
}

std::string lines_of(const std::vector<std::uint64_t>& keys) {
  std::string text;
  for (const std::uint64_t key : keys) text += std::to_string(key) + "\n";
  return text;
}

std::string bytes_in(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Returns the content of a NumPy file with elements of this type. The header of the file has no
/// padding.
std::string npy_of(const std::string& type, const std::string& shape, const std::string& elements) {
  const std::string head =
      fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': {}}}\n", type, shape);
  const char sizes[] = {1, 0, static_cast<char>(head.size()), 0};
  return "\x93NUMPY" + std::string(sizes, 4) + head + elements;
}

/// Returns all keys in order, on the PE of the calling task.
task<std::vector<std::uint64_t>> brought(global_keys keys) {
  const auto array = co_await keys.to_array();
  std::vector<std::uint64_t> all(array.size());
  co_await get(array, 0, std::span(all));
  co_await array.destroy();
  co_return all;
}

/// Awaits the coroutine `call`, which must throw an error with this code. Returns the text of the
/// error.
template <class Call>
task<std::string> error_of(Call call, errc code = errc::input) {
  std::string text = "no error";
  try {
    co_await call();
  } catch (const error& thrown) {
    EXPECT_EQ(thrown.code(), code) << thrown.what();
    text = thrown.what();
  }
  co_return text;
}

std::string here(int line) { return "global_keys_test.cpp:" + std::to_string(line) + ": "; }

class global_keys_on : public test::on_pes {
 protected:
  scratch_folder folder_;
};

TEST_P(global_keys_on, are_read_sorted_verified_and_written) {
  const std::vector<std::uint64_t> given = {7, 18446744073709551615U, 0, 7, 3, 4294967296U, 7};
  const std::string path = folder_.file("keys.txt", "# seven\n\n" + lines_of(given) + "\r\n");
  const std::string text = folder_.path("sorted.txt"), array = folder_.path("sorted.npy");
  run([&]() -> task<> {
    const global_keys keys = co_await read_keys(path);
    EXPECT_EQ(keys.size(), 7u);
    EXPECT_EQ(keys.bits(), 64u);
    co_await sort(keys);
    co_await verify(keys, path);
    co_await keys.write(text);
    co_await keys.write(array);
    co_await keys.destroy();
    const global_keys again = co_await read_keys(array);
    co_await sort(again);
    co_await verify(again, text);
    const auto all = co_await brought(again);
    EXPECT_EQ(all, (std::vector<std::uint64_t>{0, 3, 7, 7, 7, 4294967296U, 18446744073709551615U}));
    co_await again.destroy();
  });
  EXPECT_EQ(bytes_in(text), "0\n3\n7\n7\n7\n4294967296\n18446744073709551615\n");
}

TEST_P(global_keys_on, are_read_from_every_kind_of_file_to_the_same) {
  std::vector<std::uint64_t> keys(2000);
  std::vector<std::uint32_t> narrow(2000);
  for (std::uint64_t i = 0; i < keys.size(); ++i) keys[i] = narrow[i] = key_at(i, 31);
  const std::string narrow_bytes(reinterpret_cast<const char*>(narrow.data()), 8000);
  const std::string wide_bytes(reinterpret_cast<const char*>(keys.data()), 16000);
  const std::string paths[] = {folder_.file("k.txt", lines_of(keys)),
                               folder_.file("k.txt.gz", gzipped(lines_of(keys))),
                               folder_.file("k.txt.zst", zstd_packed(lines_of(keys))),
                               folder_.file("u4.npy", npy_of("<u4", "(2000,)", narrow_bytes)),
                               folder_.file("i8.npy", npy_of("<i8", "(2000,)", wide_bytes))};
  run([&]() -> task<> {
    for (const auto& path : paths) {
      const global_keys read = co_await read_keys(path);
      EXPECT_EQ(read.bits(), 31u) << path;
      co_await sort(read);
      co_await verify(read, paths[0]);
      const auto all = co_await brought(read);
      EXPECT_EQ(all, keys_in_order(2000, 31)) << path;
      co_await read.destroy();
    }
  });
}

TEST_P(global_keys_on, of_no_key_are_no_error) {
  const std::string path = folder_.file("none.txt", "# nothing\n"), out = folder_.path("out.npy");
  run([&]() -> task<> {
    const global_keys keys = co_await read_keys(path);
    EXPECT_EQ(keys.size(), 0u);
    co_await sort(keys);
    co_await verify(keys, path);
    co_await keys.write(out);
    const global_keys again = co_await read_keys(out);
    EXPECT_EQ(again.size(), 0u);
    co_await again.destroy();
    co_await keys.destroy();
  });
}

TEST_P(global_keys_on, that_are_made_are_visited_in_order) {
  run([]() -> task<> {
    for (const unsigned bits : {1, 11, 32, 33, 64}) {
      const global_keys keys = co_await make_keys(3001, bits, keys_of_bits(bits));
      co_await sort(keys);
      co_await verify(keys, keys_of_bits(bits));
      co_await on_all_pes([keys, bits] {
        const auto expected = keys_in_order(3001, bits);
        std::uint64_t visited = 0;
        keys.for_each_local([&](std::uint64_t rank, std::uint64_t key) {
          EXPECT_EQ(key, expected.at(rank));
          ++visited;
        });
        EXPECT_EQ(visited, keys.local_size());
      });
      co_await keys.destroy();
    }
  });
}

TEST_P(global_keys_on, are_divided_nearly_equally_even_if_all_are_the_same) {
  run([]() -> task<> {
    const auto same = [](std::uint64_t) { return [] { return 77; }; };
    const global_keys keys = co_await make_keys(6400, 20, same);
    co_await sort(keys);
    co_await on_all_pes([keys] {
      const auto share = 6400U / static_cast<unsigned>(pes());
      EXPECT_LE(keys.local_size(), share + share / 32 + 3);
    });
    co_await keys.destroy();
  });
}

TEST_P(global_keys_on, are_the_same_for_calls_from_the_last_pe) {
  const std::string path = folder_.file("keys.txt", lines_of({5, 1, 9, 1}));
  const std::string out = folder_.path("out.txt");
  run([&]() -> task<> {
    const auto work = [from = &path, to = &out]() -> task<> {
      const global_keys keys = co_await read_keys(*from);
      co_await sort(keys);
      co_await verify(keys, *from);
      co_await keys.write(*to);
      const auto all = co_await brought(keys);
      EXPECT_EQ(all, (std::vector<std::uint64_t>{1, 1, 5, 9}));
      co_await keys.destroy();
    };
    co_await call(pes() - 1, work);
  });
  EXPECT_EQ(bytes_in(out), "1\n1\n5\n9\n");
}

TEST_P(global_keys_on, are_read_sorted_verified_and_written_by_programs_on_every_pe) {
  const std::string path = folder_.file("keys.txt", lines_of({5, 1, 9, 1}));
  const std::string out = folder_.path("out.txt"), missing = folder_.path("missing.txt");
  run_spmd([&]() -> task<> {
    const global_keys keys = co_await all_read_keys(path);
    co_await all_sort(keys);
    co_await all_verify(keys, path);
    co_await keys.all_write(out);
    const auto array = co_await keys.all_to_array();
    const auto last = co_await read(array[3]);
    EXPECT_EQ(last, 9u);
    auto text = co_await error_of([&] { return all_read_keys(missing); });
    EXPECT_THAT(text, HasSubstr("missing.txt: cannot open"));
    text = co_await error_of([&] { return all_verify(keys, keys_of_bits(1)); }, errc::wrong_result);
    EXPECT_THAT(text, HasSubstr(here(__LINE__ - 1) + "other keys"));
    co_await keys.all_destroy();
  });
  EXPECT_EQ(bytes_in(out), "1\n1\n5\n9\n");
}

TEST_P(global_keys_on, are_ranked_by_programs_on_every_pe) {
  run_spmd([]() -> task<> {
    // For 64 bits, a table of ranks would be too large.
    for (const unsigned bits : {1, 9, 20, 32, 64}) {
      const global_keys keys = co_await all_make_keys(1500, bits, keys_of_bits(bits));
      const auto ordered = keys_in_order(1500, bits);
      const std::array<std::uint64_t, 4> asked{0, 1499, 700, 701};
      const auto ranks = co_await all_rank(keys, asked);
      for (std::size_t i = 0; i < asked.size(); ++i) {
        const auto place = std::ranges::lower_bound(ordered, key_at(asked[i], bits));
        const auto known = co_await all_reduce(ranks[i] ? 1 : 0, std::plus<>());
        EXPECT_EQ(known, 1);
        const auto rank = static_cast<std::uint64_t>(place - ordered.begin());
        EXPECT_EQ(ranks[i].value_or(rank), rank);
      }
      co_await all_sort(keys);
      keys.for_each_local([&](auto rank, auto key) { EXPECT_EQ(key, ordered.at(rank)); });
      co_await keys.all_destroy();
    }
  });
}

TEST_P(global_keys_on, that_are_replaced_are_found_by_the_next_sort) {
  run([]() -> task<> {
    const global_keys keys = co_await make_keys(100, 16, keys_of_bits(16));
    co_await sort(keys);
    int holders = 0;
    for (int pe = 0; pe < pes(); ++pe)
      holders += co_await call(pe, [keys] { return keys.local_replace(99, 65535) ? 1 : 0; });
    EXPECT_EQ(holders, 1);
    EXPECT_FALSE(keys.local_replace(100, 1));
    co_await sort(keys);
    const auto text =
        co_await error_of([keys] { return verify(keys, keys_of_bits(16)); }, errc::wrong_result);
    EXPECT_THAT(text, HasSubstr(here(__LINE__ - 1) + "other keys than those of the input"));
    co_await keys.destroy();
  });
}

TEST_P(global_keys_on, are_compared_with_the_file) {
  const auto path = folder_.file("a.txt", "3\n1\n2\n"), other = folder_.file("b.txt", "3\n1\n5\n"),
             longer = folder_.file("c.txt", "3\n1\n2\n2\n"), bad = folder_.file("d.txt", "3\n-1\n");
  run([&]() -> task<> {
    const global_keys keys = co_await read_keys(path);
    co_await sort(keys);
    auto text = co_await error_of([&] { return verify(keys, other); }, errc::wrong_result);
    EXPECT_THAT(text, HasSubstr(here(__LINE__ - 1) + "other keys than those of the input"));
    text = co_await error_of([&] { return verify(keys, longer); }, errc::wrong_result);
    EXPECT_THAT(text, HasSubstr("3 keys instead of 4"));
    text = co_await error_of([&] { return verify(keys, bad); });
    EXPECT_EQ(text, bad + ":2:1: expected an integer from 0 to 2^64 - 1, found '-1'");
    text = co_await error_of([&] { return verify(keys, folder_.path("gone.txt")); });
    EXPECT_THAT(text, HasSubstr("gone.txt: cannot open: No such file"));
    co_await verify(keys, path);  // The keys are unchanged.
    co_await keys.destroy();
  });
}

TEST_P(global_keys_on, are_not_read_from_wrong_files) {
  const std::map<std::string, std::string> wrong = {
      {folder_.path("missing.txt"), ": cannot open: No such file or directory"},
      {folder_.file("word.txt", "1\n2\nx\n"),
       ":3:1: expected an integer from 0 to 2^64 - 1, found 'x'"},
      {folder_.file("two.txt", "1\n2 3\n"), ":2:3: expected the end of the line, found '3'"},
      {folder_.file("large.txt", "18446744073709551616\n"), ":1:1: '18446744073709551616' is out"},
      {folder_.file("real.npy", npy_of("<f8", "(1,)", std::string(8, '\0'))), "f8"},
      {folder_.file("table.npy", npy_of("<u4", "(1, 1)", std::string(4, '\0'))), "dimension"},
      {folder_.file("short.npy", npy_of("<u4", "(2,)", std::string(4, '\0'))), "short.npy"},
      {folder_.file("negative.npy", npy_of("<i4", "(2,)", std::string(7, '\0') + '\x80')),
       ": element 1 is negative"}};
  run([&]() -> task<> {
    for (const auto& [path, text] : wrong) {
      const auto told = co_await error_of([&] { return read_keys(path); });
      EXPECT_THAT(told, testing::StartsWith(path));
      EXPECT_THAT(told, HasSubstr(text));
    }
  });
}

TEST_P(global_keys_on, end_a_program_with_status_2_where_their_file_is_wrong) {
  const auto path = folder_.file("word.txt", "1\nx\n");
  const test::captured_stderr said;
  EXPECT_EQ(test::status_of(options, [&]() -> task<> { co_await read_keys(path); }), 2);
  EXPECT_THAT(said.text(), HasSubstr("word.txt:2:1: expected an integer"));
}

TEST_P(global_keys_on, may_be_refused_when_their_number_is_known) {
  const auto path = folder_.file("k.txt", lines_of({5, 1, 9}));
  run([&]() -> task<> {
    const auto refuse = [](std::uint64_t keys, unsigned bits) {
      EXPECT_EQ(keys, 3u);
      EXPECT_EQ(bits, 4u);
      fail(errc::out_of_memory, "too many");
    };
    const key_file_options reading{.look = refuse};
    const auto text =
        co_await error_of([&] { return read_keys(path, reading); }, errc::out_of_memory);
    EXPECT_EQ(text, "too many");
    const key_file_options elsewhere{.content = path};
    const global_keys keys = co_await read_keys("a name", elsewhere);
    EXPECT_EQ(keys.size(), 3u);
    co_await keys.destroy();
  });
}

TEST_P(global_keys_on, are_not_made_with_too_many_bits) {
  run([]() -> task<> {
    for (const unsigned bits : {0U, 65U}) {
      const auto text = co_await error_of([&] { return make_keys(5, bits, keys_of_bits(1)); });
      EXPECT_EQ(text.substr(text.find(": ") + 2),
                fmt::format("keys have 1 to 64 bits, and not {}", bits));
    }
    const auto count = [](std::uint64_t first) { return [i = first]() mutable { return i++; }; };
    const auto text = co_await error_of([&] { return make_keys(17, 4, count); });
    EXPECT_THAT(text, HasSubstr("key 16 is 16, and keys of 4 bits are less than 16"));
    const global_keys keys = co_await make_keys(16, 4, count);
    const auto replaced = co_await error_of([&]() -> task<> {
      keys.local_replace(0, 16);
      co_return;
    });
    EXPECT_THAT(replaced,
                HasSubstr(here(__LINE__ - 4) + "16 has more than the 4 bits of the keys"));
    co_await keys.destroy();
  });
}

TEST_P(global_keys_on, have_no_order_before_they_are_sorted) {
  const auto path = folder_.file("k.txt", "1\n"), out = folder_.path("out.txt");
  run([&]() -> task<> {
    const global_keys keys = co_await read_keys(path);
    const std::pair<int, std::function<task<>()>> calls[] = {
        {__LINE__, [&] { return keys.write(out); }},
        {__LINE__, [&] { return verify(keys, path); }},
        {__LINE__, [&] { return verify(keys, keys_of_bits(1)); }},
        {__LINE__, [&]() -> task<> { co_await keys.to_array(); }}};
    for (const auto& [line, call] : calls) {
      const auto text = co_await error_of(call);
      EXPECT_THAT(text, HasSubstr(here(line) + "the keys have not been sorted"));
    }
    co_await keys.destroy();
  });
}

TEST_P(global_keys_on, are_not_used_after_they_were_destroyed) {
  const auto path = folder_.file("k.txt", "1\n"), out = folder_.path("out.txt");
  run([&]() -> task<> {
    const global_keys keys = co_await read_keys(path), never;
    co_await sort(keys);
    co_await keys.destroy();
    const std::pair<int, std::function<task<>()>> calls[] = {
        {__LINE__, [&] { return sort(keys); }},
        {__LINE__, [&] { return all_sort(keys); }},
        {__LINE__, [&] { return verify(keys, path); }},
        {__LINE__, [&] { return verify(keys, keys_of_bits(1)); }},
        {__LINE__, [&] { return keys.write(out); }},
        {__LINE__, [&]() -> task<> { co_await keys.to_array(); }},
        {__LINE__, [&]() -> task<> { co_await all_rank(keys, {}); }},
        {__LINE__, [&] { return keys.destroy(); }}};
    for (const auto& [line, call] : calls) {
      const auto text = co_await error_of(call);
      EXPECT_THAT(text, HasSubstr(here(line) + "the array of keys was destroyed before"));
    }
    const auto text = co_await error_of([&] { return sort(never); });
    EXPECT_THAT(text, HasSubstr("the array of keys was never made"));
  });
}

TEST_P(global_keys_on, are_not_written_where_that_is_impossible) {
  run([&]() -> task<> {
    const global_keys keys = co_await make_keys(1000, 20, keys_of_bits(20));
    co_await sort(keys);
    auto text = co_await error_of([&] { return keys.write(folder_.path("o.el")); });
    EXPECT_THAT(text, HasSubstr("o.el: the name does not say how to write: .txt or .npy"));
    text = co_await error_of([&] { return keys.write(folder_.path("none/o.txt")); });
    EXPECT_THAT(text, HasSubstr("none/o.txt"));
    co_await keys.write(folder_.path("o.txt"));
    co_await keys.destroy();
  });
  EXPECT_EQ(bytes_in(folder_.path("o.txt")), lines_of(keys_in_order(1000, 20)));
}

TEST_P(global_keys_on, have_no_rank_beyond_the_last) {
  run_spmd([]() -> task<> {
    const global_keys keys = co_await all_make_keys(10, 5, keys_of_bits(5));
    const std::array<std::uint64_t, 1> beyond{10};
    const auto text = co_await error_of([&]() -> task<> { co_await all_rank(keys, beyond); });
    EXPECT_THAT(text, HasSubstr("10"));
    co_await keys.all_destroy();
  });
}

ATOLL_RUN_ON(global_keys_on, 1, 2, 3, 5, 8);

TEST(keys_estimate, grows_with_keys_bits_and_nodes) {
  const key_demand small{.keys = 1 << 20, .bits = 20, .pes = 2};
  const double bytes = bytes_to_sort(small);
  EXPECT_GE(bytes, 3.0 * 4 * (1 << 20));
  key_demand other = small;
  other.bits = 40;
  EXPECT_GE(bytes_to_sort(other), 3.0 * 8 * (1 << 20));
  other = small;
  other.over_nodes = true;
  EXPECT_EQ(bytes_to_sort(other), bytes + 4.0 * (1 << 20));
  other = small;
  other.of_file = true;
  EXPECT_EQ(bytes_to_sort(other), bytes + 8.0 * (1 << 20));
}

}  // namespace
