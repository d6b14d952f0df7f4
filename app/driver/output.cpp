#include "app/driver/output.hpp"

#include "app/flags.hpp"
#include "atoll/launch.hpp"

#include <filesystem>
#include <fmt/format.h>

namespace atl::app {

bool is_on_other_rank() {
  const auto launched = job::present_launch();
  return launched && launched->rank != 0;
}

void refuse_to_replace(const std::string& path, const std::string& input, const char* what) {
  std::error_code missing;
  if (!input.empty() && std::filesystem::equivalent(path, input, missing))
    fail(errc::input, "{} is the file of {} that is read", path, what);
}

vertex_output::vertex_output(const graph_flags& flags) : path_(flags.output) {
  if (path_.empty()) return;
  for_output([&] {
    format_ = vertex_format_of(path_);
    if (is_on_other_rank()) return;
    refuse_to_replace(path_, flags.files.edges, "edges");
    refuse_to_replace(path_, flags.files.names, "names");
    file_.emplace(path_);
  });
}

void vertex_output::check_names(bool named) const {
  if (!wanted() || format_.style != vertex_style::npy || !named) return;
  fail(errc::input,
       "--output: {}: an array has no place for the names that the vertices have in the file of "
       "edges: .txt, .tsv and .csv have",
       path_);
}

file_taker vertex_output::taker() {
  return [this](std::string_view bytes, double done) {
    for_output([&] { file_->write(bytes); });
    if (done > 0 && done < 1) {
      progress_.show(fmt::format("writing {}: {:.0f} %", path_, 100 * done));
    } else {
      progress_.clear();
    }
  };
}

void vertex_output::commit() {
  if (wanted()) for_output([&] { file_->commit(); });
}

void add_output_flag(CLI::App& command, graph_flags& flags, const std::string& what) {
  add_text_flag(command, "-o,--output", "FILE", flags.output,
                what + ": .txt, .tsv, .csv or .npy, also as .gz or .zst")
      .under("Output");
}

}  // namespace atl::app
