// The launcher of OpenSHMEM programs: PEs as processes of this machine.

#include "app/guarded.hpp"
#include "app/shmem/oshrun_options.hpp"

#include <cstdio>

int main(int argc, char** argv) {
  using namespace atl;
  return app::guarded([&] {
    const auto options = app::read_oshrun_options({argv + 1, argv + argc});
    if (options.shows_help) {
      std::fputs(app::oshrun_help(), stdout);
      return 0;
    }
    return job::run_program(options.job, options.started);
  });
}
