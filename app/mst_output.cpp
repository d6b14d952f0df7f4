#include "app/mst_output.hpp"

#include "app/output_checks.hpp"

namespace atl::app {

mst_output::mst_output(const mst_flags& flags) {
  if (flags.output.empty()) return;
  for_output([&] {
    (void)file_format_of(flags.output);
    if (is_on_other_rank()) return;
    refuse_to_replace(flags.output, flags.files.edges, "edges");
    refuse_to_replace(flags.output, flags.files.names, "names");
    writer_.emplace(flags.output);
  });
}

void mst_output::write(edge of, std::int64_t weight) {
  for_output([&] { writer_->write(of, weight); });
}

void mst_output::commit() {
  if (wanted()) for_output([&] { writer_->commit(); });
}

}  // namespace atl::app
