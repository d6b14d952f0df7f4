#include "atoll/settings.hpp"

#include "atoll/base/variables.hpp"
#include "atoll/error.hpp"

#include <algorithm>
#include <optional>
#include <type_traits>
#include <vector>

namespace atl {
namespace {

// The names of each enumeration's values, in the order of the values.
constexpr std::string_view names_of(pe_kind) { return "process|thread"; }
constexpr std::string_view names_of(transport_kind) { return "auto|shm|mpi|sim"; }
constexpr std::string_view names_of(mpi_library) { return "auto|openmpi|mpich"; }
constexpr std::string_view names_of(combining_mode) { return "none|central|local|both"; }
constexpr std::string_view names_of(routing) { return "auto|direct|node|grid"; }
constexpr std::string_view names_of(sim_model) { return "none|grappa2014|modern"; }
constexpr std::string_view names_of(log_level) { return "trace|debug|info|warning|error"; }

template <class Choice>
std::optional<Choice> choice_from(std::string_view text) {
  std::string_view names = names_of(Choice{});
  for (int value = 0; !names.empty(); ++value) {
    const auto name = names.substr(0, names.find('|'));
    if (name == text) return Choice(value);
    names.remove_prefix(std::min(names.size(), name.size() + 1));
  }
  return std::nullopt;
}

template <class Choice>
std::string choice_text(Choice choice) {
  std::string_view names = names_of(Choice{});
  for (int value = 0; value < int(choice); ++value) names.remove_prefix(names.find('|') + 1);
  return std::string(names.substr(0, names.find('|')));
}

// Each kind of setting has a type that parses and prints values of this kind. The template `choice`
// is the type for all enumerations.
namespace kinds {

struct count {
  static constexpr std::string_view label = "count";
  static std::uint64_t parse(std::string_view text) { return parse_count(text); }
  static std::string show(std::uint64_t value) { return std::to_string(value); }
};
/// An upper bound, whose largest value stands for "no bound" and is written `inf`.
struct bound {
  static constexpr std::string_view label = "bound";
  static constexpr std::string_view none = "inf";
  static std::uint64_t parse(std::string_view text) {
    return text == none ? UINT64_MAX : parse_count(text);
  }
  static std::string show(std::uint64_t value) {
    return value == UINT64_MAX ? std::string(none) : std::to_string(value);
  }
};
struct size {
  static constexpr std::string_view label = "size";
  static std::uint64_t parse(std::string_view text) { return parse_size(text); }
  static std::string show(std::uint64_t value) { return size_text(value); }
};
struct duration {
  static constexpr std::string_view label = "duration";
  static std::int64_t parse(std::string_view text) { return parse_duration(text); }
  static std::string show(std::int64_t value) { return duration_text(value); }
};
struct on_off {
  static constexpr std::string_view label = "on_off";
  static constexpr std::string_view range = "on|off";
  static bool parse(std::string_view text) {
    if (text != "on" && text != "off") fail(errc::input, "\"{}\" is neither on nor off", text);
    return text == "on";
  }
  static std::string show(bool value) { return value ? "on" : "off"; }
};
struct text {
  static constexpr std::string_view label = "text";
  static constexpr std::string_view range = "";
  static std::string parse(std::string_view text) { return std::string(text); }
  static std::string show(const std::string& value) { return value; }
};
struct file : text {
  static constexpr std::string_view label = "file";
  static std::string parse(std::string_view text) {
    if (text == "-") fail(errc::input, "a file is needed, and - is none");
    return std::string(text);
  }
};
template <class Choice>
struct choice {
  static constexpr std::string_view label = "choice";
  static constexpr std::string_view range = names_of(Choice{});
  static Choice parse(std::string_view text) {
    const auto found = choice_from<Choice>(text);
    if (!found) fail(errc::input, "\"{}\" is not one of {}", text, range);
    return *found;
  }
  static std::string show(Choice value) { return choice_text(value); }
};
using pe_kind = choice<atl::pe_kind>;
using transport_kind = choice<atl::transport_kind>;
using mpi_library = choice<atl::mpi_library>;
using combining_mode = choice<atl::combining_mode>;
using routing = choice<atl::routing>;
using sim_model = choice<atl::sim_model>;
using log_level = choice<atl::log_level>;

}  // namespace kinds

template <class Kind>
concept has_fixed_range = requires { Kind::range; };

template <class Kind>
std::string range_text(std::uint64_t low, std::uint64_t high) {
  if constexpr (has_fixed_range<Kind>) {
    return std::string(Kind::range);
  } else {
    return Kind::show(low) + " to " + Kind::show(high);
  }
}

template <class Kind>
auto parse_within(std::string_view text, std::uint64_t low, std::uint64_t high) {
  auto value = Kind::parse(text);
  if constexpr (!has_fixed_range<Kind>) {
    if (std::uint64_t(value) < low || std::uint64_t(value) > high)
      fail(errc::input, "{} is out of range ({})", text, range_text<Kind>(low, high));
  }
  return value;
}

std::string flag_of(std::string_view name) { return "--atoll-" + std::string(name); }

template <class Spelling>
std::vector<std::string> known_names(Spelling spelling) {
  std::vector<std::string> names;
  for (const auto& row : settings_table()) names.push_back(spelling(row));
  return names;
}

[[noreturn]] void unknown(std::string_view what, std::string_view name,
                          std::span<const std::string> known) {
  const std::string nearest = nearest_name(name, known);
  if (nearest.empty()) fail(errc::input, "unknown {} {}", what, name);
  fail(errc::input, "unknown {} {}, did you mean {}?", what, name, nearest);
}

const setting_description* find_setting(const auto& matches) {
  const auto table = settings_table();
  const auto found = std::ranges::find_if(table, matches);
  return found == table.end() ? nullptr : &*found;
}

}  // namespace

std::string setting_description::variable() const {
  std::string result = "ATOLL_";
  // Unlike std::islower, the function `is_small` does not depend on the locale.
  const auto is_small = [](char c) { return c >= 'a' && c <= 'z'; };
  for (const char c : name) result += c == '-' ? '_' : is_small(c) ? char(c - 'a' + 'A') : c;
  return result;
}

std::span<const setting_description> settings_table() {
#define ATOLL_SETTING(field, known, group, kind, initial, shown, low, high, help)                  \
  range_text<kinds::kind>(low, high),
  static const std::string ranges[] = {
#include "atoll/base/settings.def"
  };
#undef ATOLL_SETTING
  static const auto table = [] {
    std::size_t row = 0;
#define ATOLL_SETTING(field, known, group, kind, initial, shown, low, high, help)                  \
  setting_description{known, setting_group::group, kinds::kind::label, shown, ranges[row++], help},
    return std::to_array({
#include "atoll/base/settings.def"
    });
#undef ATOLL_SETTING
  }();
  return table;
}

void settings::set(std::string_view name, std::string_view value, std::string_view origin) try {
  const auto from = origin.starts_with("ATOLL_") ? source::environment
                    : origin.starts_with('-')    ? source::flag
                    : origin == "machine"        ? source::machine
                                                 : source::program;
  std::size_t row = 0;
#define ATOLL_SETTING(field, known, group, kind, initial, shown, low, high, help)                  \
  if (name == known) {                                                                             \
    const bool as_default = value == std::string_view(shown);                                      \
    field = as_default ? settings().field : parse_within<kinds::kind>(value, low, high);           \
    sources_[row] = from;                                                                          \
    return;                                                                                        \
  }                                                                                                \
  ++row;
#include "atoll/base/settings.def"
#undef ATOLL_SETTING
  unknown("setting", name, known_names([](auto& known) { return std::string(known.name); }));
} catch (const error& e) {
  fail(e.code(), "{}: {}", origin, e.what());
}

std::string settings::value(std::string_view name) const {
#define ATOLL_SETTING(field, known, group, kind, initial, shown, low, high, help)                  \
  if (name == known) return field == settings().field ? shown : kinds::kind::show(field);
#include "atoll/base/settings.def"
#undef ATOLL_SETTING
  unknown("setting", name, known_names([](auto& known) { return std::string(known.name); }));
}

std::string_view settings::origin(std::string_view name) const {
  constexpr std::string_view words[] = {"default", "environment", "flag", "program", "machine"};
  std::size_t row = 0;
#define ATOLL_SETTING(field, known, ...)                                                           \
  if (name == known) {                                                                             \
    const bool assigned = sources_[row] == source::initial && field != settings().field;           \
    return words[std::size_t(assigned ? source::program : sources_[row])];                         \
  }                                                                                                \
  ++row;
#include "atoll/base/settings.def"
#undef ATOLL_SETTING
  unknown("setting", name, known_names([](auto& known) { return std::string(known.name); }));
}

settings settings::from_environment() {
  settings result;
  for (const auto& [name, value] : given_variables()) {
    if (const auto* const row = setting_of_variable(name))
      result.set(row->name, value, name);
    else if (is_misspelt_setting(name))
      unknown("variable", name, known_names([](auto& known) { return known.variable(); }));
  }
  return result;
}

settings settings::take_flags(int& argc, char** argv) {
  settings result = from_environment();
  // The first call of `take_flags` removes arguments from `argv`, but a program may pass the old
  // `argc` to a second call. The first null pointer in `argv` therefore ends the arguments.
  argc = argv == nullptr ? 0 : static_cast<int>(std::find(argv, argv + argc, nullptr) - argv);
  if (argv == nullptr) return result;
  int kept = std::min(argc, 1);
  int next = kept;
  while (next < argc && std::string_view(argv[next]) != "--") {
    const std::string_view argument = argv[next++];
    if (!argument.starts_with("--atoll-")) {
      argv[kept++] = argv[next - 1];
      continue;
    }
    const auto equals = argument.find('=');
    const auto flag = argument.substr(0, equals);
    const auto* row = find_setting([&](auto& known) { return flag_of(known.name) == flag; });
    if (row == nullptr)
      unknown("flag", flag, known_names([](auto& known) { return flag_of(known.name); }));
    if (equals == argument.npos && next == argc) fail(errc::input, "{}: a value must follow", flag);
    result.set(row->name, equals == argument.npos ? argv[next++] : argument.substr(equals + 1),
               flag);
  }
  while (next < argc) argv[kept++] = argv[next++];
  argc = kept;
  argv[argc] = nullptr;
  return result;
}

}  // namespace atl
