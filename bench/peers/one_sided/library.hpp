#pragma once
// What the measurements need of a communication library, whichever it is.

#include <cstddef>
#include <string>

namespace bench::one_sided {

/// This process among all of them. All functions but the first three are collective.
class library {
 public:
  virtual ~library() = default;

  /// Name and version.
  virtual std::string name() const = 0;
  virtual std::size_t rank() const = 0;
  virtual std::size_t size() const = 0;

  virtual void barrier() = 0;
  virtual double maximum(double value) = 0;
  bool all(bool holds) { return maximum(holds ? 0 : 1) == 0; }

  /// Memory that operations may read and write, at least as aligned as a page; it lives as long as
  /// this object.
  virtual std::byte* memory(std::size_t bytes) = 0;
  /// What the collective operations really move where they know only whole words.
  virtual std::size_t whole(std::size_t bytes) const { return bytes; }

  /// `from` of process 0 gets into `to` of the others.
  virtual void broadcast(const std::byte* from, std::byte* to, std::size_t bytes) = 0;
  /// Sums of doubles; of smaller numbers where there are less than 8 bytes.
  virtual void sum_everywhere(const std::byte* from, std::byte* to, std::size_t bytes) = 0;
  /// The same, for process 0 alone.
  virtual void sum_at_first(const std::byte* from, std::byte* to, std::size_t bytes) = 0;
  /// Block j of `from` gets into block i of `to` of process j, where i is this process.
  virtual void exchange(const std::byte* from, std::byte* to, std::size_t bytes) = 0;
};

}  // namespace bench::one_sided
