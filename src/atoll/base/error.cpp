#include "atoll/error.hpp"

#include "atoll/machine.hpp"

#include <cstdio>
#include <cstdlib>
#include <new>

namespace atl {

int error::exit_status() const noexcept {
  switch (code_) {
  case errc::input:
  case errc::environment:
  case errc::out_of_memory:
  case errc::overflow:
    return k_status_environment;
  case errc::wrong_result:
    return k_status_wrong_result;
  case errc::hang:
    return k_status_hang;
  case errc::withdrawn:
  case errc::remote:
  case errc::peer_died:
  case errc::internal:
    break;
  }
  return k_status_exception;
}

namespace base {

void assertion_failed(const char* file, int line, const char* sentence) noexcept {
  std::fprintf(stderr, "atoll: %s:%d: %s\n", file, line, sentence);
  std::abort();
}

}  // namespace base

namespace {

/// Returns the text for std::bad_alloc. The text also names the memory limits if enough memory is
/// left to build such a text.
std::string out_of_memory_text() noexcept {
  std::string text = "out of memory";  // short enough to be stored without an allocation
  try {
    text += memory_limits_text();
  } catch (const std::bad_alloc&) {
    return text;
  }
  return text;
}

std::string text_if_it_fits(const char* text) noexcept {
  try {
    return text;
  } catch (const std::bad_alloc&) {
    return "out of memory";
  }
}

}  // namespace

std::string describe(const std::exception_ptr& exception) noexcept {
  try {
    std::rethrow_exception(exception);
  } catch (const std::bad_alloc&) {
    return out_of_memory_text();
  } catch (const std::exception& known) {
    return text_if_it_fits(known.what());
  } catch (...) {
    return text_if_it_fits("an exception that is no std::exception");
  }
}

errc carried_code(const std::exception_ptr& exception) noexcept {
  try {
    std::rethrow_exception(exception);
  } catch (const error& known) {
    return known.code();
  } catch (const std::bad_alloc&) {
    return errc::out_of_memory;
  } catch (...) {
    return errc::remote;
  }
}

std::exception_ptr carried_failure(errc code, std::string_view text) noexcept {
  try {
    return std::make_exception_ptr(error(code, std::string(text)));
  } catch (...) {
    return std::current_exception();
  }
}

int exit_status_of(const std::exception_ptr& exception) noexcept {
  try {
    std::rethrow_exception(exception);
  } catch (const error& known) {
    return known.exit_status();
  } catch (const std::bad_alloc&) {
    return k_status_environment;
  } catch (...) {
    return k_status_exception;
  }
}

}  // namespace atl
