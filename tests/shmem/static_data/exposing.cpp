#include "atoll/error.hpp"
#include "atoll/shmem/static_data.hpp"
#include "cases.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <optional>
#include <string>

// The static data that `expose` exposes includes the following objects, like the state of a SHMEM
// library.
static std::optional<atl::shmem::static_data> data;
static std::optional<atl::shmem::foreign_static_data> others;
static std::string refusal;

const char* try_to_expose() {
  try {
    data.emplace();
    return nullptr;
  } catch (const atl::error& error) {
    refusal = error.what();
    return refusal.c_str();
  }
}

void expose() {
  if (const char* text = try_to_expose()) {
    std::fprintf(stderr, "%s\n", text);
    std::exit(1);
  }
}

char* exposed_begin() { return reinterpret_cast<char*>(data->bytes().data()); }

size_t exposed_size() { return data->bytes().size(); }

int exposed_descriptor() { return data->descriptor(); }

int is_exposed(const void* object) {
  const auto* byte = static_cast<const std::byte*>(object);
  return byte >= data->bytes().data() && byte < data->bytes().data() + data->bytes().size();
}

size_t exposed_once_more() { return atl::shmem::static_data().bytes().size(); }

char* others_data(long process, int descriptor, size_t size) {
  try {
    const auto path = fmt::format("/proc/{}/fd/{}", process, descriptor);
    const int file = open(path.c_str(), O_RDWR | O_CLOEXEC);
    if (file < 0) atl::fail(atl::errc::environment, "{} cannot be opened", path);
    return reinterpret_cast<char*>(others.emplace(file, 0, size).begin());
  } catch (const atl::error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    std::exit(1);
  }
}
