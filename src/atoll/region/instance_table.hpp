#pragma once
// The memory that one PE holds of region instances, by their names. Called by its own PE only.

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

  /// That of this PE, made when it is first asked for.
  static instance_table& here() {
    instance_table* const found = this_pe().instances;
    if (found == nullptr) [[unlikely]]
      return make_here();
    return *found;
  }

  /// Takes so many bytes of zeros from the private memory of this PE. Throws atl::error
  /// (out_of_memory).
  void make(events::name instance, std::uint64_t bytes);

  /// Its memory is the global memory at `offset`, of which somebody else takes care.
  void admit(events::name instance, std::uint64_t offset);

  /// Forgets it, and gives back what `make` took. Throws atl::error (input) where it is not there.
  void remove(events::name instance, site where);

  /// The same of one that may not be there, and was not made here.
  void forget(events::name instance) { held_.erase(instance.word()); }

  /// The offset of one that was admitted.
  std::uint64_t offset_of(events::name instance, site where) const;

  /// Its memory on `pe`, which is this PE or shares it. Throws what it was poisoned with, and
  /// atl::error (input) where it is not there.
  std::byte* memory_of(events::name instance, int pe, site where) const;

  /// Memory that lists of contributions take and give back.
  const std::shared_ptr<chunk_pool>& chunks() const { return chunks_; }

  /// How many this PE knows of.
  std::size_t size() const { return held_.size(); }

  /// What it holds is not to be used: who asks for its memory gets this, the first one.
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
