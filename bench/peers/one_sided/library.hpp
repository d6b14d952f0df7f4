#pragma once
// The interface of a communication library that the measurements use.

#include <cstddef>
#include <string>

namespace bench::one_sided {

/// This process, and the operations of the library. All processes must call each function together,
/// except for `name`, `rank` and `size`.
class library {
 public:
  virtual ~library() = default;

  /// Returns the name and the version of the library.
  virtual std::string name() const = 0;
  virtual std::size_t rank() const = 0;
  virtual std::size_t size() const = 0;

  virtual void barrier() = 0;
  virtual double maximum(double value) = 0;
  bool all(bool holds) { return maximum(holds ? 0 : 1) == 0; }

  /// Allocates page-aligned memory that operations may read and write. The memory exists as long as
  /// this object.
  virtual std::byte* memory(std::size_t bytes) = 0;
  /// Returns the number of bytes that collective operations move for `bytes` bytes of data. If the
  /// operations can move only whole words, `bytes` is rounded up.
  virtual std::size_t whole(std::size_t bytes) const { return bytes; }

  /// Copies `from` of process 0 to `to` of all other processes.
  virtual void broadcast(const std::byte* from, std::byte* to, std::size_t bytes) = 0;
  /// Stores the sum over all processes in `to` of every process. The elements are doubles, or
  /// smaller numbers if `bytes` is less than 8.
  virtual void sum_everywhere(const std::byte* from, std::byte* to, std::size_t bytes) = 0;
  /// Stores the sum over all processes in `to` of process 0. Other processes get no sum.
  virtual void sum_at_first(const std::byte* from, std::byte* to, std::size_t bytes) = 0;
  /// Block j of `from` is copied to block i of `to` on process j, where i is the number of this
  /// process.
  virtual void exchange(const std::byte* from, std::byte* to, std::size_t bytes) = 0;
};

}  // namespace bench::one_sided
