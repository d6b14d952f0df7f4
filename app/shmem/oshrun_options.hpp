#pragma once
// The command line of `oshrun`.

#include "atoll/job/program_job.hpp"
#include "atoll/settings.hpp"

#include <span>

namespace atl::app {

struct oshrun_options {
  settings job;
  job::program started;
  bool shows_help = false;
};

/// Takes the words behind the program's name: options, up to the first word that is none, and the
/// program with its own. Throws atl::error (input).
oshrun_options read_oshrun_options(std::span<const char* const> words);

/// What `oshrun --help` says.
const char* oshrun_help();

}  // namespace atl::app
