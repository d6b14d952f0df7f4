#pragma once
// A region instance is a distributed array over a rectangle. This file has the table of all
// instances that a PE knows. The table maps the name of an instance to the memory of the instance.
// Only the PE itself may call the functions.

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

  /// Returns the table of this PE. The first call makes the table.
  static instance_table& here() {
    instance_table* const found = this_pe().instances;
    if (found == nullptr) [[unlikely]]
      return make_here();
    return *found;
  }

  /// Allocates `bytes` zeroed bytes of private memory of this PE for `instance`. Throws atl::error
  /// (out_of_memory).
  void make(events::name instance, std::uint64_t bytes);

  /// Records an instance whose memory is global memory at `offset`. The table never frees global
  /// memory, so the caller of `remove` must free the memory.
  void admit(events::name instance, std::uint64_t offset);

  /// Removes the instance, and frees memory that `make` has allocated. Throws atl::error (input) if
  /// the instance is unknown.
  void remove(events::name instance, site where);

  /// Removes an instance that `admit` has recorded. Does nothing if the instance is unknown.
  void forget(events::name instance) { held_.erase(instance.word()); }

  /// Returns the offset of an instance that `admit` has recorded.
  std::uint64_t offset_of(events::name instance, site where) const;

  /// Returns the address of the instance's memory on PE `pe`. PE `pe` must be this PE, or a PE
  /// whose memory this PE can access directly. Throws atl::error (input) if the instance is
  /// unknown. Throws the failure that `poison` has recorded, if any.
  std::byte* memory_of(events::name instance, int pe, site where) const;

  /// Returns the pool of memory for lists of contributions (entry_lists.hpp).
  const std::shared_ptr<chunk_pool>& chunks() const { return chunks_; }

  /// Returns the number of instances that this PE knows.
  std::size_t size() const { return held_.size(); }

  /// Marks the contents of an instance as invalid, because a write has failed. Later calls of
  /// `memory_of` throw `failure`. Only the first failure is recorded.
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
