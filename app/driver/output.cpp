#include "app/driver/output.hpp"

#include "app/flags.hpp"
#include "atoll/launch.hpp"
#include "atoll/output_file.hpp"

#include <filesystem>
#include <fmt/format.h>

namespace atl::app {
namespace {

/// Returns whether both paths name the same file. The file need not exist.
bool are_one_file(const std::string& a, const std::string& b) {
  if (a.empty() || b.empty() || a == "-" || b == "-") return false;
  std::error_code failure;
  if (std::filesystem::equivalent(a, b, failure)) return true;
  const auto whole = [](const std::string& path) {
    std::error_code no_folder;
    const auto found = std::filesystem::weakly_canonical(path, no_folder);
    return no_folder ? std::filesystem::path(path) : found;
  };
  return whole(a) == whole(b);
}

}  // namespace

void refuse_shared_files(const std::vector<used_file>& read,
                         const std::vector<used_file>& written) {
  for (std::size_t i = 0; i < written.size(); ++i) {
    const used_file& file = written[i];
    for (const used_file& input : read)
      if (are_one_file(file.path, input.path))
        fail(errc::input, "{}: {} is the file of {} that is read", file.flag, file.path,
             input.flag);
    for (std::size_t j = 0; j < i; ++j)
      if (are_one_file(file.path, written[j].path))
        fail(errc::input, "{}: {} is the file of {}, too", file.flag, file.path, written[j].flag);
  }
}

bool is_on_other_rank() {
  const auto launched = job::present_launch();
  return launched && launched->rank != 0;
}

result_output::result_output(std::string path, void (*check_name)(const std::string&))
    : path_(std::move(path)) {
  if (path_.empty()) return;
  for_output([&] {
    check_name(path_);
    if (!is_on_other_rank()) check_output(path_);
  });
}

vertex_output::vertex_output(const graph_flags& flags)
    : result_output(flags.output,
                    [](const std::string& path) { static_cast<void>(vertex_format_of(path)); }) {}

void vertex_output::check_names(const vertex_names& names, bool by_file_of_edges) const {
  if (!wanted() || vertex_format_of(path()).style != vertex_style::npy) return;
  if (!names.any() || names.are_ids() || !by_file_of_edges) return;
  fail(errc::input,
       "--output: {}: an array has no place for the names that the vertices have in the file of "
       "edges: .txt, .tsv and .csv have",
       path());
}

void add_output_flag(CLI::App& command, graph_flags& flags, const std::string& what) {
  add_text_flag(command, "-o,--output", "FILE", flags.output,
                what + ": .txt, .tsv, .csv or .npy, also as .gz or .zst")
      .under("Output");
}

}  // namespace atl::app
