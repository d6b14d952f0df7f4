#pragma once

#include "atoll/base/namespace.hpp"

#include <exception>
#include <string>

namespace atoll {

/// The text of an exception, for reports and for carrying it to another PE.
inline std::string describe(const std::exception_ptr& exception) {
  try {
    std::rethrow_exception(exception);
  } catch (const std::exception& known) {
    return known.what();
  } catch (...) {
    return "an exception that is no std::exception";
  }
}

}  // namespace atoll
