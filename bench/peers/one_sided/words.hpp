#pragma once
// Operations on one word per process: atomic additions, a token in a ring, and the check of a
// barrier. The operations use a class with the interface `wire`, which transfers.hpp describes.

#include <chrono>
#include <memory>
#include <thread>

#include "peers/one_sided/transfers.hpp"

namespace bench::one_sided {

/// Atomic additions to a word. By default, process 0 adds to the word of process 1. If --contended
/// is set, all processes add to the word of process 0.
template <class Wire>
class additions : public operation {
 public:
  additions(library& all, Wire& wire, const options& o)
      : all_(all),
        wire_(wire),
        contended_(o.contended),
        owner_(contended_ ? 0 : 1),
        adds_(contended_ || all.rank() == 0) {}

  void prepare(unsigned) override {
    wire_.put_word(0, all_.rank());
    last_ = -1;
    rounds_ = 0;
  }

  double run(std::uint64_t rounds) override {
    rounds_ += rounds;
    if (!adds_) return 0;
    const stopwatch watch;
    for (std::uint64_t i = 0; i < rounds; ++i) {
      const auto old = wire_.add(owner_);
      rises_ = rises_ && old > last_;
      last_ = old;
    }
    return watch.seconds();
  }

  /// Returns true if all additions have arrived, and each old value that this process got was
  /// larger than the previous old value.
  bool is_right(unsigned) override {
    wire_.synchronise();
    const auto sum = static_cast<std::int64_t>(rounds_ * callers());
    return rises_ && (all_.rank() != owner_ || wire_.word() == sum);
  }

  std::size_t callers() const override { return contended_ ? all_.size() : 1; }

 private:
  library& all_;
  Wire& wire_;
  bool contended_;
  std::size_t owner_;
  bool adds_, rises_ = true;
  std::int64_t last_ = -1;
  std::uint64_t rounds_ = 0;
};

/// A token that visits all processes in a ring. A process that has received the token sends the
/// token to the next process. The first word of each area counts the hops. A token of more than one
/// word also has bytes in the data part of an area.
template <class Wire>
class token_ring : public operation {
 public:
  token_ring(library& all, Wire& wire, const options& o)
      : all_(all), wire_(wire), bytes_(o.size), rounds_(o.rounds) {}

  void prepare(unsigned seed) override {
    clear(token(), bytes_);
    if (all_.rank() == 0) fill(token(), bytes_, seed);
    wire_.put_word(0, all_.rank());
    wire_.synchronise();
    seen_ = 0;
    passed_ = 0;
  }

  double run(std::uint64_t rounds) override {
    const stopwatch watch;
    for (std::uint64_t i = 0; i < rounds; ++i) {
      if (all_.rank() == 0) pass();
      seen_ = wire_.wait_word(seen_);
      if (all_.rank() != 0) pass();
    }
    passed_ += rounds;
    return all_.rank() == 0 ? watch.seconds() : 0;
  }

  bool is_right(unsigned seed) override {
    wire_.synchronise();
    const auto last_round = (passed_ - 1) * all_.size();
    const auto hops = last_round + (all_.rank() == 0 ? all_.size() : all_.rank());
    return seen_ == static_cast<std::int64_t>(hops) &&
           (bytes_ <= sizeof seen_ || holds(token(), bytes_, seed));
  }

  std::size_t operations_of_round() const override { return all_.size(); }
  std::uint64_t fixed_rounds() const override { return rounds_; }

 private:
  std::byte* token() { return wire_.area() + data_offset; }
  void pass() {
    const auto next = (all_.rank() + 1) % all_.size();
    if (bytes_ > sizeof seen_) wire_.start_put(token(), data_offset, bytes_, next);
    wire_.put_word(seen_ + 1, next);
  }

  library& all_;
  Wire& wire_;
  std::size_t bytes_;
  std::uint64_t rounds_;
  std::int64_t seen_ = 0;
  std::uint64_t passed_ = 0;
};

template <class Wire>
class barriers : public operation {
 public:
  barriers(library& all, Wire& wire) : all_(all), wire_(wire) {}

  void prepare(unsigned) override {}

  double run(std::uint64_t rounds) override {
    const stopwatch watch;
    for (std::uint64_t i = 0; i < rounds; ++i) all_.barrier();
    return watch.seconds();
  }

  /// Returns whether the barrier works. In each round, one process is late and sends a word before
  /// the barrier. The word must have arrived when the barrier has returned.
  bool is_right(unsigned) override {
    const auto next = (all_.rank() + 1) % all_.size();
    bool right = true;
    for (std::size_t i = 1; i <= 2 * all_.size(); ++i) {
      if (i % all_.size() == all_.rank()) std::this_thread::sleep_for(late);
      wire_.put_word(static_cast<std::int64_t>(i), next);
      all_.barrier();
      right = wire_.word() == static_cast<std::int64_t>(i) && right;
      all_.barrier();
    }
    return right;
  }

 private:
  static constexpr std::chrono::microseconds late{300};
  library& all_;
  Wire& wire_;
};

/// Makes the operation of the given name over this wire. Returns nullptr if the operation needs no
/// wire.
template <class Wire>
std::unique_ptr<operation> over_wire(library& all, Wire& wire, const options& o) {
  if (o.operation == "atomic") return std::make_unique<additions<Wire>>(all, wire, o);
  if (o.operation == "ring") return std::make_unique<token_ring<Wire>>(all, wire, o);
  if (o.operation == "barrier") return std::make_unique<barriers<Wire>>(all, wire);
  if (o.operation == "busy-get") return std::make_unique<busy_get<Wire>>(all, wire, o);
  if (is_collective(o.operation)) return nullptr;
  return std::make_unique<transfer<Wire>>(all, wire, o);
}

}  // namespace bench::one_sided
