#pragma once
// The answer to a call: facts as JSON, and arrays in files in memory. All PEs write the arrays.

#include "atoll/graph.hpp"
#include "python/server/connection.hpp"

#include <bit>
#include <cstdint>
#include <limits>
#include <sstream>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace atl::serve {

/// Returns the 8 bytes that represent the value for a client: a double or a signed integer. The
/// largest value of an unsigned type means that there is no value, and becomes -1.
template <class T>
std::int64_t shown(T value) {
  if constexpr (std::is_floating_point_v<T>) return std::bit_cast<std::int64_t>(double{value});
  if constexpr (!std::is_floating_point_v<T>)
    return value == std::numeric_limits<T>::max() ? -1 : static_cast<std::int64_t>(value);
}

/// Returns the name in NumPy of the type that the bytes of `shown(value)` represent.
template <class T>
constexpr const char* type_of() {
  return std::is_floating_point_v<T> ? "<f8" : "<i8";
}

/// The fields of a row: a title and a type of NumPy each.
using fields_of_row = std::vector<std::pair<std::string, std::string>>;

class answer {
 public:
  nlohmann::json facts = nlohmann::json::object();

  /// Adds an array with a row for each vertex. A row has the values of all columns; `titles` has
  /// the titles of the columns, with blanks between them. Each PE writes the rows of its vertices.
  /// One task calls this function and waits. Throws atl::error (out_of_memory) if there is no
  /// memory for the rows.
  template <class... T>
  task<> add_rows(const char* titles, vertex_array<T>... columns) {
    const std::uint64_t rows = std::get<0>(std::tie(columns...)).size();
    auto file = make_memory_file(rows * sizeof...(T) * sizeof(std::int64_t));
    const auto write = [to = shared_file::of(file), columns...] {
      return write_rows(to, columns...);
    };
    co_await on_all_pes(write);
    fields_of_row fields;
    std::istringstream words(titles);
    const auto next = [&words] {
      std::string title;
      words >> title;
      return title;
    };
    (fields.emplace_back(next(), type_of<T>()), ...);
    add_file(std::move(file), std::move(fields), rows);
  }

  /// Adds a file whose rows have the given fields.
  void add_file(descriptor file, fields_of_row fields, std::uint64_t rows) {
    arrays_.push_back({{"fields", std::move(fields)}, {"rows", rows}});
    files_.push_back(std::move(file));
  }

  /// Replaces the answer by the description of an error.
  void fail_with(nlohmann::json error) {
    error_ = std::move(error);
    files_.clear();
  }

  /// Sends the answer to the call with the number `id`.
  void send(connection& to, const nlohmann::json& id) {
    if (error_.is_null())
      to.send({{"id", id}, {"facts", facts}, {"arrays", arrays_}}, files_);
    else
      to.send({{"id", id}, {"error", error_}});
  }

 private:
  template <class First, class... Others>
  static task<> write_rows(shared_file to, vertex_array<First> first,
                           vertex_array<Others>... others) {
    constexpr std::size_t width = 1 + sizeof...(Others);
    constexpr std::size_t rows_at_once = 1 << 16;
    const std::size_t mine = first.local().size();
    std::vector<std::int64_t> rows;
    for (std::size_t begin = 0; begin < mine; begin += rows_at_once) {
      rows.clear();
      for (std::size_t i = begin; i < std::min(mine, begin + rows_at_once); ++i) {
        rows.push_back(shown(first.local()[i]));
        (rows.push_back(shown(others.local()[i])), ...);
      }
      co_await to.write((first.first_vertex() + begin) * width * sizeof(std::int64_t),
                        std::as_bytes(std::span(rows)));
    }
  }

  nlohmann::json arrays_ = nlohmann::json::array();
  nlohmann::json error_;  // null if the call has succeeded
  std::vector<descriptor> files_;
};

}  // namespace atl::serve
