#pragma once
// Files in memory that carry arrays between the client and the PEs. The client passes descriptors
// of such files to PE 0. Other PEs open the files through the /proc folder of PE 0.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

namespace atl::serve {

/// Owns a file descriptor, and closes it at the end.
class descriptor {
 public:
  descriptor() = default;
  explicit descriptor(int number) : number_(number) {}
  descriptor(descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  descriptor& operator=(descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~descriptor();

  int number() const { return number_; }

 private:
  int number_ = -1;
};

/// Returns the size of a client's file in bytes. Throws atl::error (input) if the file is not a
/// file in memory, or if it lacks the seal F_SEAL_SHRINK, without which it could become shorter.
std::uint64_t bytes_of(const descriptor& file);

/// Creates a file of `bytes` zeros in memory. Throws atl::error (out_of_memory) if the machine
/// refuses the memory, and atl::error (environment) for any other cause.
descriptor make_memory_file(std::uint64_t bytes);

/// A name under which every PE of this machine can open a file that PE 0 has open. The object is
/// trivially copyable, so that a task can send it to other PEs. PE 0 must keep the file open.
struct shared_file {
  std::int32_t process = 0;     ///< process of PE 0
  std::int32_t descriptor = 0;  ///< number of the file's descriptor in that process

  /// Names a file of this process.
  static shared_file of(const serve::descriptor& file);

  /// Writes `bytes` at the position `offset` of the file. Any PE may call this function, which
  /// blocks the PE only for the copy. Throws atl::error (environment) if the file cannot be opened
  /// or written, and atl::error (out_of_memory) if memory for the file is exhausted.
  void write(std::uint64_t offset, std::span<const std::byte> bytes) const;
};

/// A part of a file in memory, mapped for reading as long as the object lives.
class mapped_part {
 public:
  /// Maps `bytes` bytes from the position `offset` on. Throws atl::error (environment) if the file
  /// cannot be opened or mapped.
  mapped_part(const shared_file& file, std::uint64_t offset, std::uint64_t bytes);
  ~mapped_part();
  mapped_part(const mapped_part&) = delete;
  mapped_part& operator=(const mapped_part&) = delete;

  const std::byte* data() const { return data_; }

 private:
  void* begin_ = nullptr;
  std::size_t mapped_ = 0;
  const std::byte* data_ = nullptr;
};

}  // namespace atl::serve
