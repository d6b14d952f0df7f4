#include "support/flags.hpp"

#include <charconv>
#include <cstdio>
#include <sstream>

namespace bench {
namespace {

/// Parses a number. `text` must consist of a number from `least` to `most`.
template <class Number>
Number parse_number(const std::string& name, std::string_view text, Number least, Number most) {
  Number value{};
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = status == std::errc{} && end == text.data() + text.size();
  if (whole && value >= least && value <= most) return value;
  std::ostringstream sentence;
  sentence << "--" << name << ": '" << text << "' is not a number from " << least << " to " << most;
  throw bad_input(sentence.str());
}

template <class Number>
std::string to_text(Number value) {
  std::ostringstream text;
  text << value;
  return text.str();
}

std::string base_name(const std::string& path) { return path.substr(path.rfind('/') + 1); }

}  // namespace

void flags::add(std::string name, std::uint64_t& value, std::uint64_t least, std::uint64_t most,
                std::string help) {
  auto set = [&value, name, least, most](std::string_view text) {
    value = parse_number(name, text, least, most);
  };
  flags_.push_back({std::move(name), "N", to_text(value), std::move(help), std::move(set)});
}

void flags::add(std::string name, double& value, double least, double most, std::string help) {
  auto set = [&value, name, least, most](std::string_view text) {
    value = parse_number(name, text, least, most);
  };
  flags_.push_back({std::move(name), "X", to_text(value), std::move(help), std::move(set)});
}

void flags::add(std::string name, std::string& value, std::string help) {
  auto set = [&value](std::string_view text) { value = text; };
  flags_.push_back({std::move(name), "TEXT", value, std::move(help), std::move(set)});
}

void flags::add(std::string name, bool& value, std::string help) {
  auto set = [&value](std::string_view) { value = true; };
  flags_.push_back({std::move(name), "", "", std::move(help), std::move(set)});
}

const flags::flag& flags::find(std::string_view name) const {
  for (const auto& flag : flags_) {
    if (flag.name == name) return flag;
  }
  throw bad_input("unknown flag --" + std::string(name) + " (see --help)");
}

bool flags::parse(int argc, char** argv) const {
  for (int i = 1; i < argc; ++i) {
    std::string_view word = argv[i];
    if (word == "--help" || word == "-h") return print_help(base_name(argv[0])), false;
    if (!word.starts_with("--")) throw bad_input("unexpected argument '" + std::string(word) + "'");
    word.remove_prefix(2);
    const auto equals = word.find('=');
    const flag& flag = find(word.substr(0, equals));
    if (flag.takes_value() == (equals != word.npos)) {
      flag.set(flag.takes_value() ? word.substr(equals + 1) : "");
    } else if (flag.takes_value() && i + 1 < argc) {
      flag.set(argv[++i]);
    } else {
      throw bad_input("--" + flag.name +
                      (flag.takes_value() ? " needs a value" : " takes no value"));
    }
  }
  return true;
}

void flags::print_help(const std::string& program) const {
  std::printf("%s: %s\n\n", program.c_str(), purpose_.c_str());
  for (const auto& flag : flags_) {
    const auto left = "--" + flag.name + (flag.takes_value() ? " " + flag.kind : "");
    std::printf("  %-24s %s", left.c_str(), flag.help.c_str());
    if (!flag.default_value.empty()) std::printf(" [%s]", flag.default_value.c_str());
    std::printf("\n");
  }
}

int run_program(const flags& options, int argc, char** argv, const std::function<bool()>& body) {
  try {
    if (!options.parse(argc, argv)) return 0;
    if (body()) return 0;
    std::fprintf(stderr, "%s: wrong result\n", base_name(argv[0]).c_str());
    return 1;
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "%s: %s\n", base_name(argv[0]).c_str(), problem.what());
    return 2;
  }
}

}  // namespace bench
