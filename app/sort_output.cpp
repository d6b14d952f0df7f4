#include "app/sort_output.hpp"

#include "app/output_checks.hpp"

#include <fmt/format.h>

namespace atl::app {

sort_output::sort_output(const sort_flags& flags) : path_(flags.output) {
  if (path_.empty()) return;
  for_output([&] {
    const auto ending = ending_of_content(path_);
    is_array_ = ending == "npy";
    if (!is_array_ && ending != "txt")
      fail(errc::input,
           "{}: the name does not say how to write: .txt or .npy, alone or with .gz or .zst after "
           "it",
           path_);
    if (is_on_other_rank()) return;
    refuse_to_replace(path_, flags.file, "keys");
    file_.emplace(path_);
    sink_ = graph::open_sink(*file_, compression_of(path_));
  });
}

void sort_output::write(std::string_view bytes, double done) {
  for_output([&] { sink_->write(bytes); });
  if (done < 1)
    progress_.show(fmt::format("writing {}: {:.0f} %", path_, 100 * done));
  else
    progress_.clear();
}

void sort_output::commit() {
  if (!file_) return;
  for_output([&] {
    sink_->finish();
    file_->commit();
  });
}

}  // namespace atl::app
