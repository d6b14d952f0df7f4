#pragma once
// The arguments of a call that a client has sent, checked while they are read.

#include "atoll/error.hpp"
#include "python/server/connection.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <set>
#include <string>

namespace atl::serve {

/// The arguments of one call. All functions throw atl::error (input) that names the argument if its
/// value has a wrong type or is out of range.
class arguments {
 public:
  explicit arguments(message& asked) : asked_(asked) {}

  const std::string& call() { return text_of("call"); }

  bool has(const char* name) { return value_of(name) != nullptr; }

  std::uint64_t count(const char* name, std::uint64_t otherwise, std::uint64_t least = 0,
                      std::uint64_t most = std::numeric_limits<std::uint64_t>::max()) {
    const nlohmann::json* const value = value_of(name);
    if (value == nullptr) return otherwise;
    if (!value->is_number_unsigned())
      fail(errc::input, "{}: an integer of at least {} is needed in place of {}", name, least,
           value->dump());
    const auto number = value->get<std::uint64_t>();
    if (number < least || number > most)
      fail(errc::input, "{}: {} is not from {} to {}", name, number, least, most);
    return number;
  }

  double real(const char* name, double otherwise) {
    const nlohmann::json* const value = value_of(name);
    if (value == nullptr) return otherwise;
    if (!value->is_number()) fail(errc::input, "{}: {} is not a number", name, value->dump());
    return value->get<double>();
  }

  bool truth(const char* name) {
    const nlohmann::json* const value = value_of(name);
    if (value == nullptr) return false;
    if (!value->is_boolean()) fail(errc::input, "{}: {} is not True or False", name, value->dump());
    return value->get<bool>();
  }

  std::string text(const char* name, const std::string& otherwise = {}) {
    return has(name) ? text_of(name) : otherwise;
  }

  /// Returns the path of a file. The path must not have the character NUL, at which the system
  /// would cut it.
  std::string path(const char* name) {
    const std::string& found = text_of(name);
    if (found.find('\0') != std::string::npos)
      fail(errc::input, "{}: the name of a file has no character NUL", name);
    return found;
  }

  /// Returns the file of the call whose number is the value of the argument. Each file is an array.
  const descriptor& file(const char* name) {
    const std::uint64_t number = count(name, asked_.files.size());
    if (number >= asked_.files.size())
      fail(errc::input, "{}: no array was sent, of {} arrays of the call", name,
           asked_.files.size());
    return asked_.files[number];
  }

  /// Throws if the client has sent an argument that the call has not read, such as a misspelt one.
  void refuse_others() const {
    for (const auto& [name, value] : asked_.body.items())
      if (!read_.contains(name) && name != "id" && !value.is_null())
        fail(errc::input, "{} has no argument {}", asked_.body.value("call", "the call"), name);
  }

 private:
  const nlohmann::json* value_of(const char* name) {
    read_.insert(name);
    const auto found = asked_.body.find(name);
    return found == asked_.body.end() || found->is_null() ? nullptr : &*found;
  }

  const std::string& text_of(const char* name) {
    const nlohmann::json* const value = value_of(name);
    if (value == nullptr || !value->is_string()) fail(errc::input, "{}: a text is needed", name);
    return value->get_ref<const std::string&>();
  }

  message& asked_;
  std::set<std::string> read_;
};

}  // namespace atl::serve
