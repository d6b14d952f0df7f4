#pragma once
// What is said of an exception that nobody has caught.

#include <exception>
#include <string>

namespace atl {

/// The text of an exception, for reports and for carrying it to another PE.
std::string describe(const std::exception_ptr& exception);

/// The exit status of a program that ends by it.
int exit_status_of(const std::exception_ptr& exception) noexcept;

}  // namespace atl
