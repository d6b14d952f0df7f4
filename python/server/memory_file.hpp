#pragma once
// Files in memory that carry arrays between the client and the PEs. PE 0 has descriptors of such
// files. PEs of its node open the files through the /proc folder of PE 0. PEs of other nodes
// exchange pieces of the files with PE 0 by messages.

#include "atoll/local_memory.hpp"
#include "atoll/task.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
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

/// Returns the size in bytes of a file that this process has made.
std::uint64_t bytes_of_own(const descriptor& file);

/// Reads a part of a file that this process has made. Throws atl::error (environment).
void read_own(const descriptor& file, std::uint64_t offset, std::span<std::byte> into);

/// Writes a file in memory that will be an argument of a call.
class memory_file_writer {
 public:
  memory_file_writer();

  /// Appends bytes. Throws atl::error (out_of_memory) if memory is exhausted.
  void append(std::span<const char> bytes);

  /// Returns the file, which cannot become shorter any more.
  descriptor finished();

 private:
  descriptor file_;
};

/// A name under which every PE can read and write a file that PE 0 has open. The object is
/// trivially copyable, so that a task can send it to other PEs. PE 0 must keep the file open.
struct shared_file {
  std::int32_t process = 0;     ///< process of PE 0
  std::int32_t descriptor = 0;  ///< number of the file's descriptor in that process

  /// Returns a handle by which other PEs can open a file of this process.
  static shared_file of(const serve::descriptor& file);

  /// Writes `bytes` at the position `offset` of the file. A task of any PE calls this function. On
  /// the node of PE 0, the call blocks the PE for the copy. On other nodes, the task waits
  /// until PE 0 has written the bytes. Throws atl::error (environment) if the file cannot be opened
  /// or written, and atl::error (out_of_memory) if memory for the file is exhausted.
  task<> write(std::uint64_t offset, std::span<const std::byte> bytes) const;
};

/// A part of a file in memory, for reading as long as the object lives. On the node of PE 0, the
/// part is mapped. On other nodes, the part is a copy.
class mapped_part {
 public:
  mapped_part() = default;

  /// Maps or copies `bytes` bytes from the position `offset` on. A task of any PE calls this
  /// function, and waits for a copy. Throws atl::error (environment) if the file cannot be opened,
  /// mapped or read, and atl::error (out_of_memory) if a copy does not fit into memory.
  static task<mapped_part> of(shared_file file, std::uint64_t offset, std::uint64_t bytes);

  const std::byte* data() const { return data_.get(); }

 private:
  std::shared_ptr<const std::byte> data_;
};

}  // namespace atl::serve
