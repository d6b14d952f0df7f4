#pragma once
// Prints the one line of output of a limit or peer program: a JSON object that begins with the
// rate.

#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

namespace bench {

class json_line {
 public:
  /// Begins the line. `rate` is a plain number (not in millions), measured in `unit`.
  json_line(double rate, std::string_view unit) {
    add("rate", rate);
    add("unit", unit);
  }
  json_line& add(std::string_view name, double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.9g", value);
    return add_raw(name, text);
  }
  /// Adds an integer with all its digits. A double could not hold the digits of a large integer.
  json_line& add_count(std::string_view name, std::uint64_t value) {
    return add_raw(name, std::to_string(value));
  }
  json_line& add(std::string_view name, std::string_view text) {
    std::string quoted = "\"";
    for (const char c : text) {
      if (c == '"' || c == '\\') quoted += '\\';
      quoted += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
    }
    return add_raw(name, quoted + '"');
  }
  void print() const {
    std::printf("{%s}\n", body_.c_str());
    std::fflush(stdout);
  }

 private:
  json_line& add_raw(std::string_view name, std::string_view value) {
    if (!body_.empty()) body_ += ", ";
    body_.append("\"").append(name).append("\": ").append(value);
    return *this;
  }
  std::string body_;
};

}  // namespace bench
