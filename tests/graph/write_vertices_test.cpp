// All PEs of a job together write files about vertices. The files are compared with the output of
// simple code.

#include "atoll/graph/vertex_file.hpp"

#include "atoll/collectives.hpp"
#include "atoll/graph/io/byte_streams.hpp"
#include "graph/scratch_file.hpp"
#include "graph/unpacking.hpp"
#include "support/run_on.hpp"

#include <fmt/core.h>

namespace {

using namespace atl;

// The vertices fill more than two blocks, and the last block is not full.
constexpr std::uint64_t vertices = 40'000;
constexpr vertex_column columns[] = {{"friend", true}, {"worth"}};

// Some vertices have no value.
std::int64_t value_of(std::uint64_t vertex, std::size_t column) {
  if (vertex % 5 == 3) return no_value;
  return static_cast<std::int64_t>(column == 0 ? vertex * 7919 % vertices : vertex * vertex);
}

// Some vertices have no name.
std::string name_of(std::uint64_t vertex) {
  return vertex % 10 == 0 ? "" : fmt::format("v{}", vertex);
}

std::string shown(std::uint64_t vertex, bool named) {
  const auto name = named ? name_of(vertex) : "";
  return name.empty() ? std::to_string(vertex) : name;
}

std::string plain_text(bool named) {
  std::string text = "vertex,friend,worth\n";
  for (std::uint64_t v = 0; v < vertices; ++v) {
    if (value_of(v, 0) == no_value) continue;
    const auto other = static_cast<std::uint64_t>(value_of(v, 0));
    text += fmt::format("{},{},{}\n", shown(v, named), shown(other, named), value_of(v, 1));
  }
  return text;
}

/// Returns a partition in which the number of vertices of PE p is proportional to p. With several
/// PEs, PE 0 owns no vertex.
partition uneven() {
  partition shape;
  shape.vertices = vertices;
  const auto all = static_cast<std::uint64_t>(pes());
  for (std::uint64_t pe = 0; pe < all; ++pe)
    shape.boundaries.push_back(vertices * pe * (pe - (pe > 0 ? 1 : 0)) / (all * all));
  shape.boundaries.push_back(vertices);
  return shape;
}

/// The last PE has all names. Some vertices have no name.
graph::name_part names_here() {
  graph::name_part part;
  const auto all = static_cast<std::size_t>(pes());
  part.boundaries.assign(all, 0);
  part.boundaries.push_back(vertices);
  for (std::uint64_t v = 0; my_pe() == pes() - 1 && v < vertices; ++v) part.names.add(name_of(v));
  return part;
}

class written_vertices : public test::on_pes {
 protected:
  std::string write(vertex_format format, bool named) const {
    std::string file;
    double last = 0;
    run_spmd([&]() -> task<> {
      const partition shape = uneven();
      const auto names = named ? names_here() : graph::name_part();
      const std::uint64_t first = shape.begin(my_pe());
      const auto value = [first](std::uint64_t row, std::size_t column) {
        return value_of(first + row, column);
      };
      const vertex_values values{shape, columns, value};
      const file_taker take = [&](std::string_view bytes, double done) {
        EXPECT_EQ(my_pe(), 0);
        EXPECT_GE(done, last);
        last = done;
        file += bytes;
      };
      co_await all_write_vertices(values, names, format, take);
    });
    EXPECT_EQ(last, 1);
    return file;
  }
};

TEST_P(written_vertices, are_those_of_a_plain_loop) {
  EXPECT_EQ(write({vertex_style::csv, compression::none}, false), plain_text(false));
  EXPECT_EQ(write({vertex_style::csv, compression::none}, true), plain_text(true));
}

TEST_P(written_vertices, are_compressed_in_the_same_blocks_for_any_number_of_pes) {
  for (const auto packing : {compression::gzip, compression::zstd}) {
    const auto file = write({vertex_style::csv, packing}, true);
    EXPECT_EQ(unpacked(file, packing), plain_text(true));
    const auto text = plain_text(true);
    std::string expected = graph::packed(text.substr(0, text.find('\n') + 1), packing);
    for (std::uint64_t begin = 0; begin < vertices; begin += 1 << 14) {
      const auto line = [&](std::uint64_t vertex) {
        while (vertex < vertices && value_of(vertex, 0) == no_value) ++vertex;
        return vertex < vertices ? text.find("\n" + shown(vertex, true) + ",") + 1 : text.size();
      };
      expected +=
          graph::packed(text.substr(line(begin), line(begin + (1 << 14)) - line(begin)), packing);
    }
    EXPECT_TRUE(file == expected);
  }
}

TEST_P(written_vertices, may_be_none) {
  run_spmd([]() -> task<> {
    partition shape;
    shape.boundaries.assign(static_cast<std::size_t>(pes()) + 1, 0);
    const vertex_values values{shape, columns, [](auto, auto) { return no_value; }};
    std::string file;
    const file_taker take = [&](std::string_view bytes, double) { file += bytes; };
    co_await all_write_vertices(values, graph::name_part(), {}, take);
    EXPECT_EQ(file, my_pe() == 0 ? "# vertex\tfriend\tworth\n" : "");
  });
}

TEST_P(written_vertices, that_nobody_can_take_end_the_job) {
  const auto program = []() -> task<> {
    const auto write = []() -> task<> {
      const partition shape = uneven();
      const vertex_values values{shape, columns, [](auto, auto) { return std::int64_t{7}; }};
      const file_taker take = [](std::string_view, double done) {
        if (done > 0) fail(errc::environment, "the disk is full, says the test");
      };
      co_await all_write_vertices(values, graph::name_part(), {}, take);
    };
    co_await together(write);
  };
  EXPECT_EQ(test::status_of(options, program), 2);
}

ATOLL_RUN_ON_ALL(written_vertices);

}  // namespace
