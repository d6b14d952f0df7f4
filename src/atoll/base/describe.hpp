#pragma once
// What is said of an exception that nobody has caught.

#include "atoll/base/error.hpp"

#include <exception>
#include <string>
#include <string_view>

namespace atl {

/// The text of an exception, for reports and for carrying it to another PE; "out of memory" where
/// there is no memory for it.
std::string describe(const std::exception_ptr& exception) noexcept;

/// What kind of failure another PE is told: that of an `error`, out_of_memory for std::bad_alloc,
/// remote for any other exception.
errc carried_code(const std::exception_ptr& exception) noexcept;

/// An `error` of this kind and text that another PE has sent; std::bad_alloc where there is no
/// memory for it.
std::exception_ptr carried_failure(errc code, std::string_view text) noexcept;

/// The exit status of a program that ends by it.
int exit_status_of(const std::exception_ptr& exception) noexcept;

}  // namespace atl
