#include "atoll/graph/io/remarks.hpp"

namespace atl::graph {

void add_remarks(std::vector<std::string>& remarks, const read_counts& counts,
                 const std::optional<error>& uneven, const std::optional<error>& word) {
  if (uneven && counts.uneven_lines > 0)
    remarks.push_back(fmt::format("{}; {} of {} lines differ from that one", uneven->what(),
                                  counts.uneven_lines, counts.edges));
  constexpr std::uint64_t few = 4;
  const auto ends = 2 * counts.edges;
  if (word && few * counts.words <= ends)
    remarks.push_back(fmt::format("{} of {} ends of edges {} no integer, such as {}: all of them "
                                  "are taken for names",
                                  counts.words, ends, counts.words == 1 ? "is" : "are",
                                  word->what()));
}

std::string remark_on_first_id(const std::string& path) {
  return fmt::format("vertex 0 has no edge, as the smallest id in {} is 1; with --compact only ids "
                     "that occur are vertices",
                     path);
}

}  // namespace atl::graph
