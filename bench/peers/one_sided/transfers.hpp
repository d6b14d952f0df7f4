#pragma once
// Measures puts and gets by process 0 in the memory of process 1. The operations use a class of the
// interface `wire`.
//
// A wire is a class with the functions below. The functions are not virtual, because a virtual call
// would be slow compared with an operation of less than 0.1 microseconds.
//
// * `area()`: memory of this process that all processes can access.
// * `put(from, offset, bytes, pe)`: returns when the bytes are in the area of process `pe`.
// * `get(to, offset, bytes, pe)`: returns when the bytes are in the memory `to` of this process.
// * `start_put`, `start_get`: begin a put or get, which `complete(pe)` completes.
// * `add(pe)`: adds 1 to the first word of process `pe` and returns the old value.
// * `put_word(value, pe)`: sets the first word of process `pe`. Earlier puts to `pe` become visible
//   before the word does.
// * `wait_word(old)`: waits until this process's first word is not `old`, and returns the new
//   value.
// * `word()`: returns this process's first word now, and lets the library make progress.
// * `synchronise()`: makes writes of this process and of other processes visible here.

#include "peers/one_sided/contents.hpp"
#include "peers/one_sided/operation.hpp"
#include "support/cores.hpp"

namespace bench::one_sided {

/// Offset of the data in an area. The functions `add`, `put_word` and `wait_word` use the first
/// word of the area.
constexpr std::size_t data_offset = 4096;

inline std::size_t area_bytes(const options& o) { return data_offset + places(o) * stride(o.size); }

template <class Wire>
class transfer : public operation {
 public:
  transfer(library& all, Wire& wire, const options& o)
      : rank_(all.rank()),
        wire_(wire),
        puts_(o.operation.starts_with("put")),
        bytes_(o.size),
        places_(places(o)),
        local_(all.memory(places_ * stride(bytes_) + half_page) + half_page) {}

  void prepare(unsigned seed) override {
    const bool has_source = rank_ == (puts_ ? 0 : 1);
    for (std::size_t k = 0; k < places_; ++k) {
      clear(local(k), bytes_);
      clear(remote(k), bytes_);
      if (has_source) fill(puts_ ? local(k) : remote(k), bytes_, seed + k);
    }
    wire_.synchronise();
  }

  double run(std::uint64_t rounds) override {
    if (rank_ != 0) return 0;
    const stopwatch watch;
    if (places_ > 1) {
      for (std::uint64_t i = 0; i < rounds; ++i) window();
    } else if (puts_) {
      for (std::uint64_t i = 0; i < rounds; ++i) wire_.put(local_, data_offset, bytes_, 1);
    } else {
      for (std::uint64_t i = 0; i < rounds; ++i) wire_.get(local_, data_offset, bytes_, 1);
    }
    return watch.seconds();
  }

  bool is_right(unsigned seed) override {
    wire_.synchronise();
    if (rank_ != (puts_ ? 1 : 0)) return true;
    for (std::size_t k = 0; k < places_; ++k) {
      if (!holds(puts_ ? remote(k) : local(k), bytes_, seed + k)) return false;
    }
    return true;
  }

  std::size_t operations_of_round() const override { return places_; }

 protected:
  void get_one() { wire_.get(local_, data_offset, bytes_, 1); }
  std::size_t rank() const { return rank_; }
  Wire& wire() { return wire_; }

 private:
  std::size_t offset(std::size_t k) const { return data_offset + k * stride(bytes_); }
  std::byte* local(std::size_t k) { return local_ + k * stride(bytes_); }
  std::byte* remote(std::size_t k) { return wire_.area() + offset(k); }

  void window() {
    for (std::size_t k = 0; k < places_; ++k) {
      if (puts_) {
        wire_.start_put(local(k), offset(k), bytes_, 1);
      } else {
        wire_.start_get(local(k), offset(k), bytes_, 1);
      }
    }
    wire_.complete(1);
  }

  /// Offset of the local data from the start of the allocated memory. Some processors copy ten
  /// times slower if the offset of the target in its page is slightly larger than the offset of the
  /// source. Areas need not be page-aligned.
  static constexpr std::size_t half_page = 2048;

  std::size_t rank_;
  Wire& wire_;
  bool puts_;
  std::size_t bytes_, places_;
  std::byte* local_;
};

/// Measures gets from a process that calls the library only between two computations.
template <class Wire>
class busy_get : public transfer<Wire> {
 public:
  using transfer<Wire>::transfer;

  std::vector<double> measure(library&, const options& o) override {
    if (this->rank() == 1) serve(o.compute_seconds);
    return this->rank() == 0 ? get_all(o.rounds) : std::vector<double>{};
  }

 private:
  static constexpr double most_seconds = 20;

  void serve(double compute_seconds) {
    do {
      const stopwatch computation;
      while (computation.seconds() < compute_seconds) continue;
    } while (this->wire().word() == 0);
  }

  std::vector<double> get_all(std::uint64_t gets) {
    std::vector<double> seconds;
    const stopwatch whole;
    while (seconds.size() < gets && whole.seconds() < most_seconds) {
      const stopwatch watch;
      this->get_one();
      seconds.push_back(watch.seconds());
    }
    this->wire().put_word(1, 1);
    return seconds;
  }
};

}  // namespace bench::one_sided
