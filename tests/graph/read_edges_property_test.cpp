// Random texts are read by `read_edges` in several parts, and also by a simple reader. `read_edges`
// and the simple reader must find the same edges and errors.

#include "graph/naive_reader.hpp"
#include "graph/reading.hpp"
#include "graph/scratch_file.hpp"

#include <gtest/gtest.h>
#include <random>

namespace {

using namespace atl;

class text_maker {
 public:
  explicit text_maker(std::uint64_t seed) : random_(seed) {}

  std::string text(edge_format format) {
    std::string result = chance(20) ? "\xef\xbb\xbf" : "";
    const auto lines = below(30);
    fault_rate_ = chance(3) ? 0 : 60;
    names_ = chance(2);
    for (std::uint64_t i = 0; i < lines; ++i) result += line(format) + (chance(4) ? "\r\n" : "\n");
    if (chance(2) && !result.empty()) result.pop_back();
    return result;
  }

  std::uint64_t below(std::uint64_t bound) { return random_() % bound; }

 private:
  bool chance(std::uint64_t one_in) { return below(one_in) == 0; }

  std::string line(edge_format format) {
    if (chance(8)) return blanks(0) + (chance(2) ? "# " : "%") + "comment";
    if (chance(10)) return blanks(0);
    if (format == edge_format::txt || format == edge_format::csv) return published_line();
    const bool tsv = format == edge_format::tsv;
    auto result = (tsv ? "" : blanks(0)) + vertex(tsv) + (tsv ? "\t" : blanks(1)) + vertex(tsv);
    if (format == edge_format::wel) result += blanks(1) + integer();
    if (!tsv) result += blanks(0);
    if (fault_rate_ > 0 && chance(fault_rate_)) result += fault();
    return result;
  }

  // Returns a random line of a list of edges. In a valid .csv file, the first line may contain the
  // titles of the columns.
  std::string published_line() {
    if (chance(15)) return blanks(0) + "// comment";
    if (chance(15)) return "from, to";
    auto result = blanks(0) + vertex(false) + separator() + vertex(false);
    if (chance(3)) result += separator() + integer() + "," + (chance(2) ? fault() : integer());
    return result + (fault_rate_ > 0 && chance(fault_rate_) ? fault() : "");
  }

  std::string separator() {
    static const std::string separators[] = {" ", ",", ";", "\t"};
    return blanks(0) + separators[below(std::size(separators))] + blanks(0);
  }

  std::string vertex(bool tsv) {
    if (fault_rate_ > 0 && chance(fault_rate_)) return fault();
    if (tsv && names_ && chance(5)) return "name" + std::to_string(below(5));
    return std::string(chance(10) ? below(30) : 0, '0') +
           std::to_string(random_() >> (16 + below(48)));
  }

  std::string integer() {
    return (chance(3) ? "-" : "") + std::to_string(random_() >> (1 + below(63)));
  }

  std::string blanks(std::size_t least) {
    std::string result(least + (chance(5) ? below(4) : 0), ' ');
    for (char& c : result) c = chance(3) ? '\t' : ' ';
    return result;
  }

  std::string fault() {
    static const std::string faults[] = {"x",
                                         "-1",
                                         "281474976710656",
                                         "18446744073709551617",
                                         "",
                                         " ",
                                         "\t",
                                         "\r",
                                         "\n",
                                         "#",
                                         "1 2 3",
                                         std::string(1, '\0'),
                                         "\x7f",
                                         "\xff",
                                         "1.5",
                                         "+1",
                                         "a b",
                                         "99999999999999999999999999",
                                         std::string(80, '1')};
    return faults[below(std::size(faults))];
  }

  std::mt19937_64 random_;
  std::uint64_t fault_rate_ = 0;
  bool names_ = false;
};

void compare(const std::string& path, const naive::graph& expected, const read_options& options) {
  for (const std::uint64_t parts : {1, 2, 3, 7}) {
    const auto found = read_whole(path, parts, options);
    ASSERT_EQ(found.error.has_value(), expected.error.has_value()) << found.error.value_or("");
    if (expected.error) {
      ASSERT_EQ(reading::place_in(*found.error, path), *expected.error) << *found.error;
    } else {
      ASSERT_EQ(found.edges, naive::sorted_edges(expected));
      ASSERT_EQ(found.uses_names, expected.uses_names);
      ASSERT_EQ(found.lines, expected.lines);
      ASSERT_EQ(found.uneven_lines, expected.uneven_lines);
      const auto vertices = found.declared ? found.declared->vertices : 0;
      ASSERT_EQ(vertices, expected.vertices.value_or(0));
    }
  }
}

void try_texts(edge_format format) {
  const scratch_folder folder;
  const auto name = "a." + std::string(name_of(format));
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    text_maker maker(seed);
    const auto text = maker.text(format);
    read_options options;
    options.longest_line = 16 + maker.below(200);
    const auto expected = naive::read(text, format, options.longest_line);
    compare(folder.file(name, text), expected, options);
    compare(folder.file(name + ".gz", gzipped(text)), expected, options);
    compare(folder.file(name + ".zst", zstd_packed(text)), expected, options);
    if (testing::Test::HasFatalFailure()) break;
  }
}

TEST(read_edges_property, el) { try_texts(edge_format::el); }
TEST(read_edges_property, wel) { try_texts(edge_format::wel); }
TEST(read_edges_property, tsv) { try_texts(edge_format::tsv); }
TEST(read_edges_property, txt) { try_texts(edge_format::txt); }
TEST(read_edges_property, csv) { try_texts(edge_format::csv); }

}  // namespace
