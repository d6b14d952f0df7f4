// The launcher of OpenSHMEM programs. The launcher starts the PEs as processes on this machine.

#include "app/driver/guarded.hpp"
#include "atoll/error.hpp"
#include "atoll/launch.hpp"
#include "atoll/settings.hpp"

#include <cstdio>
#include <cstdlib>
#include <span>
#include <string>
#include <string_view>

namespace atl::app {
namespace {

struct oshrun_options {
  settings job;
  job::program started;
  bool shows_help = false;
};

class word_reader {
 public:
  explicit word_reader(std::span<const char* const> words) : rest_(words) {}

  bool is_at_end() const { return rest_.empty(); }
  bool is_at_option() const { return !rest_.empty() && rest_.front()[0] == '-'; }
  std::span<const char* const> rest() const { return rest_; }

  /// Removes the next option from the arguments, and returns the option without the value after
  /// `=`.
  std::string_view take_option() {
    std::string_view word = take();
    const std::size_t equals = word.find('=');
    joined_ = word.starts_with("--") && equals != std::string_view::npos;
    if (joined_) value_ = word.substr(equals + 1);
    return word.substr(0, joined_ ? equals : word.size());
  }

  std::string value_of(std::string_view option) {
    if (joined_) return std::string(value_);
    if (rest_.empty()) fail(errc::input, "oshrun {}: its value is missing", option);
    return std::string(take());
  }

 private:
  std::string_view take() {
    const std::string_view word = rest_.front();
    rest_ = rest_.subspan(1);
    return word;
  }

  std::span<const char* const> rest_;
  bool joined_ = false;
  std::string_view value_;
};

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> names) {
  for (const std::string_view name : names)
    if (word == name) return true;
  return false;
}

/// Passes an environment variable to the PEs. `text` is `NAME=VALUE`, or the name of a variable of
/// this process.
void pass_variable(oshrun_options& options, const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals != std::string::npos)
    options.started.variables.emplace_back(text.substr(0, equals), text.substr(equals + 1));
  else if (std::getenv(text.c_str()) == nullptr)
    fail(errc::input, "oshrun -x {}: there is no variable of this name", text);
}

void take_option(oshrun_options& options, word_reader& words) {
  const std::string_view option = words.take_option();
  if (is_one_of(option, {"-np", "-n", "--np", "--n", "-c", "--pes"})) {
    options.job.set("pes", words.value_of(option), option);
  } else if (is_one_of(option, {"-x", "--x"})) {
    pass_variable(options, words.value_of(option));
  } else if (is_one_of(option, {"--tag-output", "-tag-output", "-l"})) {
    options.job.set("tag-output", "on", option);
  } else if (option.starts_with("--atoll-")) {
    options.job.set(option.substr(8), words.value_of(option), option);
  } else if (is_one_of(option, {"-h", "--help"})) {
    options.shows_help = true;
  } else if (!is_one_of(option, {"--oversubscribe", "-oversubscribe", "--allow-run-as-root",
                                 "-allow-run-as-root"})) {
    fail(errc::input, "oshrun: unknown option {} (oshrun --help)", option);
  }
}

/// Passes the settings to the PEs as environment variables.
void tell_settings_to_pes(oshrun_options& options) {
  for (const auto& row : settings_table())
    if (row.name != "pes" && options.job.origin(row.name) == "flag")
      options.started.variables.emplace_back(row.variable(), options.job.value(row.name));
}

oshrun_options read_oshrun_options(std::span<const char* const> words) {
  oshrun_options options{settings::from_environment(), {}};
  word_reader reader(words);
  while (reader.is_at_option() && !options.shows_help) take_option(options, reader);
  if (options.shows_help) return options;
  if (reader.is_at_end())
    fail(errc::input, "oshrun: no program to start: oshrun -np N PROGRAM [ARGUMENTS]");
  options.started.words.assign(reader.rest().begin(), reader.rest().end());
  options.started.file = job::find_program(options.started.words[0]);
  tell_settings_to_pes(options);
  return options;
}

const char* oshrun_help() {
  return R"(Starts an OpenSHMEM program on the PEs of this machine.

usage: oshrun [OPTIONS] PROGRAM [ARGUMENTS]

  -np N, -n N        PEs; without it, one for each physical core
  -x NAME[=VALUE]    a variable for the PEs (they have all of this environment)
  --tag-output       each line of standard output begins with its PE: [PE 3]
  --atoll-NAME VALUE a setting of the runtime (`atoll options` lists them)
  --oversubscribe, --allow-run-as-root
                     accepted for launchers that need them

PE 0 reads standard input. SIGINT and SIGTERM end the job, SIGUSR1 asks who waits where, SIGHUP,
SIGUSR2 and SIGCONT go to all PEs. The exit status is the largest of any PE, or that of
shmem_global_exit; 128 + signal where a PE was killed, which ends the others; 2 for bad input; 3 for
a job that hangs (--atoll-hang-timeout).

On several machines the same program runs under mpirun (Open MPI, MPICH): mpirun -n N PROGRAM.
PROGRAM alone is a job of one PE.

  oshcc hello.c -o hello && oshrun -np 4 ./hello
)";
}

}  // namespace
}  // namespace atl::app

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
