#include "support/huge_array.hpp"

#include <sys/mman.h>

#include <cstdint>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>

namespace bench {
namespace {

constexpr std::size_t huge_page = std::size_t{2} << 20;

std::size_t round_up(std::size_t bytes) { return (bytes + huge_page - 1) / huge_page * huge_page; }

/// Returns the value of `key` in a kernel file, converted from KiB to bytes. If the key is missing,
/// returns 0.
double kernel_figure(const char* file, const char* key) {
  std::ifstream lines(file);
  for (std::string word; lines >> word;) {
    double kibibytes = 0;
    if (word == key && lines >> kibibytes) return kibibytes * 1024;
  }
  return 0;
}

}  // namespace

huge_block::huge_block(std::size_t bytes) : bytes_(round_up(bytes)) {
  // The mapping is one huge page larger than `bytes_`, so that it contains an aligned part of
  // `bytes_` bytes. Memory before and after the aligned part is unmapped.
  const auto mapped = bytes_ + huge_page;
  void* memory = mmap(nullptr, mapped, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) {
    throw std::runtime_error("no memory for " + std::to_string(bytes) + " bytes");
  }
  auto* first = static_cast<std::byte*>(memory);
  data_ = first + (round_up(reinterpret_cast<std::uintptr_t>(memory)) -
                   reinterpret_cast<std::uintptr_t>(memory));
  if (data_ != first) munmap(first, static_cast<std::size_t>(data_ - first));
  const auto behind = static_cast<std::size_t>(first + mapped - (data_ + bytes_));
  if (behind != 0) munmap(data_ + bytes_, behind);
  madvise(data_, bytes_, MADV_HUGEPAGE);
}

huge_block::~huge_block() {
  if (data_ != nullptr) munmap(data_, bytes_);
}

void huge_block::touch() const {
  for (std::size_t i = 0; i < bytes_; i += 4096) {
    *static_cast<volatile std::byte*>(data_ + i) = std::byte{0};
  }
}

void require_memory(double bytes) {
  const double available = kernel_figure("/proc/meminfo", "MemAvailable:");
  if (bytes <= available) return;
  std::ostringstream sentence;
  sentence << "needs " << bytes / 1e6 << " MB, and " << available / 1e6 << " MB are available";
  throw std::runtime_error(sentence.str());
}

double bytes_in_huge_pages() { return kernel_figure("/proc/self/smaps_rollup", "AnonHugePages:"); }

}  // namespace bench
