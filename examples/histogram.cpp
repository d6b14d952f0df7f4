// This example makes three histograms: of a column of a CSV file, of the degrees of a graph, and
// one that needs more buckets than one PE should store. Usage: histogram [FILE COLUMN]

#include <algorithm>
#include <atoll/atoll.hpp>
#include <atoll/graph.hpp>
#include <atoll/random_graph.hpp>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <fmt/core.h>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

constexpr std::string_view k_islands =
    "island,lagoon depth\n"
    "Rangiroa,35\nFakarava,60\nTikehau,32\nManihi,33\nAratika,42\n"
    "Ahe,70\nApataki,45\nArutua,29\nKaukura,18\nToau,48\n";

/// Returns the finite numbers of one column.
std::vector<double> column_of(std::string_view csv, std::size_t column) {
  std::vector<double> values;
  while (!csv.empty()) {
    std::string_view line = csv.substr(0, csv.find('\n'));
    csv.remove_prefix(std::min(line.size() + 1, csv.size()));
    for (std::size_t skipped = 0; skipped < column; ++skipped)
      line.remove_prefix(std::min(line.find(','), line.size() - 1) + 1);
    double value = 0;
    if (std::from_chars(line.begin(), line.end(), value).ec != std::errc()) continue;
    if (std::isfinite(value)) values.push_back(value);
  }
  return values;
}

/// Shows a column. Each PE counts the values that it stores, because loops and arrays are divided
/// among the PEs in the same way.
atl::task<> show_column(std::string_view csv, std::size_t column) {
  const std::vector<double> read = column_of(csv, column);
  if (read.empty())
    throw atl::error(atl::errc::input, fmt::format("column {} has no numbers", column));
  const auto values = co_await atl::make_array<double>(read.size());
  co_await atl::put(values, 0, read);
  const atl::min<double> smaller;
  const atl::max<double> larger;
  const double lowest = co_await atl::parallel_for(
      read.size(), smaller, [=](auto i, double& mine) { smaller.fold(mine, *values[i].local()); });
  const double highest = co_await atl::parallel_for(
      read.size(), larger, [=](auto i, double& mine) { larger.fold(mine, *values[i].local()); });
  const double width = (highest - lowest) / 10;
  const auto counts =
      co_await atl::parallel_for(read.size(), atl::histogram(10), [=](std::uint64_t i, auto mine) {
        const double place = width > 0 ? (*values[i].local() - lowest) / width : 0;
        ++mine[std::min<std::size_t>(static_cast<std::size_t>(place), 9)];
      });
  fmt::print("{} values from {} to {}\n", read.size(), lowest, highest);
  for (std::size_t k = 0; k < counts.size(); ++k)
    fmt::print("{:6.1f} |{}\n", lowest + width * static_cast<double>(k),
               std::string(counts[k], '#'));
  co_await values.destroy();
}

/// Shows how many vertices have a degree of 2^k to 2^(k+1) - 1.
atl::task<> show_degrees() {
  const atl::generator_parameters kronecker{.scale = 14};
  const auto graph =
      co_await atl::make_graph(kronecker.edges(), atl::random_graph_generator(kronecker));
  const auto counts = co_await atl::parallel_for(
      std::uint64_t(atl::pes()), atl::histogram(16), [graph](std::uint64_t, auto mine) {
        for (std::uint64_t k = 0; k < graph.local_vertices(); ++k)
          ++mine[std::bit_width(graph.degree(graph.first_vertex() + k))];
      });
  for (std::size_t k = 0; k < counts.size(); ++k)
    fmt::print("degree below {:5}: {:5} vertices\n", std::uint64_t{1} << k, counts[k]);
  co_await graph.destroy();
}

/// Counts hashes in a million buckets, which are distributed over all PEs.
atl::task<> show_many_buckets() {
  using atl::sum;
  const auto counts = atl::make_instance<std::uint64_t>(atl::interval(0, 1 << 20),
                                                        atl::instance_placement::spread());
  co_await counts.ready();
  const auto count_some = [counts]() -> atl::task<> {
    atl::automatic_instance mine(sum<std::uint64_t>(), counts.part());
    for (int i = atl::my_pe(); i < 100'000; i += atl::pes())
      mine.reduce(atl::hash(static_cast<std::uint64_t>(i)) % (1 << 20), 1);
    const atl::event merged = mine.merge();
    co_await merged;
  };
  co_await atl::on_all_pes(count_some);
  const atl::region_elements<std::uint64_t> found(counts.part());
  const auto taken = co_await atl::parallel_for(
      1 << 20, sum<std::uint64_t>(), [found](std::uint64_t i, std::uint64_t& mine) -> atl::task<> {
        mine += co_await found.read(i) != 0 ? 1 : 0;
      });
  fmt::print("100000 numbers in {} of {} buckets\n", taken, 1 << 20);
  co_await counts.destroy();
}

std::string text_of(const char* file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw atl::error(atl::errc::input, fmt::format("cannot read {}", file));
  return {std::istreambuf_iterator<char>(in), {}};
}

int main(int argc, char** argv) {
  const auto program = [&]() -> atl::task<> {
    if (argc == 3) {
      const std::string text = text_of(argv[1]);
      co_return co_await show_column(text, std::strtoul(argv[2], nullptr, 10));
    }
    co_await show_column(k_islands, 1);
    co_await show_degrees();
    co_await show_many_buckets();
  };
  return atl::run(argc, argv, program);
}
