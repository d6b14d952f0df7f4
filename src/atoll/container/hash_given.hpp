#pragma once
// How the operations of global hash tables are given keys and values.

#include "atoll/message/travel.hpp"

#include <concepts>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace atl::container {

/// A string, given as such or as anything that can be viewed as one.
struct given_string : std::string {
  given_string(std::string&& text) : std::string(std::move(text)) {}
  template <std::convertible_to<std::string_view> Text>
  given_string(const Text& text) : std::string(std::string_view(text)) {}
};

/// What an operation keeps until it has ended: best moved in, where it owns memory.
template <class T>
using hash_given =
    std::conditional_t<message::travels<T>, const T&,
                       std::conditional_t<std::same_as<T, std::string>, given_string, T>>;

/// What an operation only looks at when it is called.
template <class T>
using hash_shown = std::conditional_t<std::same_as<T, std::string>, std::string_view, const T&>;

}  // namespace atl::container
