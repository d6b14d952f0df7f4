#pragma once
// The memory of all region instances on one PE, found by their names. Only this PE may call the
// functions.

#include "atoll/base/charged.hpp"
#include "atoll/base/pe.hpp"
#include "atoll/base/site.hpp"
#include "atoll/event/name.hpp"
#include "atoll/region/own_memory.hpp"

#include <exception>
#include <memory>

namespace atl::regions {

class instance_table {
 public:
  explicit instance_table(pe& self);

  /// Returns the table of this PE, which the first call makes.
  static instance_table& here() {
    instance_table* const found = this_pe().instances;
    if (found == nullptr) [[unlikely]]
      return make_here();
    return *found;
  }

  /// Allocates `bytes` zeroed bytes of private memory of this PE for `instance`. Throws atl::error
  /// (out_of_memory).
  void make(events::name instance, std::uint64_t bytes);

  /// Records an instance whose memory is global memory at `offset`. The owner of that memory frees
  /// it.
  void admit(events::name instance, std::uint64_t offset);

  /// Removes the instance, and frees memory that `make` has allocated. Throws atl::error (input) if
  /// the instance is unknown.
  void remove(events::name instance, site where);

  /// Removes an instance if it is known. The instance must not have been made by `make`.
  void forget(events::name instance) { held_.erase(instance.word()); }

  /// Returns the offset of an instance that `admit` has recorded.
  std::uint64_t offset_of(events::name instance, site where) const;

  /// Returns the memory of the instance on PE `pe`, which must be this PE or a PE that shares its
  /// memory. Throws the failure that `poison` has recorded, and atl::error (input) if the instance
  /// is unknown.
  std::byte* memory_of(events::name instance, int pe, site where) const;

  /// Returns the pool from which lists of contributions get their memory.
  const std::shared_ptr<chunk_pool>& chunks() const { return chunks_; }

  /// Returns the number of instances that this PE knows.
  std::size_t size() const { return held_.size(); }

  /// Marks the contents of an instance as invalid: `memory_of` throws `failure` from now on. Only
  /// the first failure is recorded.
  void poison(events::name instance, const std::exception_ptr& failure);

 private:
  struct held {
    own_memory own{};
    std::byte* memory = nullptr;
    std::uint64_t offset = 0;
    std::exception_ptr failure{};
  };

  static instance_table& make_here();
  const held& find(events::name instance, site where) const;

  charged_map<std::uint64_t, held> held_;
  std::shared_ptr<chunk_pool> chunks_ = std::make_shared<chunk_pool>();
};

}  // namespace atl::regions
