#pragma once
// The command line of the stand-alone programs: `--name value`, `--name=value` and `--help`.

#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace bench {

/// A mistake of the user. The program prints the text and exits with status 2.
struct bad_input : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The flags of one program. Each flag sets a variable, whose value before parsing is the default.
class flags {
 public:
  explicit flags(std::string purpose) : purpose_(std::move(purpose)) {}

  void add(std::string name, std::uint64_t& value, std::uint64_t least, std::uint64_t most,
           std::string help);
  void add(std::string name, double& value, double least, double most, std::string help);
  void add(std::string name, std::string& value, std::string help);
  /// Adds a flag without a value.
  void add(std::string name, bool& value, std::string help);

  /// Parses the command line. Returns false if `--help` was given and printed. Throws bad_input.
  bool parse(int argc, char** argv) const;

 private:
  struct flag {
    std::string name, kind, default_value, help;
    std::function<void(std::string_view)> set;
    bool takes_value() const { return !kind.empty(); }
  };
  const flag& find(std::string_view name) const;
  void print_help(const std::string& program) const;

  std::string purpose_;
  std::vector<flag> flags_;
};

/// Parses the command line, runs `body`, and prints an exception as a line on standard error.
/// Returns the status of main: 0 for success, 1 if `body` returned false for a wrong result, 2 for
/// bad input or environment.
int run_program(const flags& options, int argc, char** argv, const std::function<bool()>& body);

}  // namespace bench
