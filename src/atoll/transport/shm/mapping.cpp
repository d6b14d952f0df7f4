#include "atoll/transport/shm/mapping.hpp"

#include "atoll/base/error.hpp"

#include <cerrno>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

namespace atoll::transport::shm {
namespace {

class descriptor {
 public:
  descriptor() : number_(memfd_create("atoll", MFD_CLOEXEC)) {}
  ~descriptor() {
    if (number_ >= 0) close(number_);
  }
  descriptor(const descriptor&) = delete;
  descriptor& operator=(const descriptor&) = delete;

  int number() const { return number_; }

 private:
  int number_;
};

void check(bool success, const char* step, std::size_t bytes, const char* purpose) {
  const int reason = errno;
  if (success) return;
  fail(errc::environment, "{} of {} MiB of shared memory for {} failed: {}", step, bytes >> 20,
       purpose, std::strerror(reason));
}

}  // namespace

mapping::mapping(std::size_t bytes, const char* purpose) : size_(bytes) {
  const descriptor file;
  check(file.number() >= 0, "creation", bytes, purpose);
  check(ftruncate(file.number(), static_cast<off_t>(bytes)) == 0, "sizing", bytes, purpose);
  void* const address =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, file.number(), 0);
  check(address != MAP_FAILED, "mapping", bytes, purpose);
  madvise(address, bytes, MADV_DONTDUMP);  // a core dump would walk through all that is untouched
  data_ = static_cast<std::byte*>(address);
}

mapping::~mapping() { munmap(data_, size_); }

}  // namespace atoll::transport::shm
