#include "peers/one_sided/collectives.hpp"

#include <cstring>

#include "peers/one_sided/contents.hpp"
#include "support/cores.hpp"

namespace bench::one_sided {
namespace {

class collective : public operation {
 public:
  collective(library& all, const options& o, std::size_t blocks)
      : all_(all),
        bytes_(o.size),
        blocks_(blocks),
        from_(all.memory(blocks * all.whole(bytes_))),
        to_(all.memory(blocks * all.whole(bytes_))) {}

  void prepare(unsigned seed) override {
    clear(to_, blocks_ * all_.whole(bytes_));
    write(seed);
  }

  double run(std::uint64_t rounds) override {
    const stopwatch watch;
    for (std::uint64_t i = 1; i <= rounds; ++i) {
      perform();
      if (has_root() && i % rounds_ahead == 0) all_.barrier();
    }
    return watch.seconds();
  }

 protected:
  virtual void write(unsigned seed) = 0;
  virtual void perform() = 0;
  /// Returns whether the operation has a root. A root may finish many rounds before the other
  /// processes, so the measured time could be the time of the root alone. For operations with a
  /// root, barriers limit how many rounds the root is ahead.
  virtual bool has_root() const { return false; }

  library& all() const { return all_; }
  std::size_t rank() const { return all_.rank(); }
  std::size_t bytes() const { return bytes_; }
  std::byte* from(std::size_t block = 0) const { return from_ + block * all_.whole(bytes_); }
  std::byte* to(std::size_t block = 0) const { return to_ + block * all_.whole(bytes_); }

 private:
  static constexpr std::uint64_t rounds_ahead = 8;
  library& all_;
  std::size_t bytes_, blocks_;
  std::byte *from_, *to_;
};

class broadcasts : public collective {
 public:
  broadcasts(library& all, const options& o) : collective(all, o, 1) {}
  bool is_right(unsigned seed) override { return rank() == 0 || holds(to(), bytes(), seed); }

 private:
  void write(unsigned seed) override { fill(from(), bytes(), seed + rank()); }
  void perform() override { all().broadcast(from(), to(), bytes()); }
  bool has_root() const override { return true; }
};

class sums : public collective {
 public:
  sums(library& all, const options& o)
      : collective(all, o, 1), at_first_(o.operation == "reduce-to-one") {}

  bool is_right(unsigned seed) override {
    if (at_first_ && rank() != 0) return true;
    for (std::size_t i = 0; i < numbers(); ++i) {
      int sum = 0;
      for (std::size_t who = 0; who < all().size(); ++who) sum += term(i, who, seed);
      if (get(i) != sum) return false;
    }
    return true;
  }

 private:
  bool has_doubles() const { return bytes() >= sizeof(double); }
  std::size_t numbers() const { return has_doubles() ? bytes() / sizeof(double) : bytes(); }
  /// Returns a summand that is so small that sums of bytes do not overflow. Some libraries add two
  /// bytes at a time, so the overflow of one byte would change its neighbour.
  static int term(std::size_t i, std::size_t who, unsigned seed) {
    return who < 32 ? 1 + static_cast<int>((i + 2 * who + seed) % 5) : 0;
  }
  int get(std::size_t i) const {
    if (!has_doubles()) return static_cast<int>(to()[i]);
    double value;
    std::memcpy(&value, to() + i * sizeof value, sizeof value);
    return static_cast<int>(value);
  }
  void write(unsigned seed) override {
    for (std::size_t i = 0; i < numbers(); ++i) {
      const auto small = static_cast<std::byte>(term(i, rank(), seed));
      const double value = term(i, rank(), seed);
      if (has_doubles()) {
        std::memcpy(from() + i * sizeof value, &value, sizeof value);
      } else {
        from()[i] = small;
      }
    }
  }
  void perform() override {
    if (at_first_) return all().sum_at_first(from(), to(), bytes());
    all().sum_everywhere(from(), to(), bytes());
  }
  bool has_root() const override { return at_first_; }

  bool at_first_;
};

class exchanges : public collective {
 public:
  exchanges(library& all, const options& o) : collective(all, o, all.size()) {}

  bool is_right(unsigned seed) override {
    for (std::size_t k = 0; k < all().size(); ++k) {
      if (!holds(to(k), bytes(), stamp(k, rank(), seed))) return false;
    }
    return true;
  }

 private:
  std::size_t stamp(std::size_t source, std::size_t target, unsigned seed) const {
    return source * all().size() + target + seed;
  }
  void write(unsigned seed) override {
    for (std::size_t k = 0; k < all().size(); ++k) fill(from(k), bytes(), stamp(rank(), k, seed));
  }
  void perform() override { all().exchange(from(), to(), bytes()); }
};

}  // namespace

std::unique_ptr<operation> make_collective(library& all, const options& o) {
  if (o.operation == "broadcast") return std::make_unique<broadcasts>(all, o);
  if (o.operation == "all-to-all") return std::make_unique<exchanges>(all, o);
  return std::make_unique<sums>(all, o);
}

}  // namespace bench::one_sided
