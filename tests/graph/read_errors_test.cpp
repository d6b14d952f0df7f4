// Tests inputs that read_edges rejects. Every error must name the file, the line and the column.

#include "graph/reading.hpp"
#include "graph/scratch_file.hpp"

#include "atoll/graph/io/read_edges.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>

namespace {

using namespace atl;

/// Returns the error for a file, without the path at its beginning. The error must not depend on
/// the number of parts in which the file is read.
std::string error_of(const std::string& path) {
  const auto message = read_whole(path, 1).error.value_or("");
  for (const std::uint64_t parts : {2, 3, 7}) {
    EXPECT_EQ(read_whole(path, parts).error.value_or(""), message) << "in " << parts;
  }
  return message.starts_with(path) ? message.substr(path.size()) : message;
}

class read_errors : public testing::Test {
 protected:
  std::string error_in(std::string_view name, std::string_view text) {
    const auto plain = error_of(folder_.file(name, text));
    const auto name_of = [&](const char* ending) { return std::string(name) + ending; };
    EXPECT_EQ(error_of(folder_.file(name_of(".gz"), gzipped(text))), plain);
    EXPECT_EQ(error_of(folder_.file(name_of(".zst"), zstd_packed(text))), plain);
    return plain;
  }

  scratch_folder folder_;
};

TEST_F(read_errors, a_field_that_is_no_id) {
  EXPECT_EQ(error_in("a.el", "1 2\n3 x\n"), ":2:3: expected an integer vertex id, found 'x'");
  EXPECT_EQ(error_in("a.el", "1 2\n  x 3\n"), ":2:3: expected an integer vertex id, found 'x'");
  EXPECT_EQ(error_in("a.el", "1 2x\n"), ":1:3: expected an integer vertex id, found '2x'");
  EXPECT_EQ(error_in("a.el", "1,2\n"), ":1:1: expected an integer vertex id, found '1,2'");
  EXPECT_EQ(error_in("a.el", "1 1.5\n"), ":1:3: expected an integer vertex id, found '1.5'");
  EXPECT_EQ(error_in("a.el", "1 +5\n"), ":1:3: expected an integer vertex id, found '+5'");
  EXPECT_EQ(error_in("a.el", "1 -\n"), ":1:3: expected an integer vertex id, found '-'");
  EXPECT_EQ(error_in("a.el", "1 2\r3 x"), ":2:3: expected an integer vertex id, found 'x'");
  EXPECT_EQ(error_in("a.el", "1 " + std::string(100, 'y')),
            ":1:3: expected an integer vertex id, found '" + std::string(32, 'y') + "...'");
}

TEST_F(read_errors, an_id_out_of_range) {
  EXPECT_EQ(error_in("a.el", "\n\n5 281474976710656\n"),
            ":3:3: vertex id '281474976710656' is out of range (0 to 281474976710655)");
  EXPECT_EQ(error_in("a.el", "-1 5\n"),
            ":1:1: vertex id '-1' is out of range (0 to 281474976710655)");
  for (const auto* large : {"18446744073709551615", "18446744073709551616", "18446744073709551617",
                            "99999999999999999999999999999999"}) {
    EXPECT_EQ(error_in("a.el", std::string(large) + " 1\n"),
              ":1:1: vertex id '" + std::string(large) +
                  "' is out of range (0 to 281474976710655)");
  }
}

TEST_F(read_errors, a_line_with_too_few_or_too_many_fields) {
  EXPECT_EQ(error_in("a.el", "1 2\n3\n"),
            ":2:2: expected an integer vertex id, found the end of the line");
  EXPECT_EQ(error_in("a.el", "1  \r\n"),
            ":1:4: expected an integer vertex id, found the end of the line");
  EXPECT_EQ(error_in("a.el", "1"),
            ":1:2: expected an integer vertex id, found the end of the line");
  EXPECT_EQ(error_in("a.el", "1 2 3\n"), ":1:5: expected the end of the line, found '3'");
  EXPECT_EQ(error_in("a.el", "1 2 # why\n"), ":1:5: expected the end of the line, found '#'");
  EXPECT_EQ(error_in("a.wel", "1 2 3\n4 5\n"),
            ":2:4: expected a weight, found the end of the line");
  EXPECT_EQ(error_in("a.wel", "1 2 3 4\n"), ":1:7: expected the end of the line, found '4'");
}

TEST_F(read_errors, a_weight_that_is_none) {
  EXPECT_EQ(error_in("a.wel", "1 2 x\n"), ":1:5: expected a weight, found 'x'");
  EXPECT_EQ(error_in("a.wel", "1 2 +-5\n"), ":1:5: expected a weight, found '+-5'");
  EXPECT_EQ(error_in("a.wel", "1 2 99999999999999999999x\n"),
            ":1:5: expected a weight, found '99999999999999999999x'");
}

TEST_F(read_errors, columns_of_a_tsv) {
  EXPECT_EQ(error_in("a.tsv", "a\tb\nc\n"), ":2:2: expected a tab and a second column");
  EXPECT_EQ(error_in("a.tsv", "1\t2\n3 4\n"), ":2:4: expected a tab and a second column");
  EXPECT_EQ(
      error_in("a.tsv", "a\tb\tc\n"),
      ":1:4: expected the end of the line, found a third column; where it holds weights, they are "
      "numbers in the first line too, or --weights says which column has them");
  EXPECT_EQ(error_in("a.tsv", "\tb\n"), ":1:1: the first column is empty");
  EXPECT_EQ(error_in("a.tsv", "a\t\r\n"), ":1:3: the second column is empty");
  EXPECT_EQ(error_in("a.tsv", std::string("a\tb\nc\t d\0e\n", 11)),
            ":2:5: the name holds a control character: is the file text?");
  EXPECT_EQ(error_in("a.tsv", "a\t" + std::string(65536, 'n')),
            ":1:3: the name is longer than 65535 bytes");
  EXPECT_EQ(error_in("a.tsv", "a\t" + std::string(65535, 'n')), "");
}

TEST_F(read_errors, an_integer_out_of_range_counts_where_all_ends_are_integers) {
  EXPECT_EQ(error_in("a.tsv", "1\t2\n3\t-4\n5\t281474976710656\n"),
            ":2:3: vertex id '-4' is out of range (0 to 281474976710655)");
  EXPECT_EQ(error_in("a.tsv", "1\t2\n3\t-4\n5\tx\n"), "");
}

TEST_F(read_errors, a_line_without_an_end) {
  const std::string_view complaint = ":2:1: the line is longer than 1048576 bytes";
  EXPECT_EQ(error_in("a.el", "1 2\n#" + std::string(3 << 20, '.')), complaint);
  EXPECT_EQ(error_in("a.el", "1 2\n#" + std::string(3 << 20, '.') + "\n1 2\n"), complaint);
  EXPECT_EQ(error_in("a.el", "1 2\n#" + std::string((1 << 20) - 2, '.')), "");
}

TEST_F(read_errors, lines_are_counted_from_the_beginning_of_the_file) {
  std::string text;
  for (int i = 0; i < 500'000; ++i) text += "17 4\n";
  EXPECT_EQ(error_in("a.el", text + "17 z\n" + text),
            ":500001:4: expected an integer vertex id, found 'z'");
}

TEST_F(read_errors, the_first_line_comes_before_all_others) {
  std::string text = "1 2\n3 x\n";
  for (int i = 0; i < 300'000; ++i) text += "17 4\n";
  EXPECT_EQ(error_in("a.el", text + "y\n"), ":2:3: expected an integer vertex id, found 'x'");
}

TEST_F(read_errors, bytes_that_are_no_text) {
  EXPECT_EQ(error_in("a.el", std::string("1 \0\x01\xff\n", 6)),
            ":1:3: expected an integer vertex id, found '\\x00\\x01\\xff'");
  EXPECT_EQ(error_in("a.el", std::string("1\0 2\n", 5)),
            ":1:1: expected an integer vertex id, found '1\\x00'");
}

// Returns an error about the file as a whole, which names no line.
std::string refusal(const std::string& path) {
  try {
    read_edges(path);
  } catch (const error& e) {
    EXPECT_EQ(e.code(), errc::input);
    EXPECT_EQ(e.exit_status(), 2);
    return std::string(e.what()).substr(path.size());
  }
  return "";
}

TEST_F(read_errors, a_limit_of_open_files_is_named) {
  const std::string path = folder_.file("a.el", "1 2\n");
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
  const rlimit few{3, before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &few), 0);
  const std::string text = refusal(path);
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &before), 0);
  EXPECT_EQ(text, ": cannot open: Too many open files; is there room below the limit of open files "
                  "(ulimit -n, now 3)?");
}

TEST_F(read_errors, files_that_cannot_be_opened) {
  EXPECT_EQ(refusal(folder_.path("none.el")), ": cannot open: No such file or directory");
  std::filesystem::create_directory(folder_.path("folder.el"));
  EXPECT_EQ(refusal(folder_.path("folder.el")), ": cannot read: it is a directory");
  EXPECT_EQ(refusal(folder_.file("file", "") + "/a.el"), ": cannot open: Not a directory");
  ASSERT_EQ(::mkfifo(folder_.path("pipe.el").c_str(), 0600), 0);
  EXPECT_EQ(refusal(folder_.path("pipe.el")),
            ": cannot read: it is not a regular file, and reading in parallel needs one");
}

TEST_F(read_errors, compression_that_the_name_does_not_tell) {
  EXPECT_EQ(error_of(folder_.file("a.el", gzipped("1 2\n"))),
            ":1:1: the file is compressed with gzip, but its name does not end in .gz");
  EXPECT_EQ(error_of(folder_.file("a.tsv", zstd_packed("1\t2\n"))),
            ":1:1: the file is compressed with zstd, but its name does not end in .zst");
  EXPECT_EQ(error_of(folder_.file("a.el.gz", "1 2\n")),
            ":1:1: the file does not hold gzip data, as its name says");
  EXPECT_EQ(error_of(folder_.file("a.el.zst", "1 2\n")),
            ":1:1: the file does not hold zstd data, as its name says");
  EXPECT_EQ(error_of(folder_.file("a.el.zst", gzipped("1 2\n"))),
            ":1:1: the file does not hold zstd data, as its name says");
}

TEST_F(read_errors, compressed_files_that_were_cut_short) {
  const std::string text = "1 2\n3 4\n5 6\n";
  const auto gzip = gzipped(text), zstd = zstd_packed(text);
  const std::string_view complaint = "data ends in the middle: the file was cut short";
  for (std::size_t size = 0; size < gzip.size(); ++size) {
    EXPECT_THAT(error_of(folder_.file("a.el.gz", gzip.substr(0, size))),
                testing::EndsWith(complaint));
  }
  for (std::size_t size = 0; size < zstd.size(); ++size) {
    EXPECT_THAT(error_of(folder_.file("a.el.zst", zstd.substr(0, size))),
                testing::EndsWith(complaint));
  }
}

TEST_F(read_errors, the_line_where_compressed_data_ends) {
  const auto first = gzipped("1 2\n3 4\n"), second = gzipped("5 6\n");
  EXPECT_EQ(error_of(folder_.file("a.el.gz", first + second.substr(0, 9))),
            ":3:1: the gzip data ends in the middle: the file was cut short");
  EXPECT_EQ(error_of(folder_.file("a.el.gz", first + "junk")),
            ":3:1: the gzip data is damaged: incorrect header check");
}

TEST_F(read_errors, compressed_files_that_are_damaged) {
  std::string text;
  for (int i = 0; i < 1000; ++i) text += std::to_string(i) + " " + std::to_string(i * 7919) + "\n";
  auto gzip = gzipped(text);
  gzip[gzip.size() - 6] ^= 1;
  EXPECT_EQ(error_of(folder_.file("a.el.gz", gzip)),
            ":1001:1: the gzip data is damaged: incorrect data check");
  auto zstd = zstd_packed(text);
  zstd.resize(zstd.size() - 1);
  zstd[zstd.size() / 2] ^= 64;
  EXPECT_NE(error_of(folder_.file("a.el.zst", zstd)), "");
}

TEST_F(read_errors, a_window_that_would_take_too_much_memory) {
  // The header of the frame states a window of 4 GiB, and no data follows.
  const std::string frame("\x28\xb5\x2f\xfd\x00\xb0", 6);
  EXPECT_EQ(error_of(folder_.file("a.el.zst", frame)),
            ":1:1: the zstd data is damaged: Frame requires too much memory for decoding");
}

}  // namespace
