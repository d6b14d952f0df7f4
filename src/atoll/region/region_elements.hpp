#pragma once
// Single elements of region instances, wherever they lie: read, written and reduced by their
// owners.

#include "atoll/memory/delegates.hpp"
#include "atoll/memory/reduction.hpp"
#include "atoll/region/element_map.hpp"
#include "atoll/transport/travelling_site.hpp"

namespace atl {

/// The elements of a one-dimensional part, as one task uses them: made when the instance is ready,
/// and used as long as it is there. Indices are counted from the begin of the part.
template <class T>
class region_elements {
 public:
  /// Throws atl::error (input) where the instance is not there.
  explicit region_elements(const region_part<T, 1>& part, site where = site::current())
      : places_(part.described()) {
    const auto& field = places_.field();
    is_global_ = field.grid.owner < 0 || field.memory == placement::symmetric;
    if (is_global_)
      offset_ = regions::instance_table::here().offset_of(field.instance, where) + field.begin;
  }

  std::uint64_t size() const { return places_.size(); }

  /// Awaitable: the value of element `i`.
  auto read(std::uint64_t i, site where = site::current()) const {
    const located element = locate(i, where);
    return memory::simple_call(element.pe, [element] { return element.here(); }, where);
  }

  /// Awaitable: stores `value` in element `i`.
  auto write(std::uint64_t i, T value, site where = site::current()) const {
    const located element = locate(i, where);
    return memory::simple_call(element.pe, [element, value] { element.here() = value; }, where);
  }

  /// Awaitable: reduces `more` into element `i`.
  template <reduction_operation Operation>
  auto reduce(Operation operation, std::uint64_t i, typename Operation::partial more,
              site where = site::current()) const {
    const located element = locate(i, where);
    return memory::simple_call(
        element.pe, [element, operation, more] { operation.apply(element.here(), more); }, where);
  }

  /// The same without waiting; counted by the enclosing scope. Throws atl::error (overflow).
  template <reduction_operation Operation>
  void async_reduce(Operation operation, std::uint64_t i, typename Operation::partial more,
                    site where = site::current()) const {
    const auto apply = [operation, more](T& data) { operation.apply(data, more); };
    if (is_global_) [[likely]] {
      const regions::element_place place = places_[i];
      return async_update(global_address<T>(place.pe, offset_ + place.slot * places_.unit()), apply,
                          where);
    }
    const located element = locate(i, where);
    async_call(element.pe, [element, apply] { apply(element.here()); }, where);
  }

 private:
  /// An element by the name of its instance.
  struct located {
    int pe;
    events::name instance;
    std::uint64_t place;
    transport::travelling_site where;

    T& here() const {
      std::byte* const memory = regions::instance_table::here().memory_of(instance, my_pe(), where);
      return *reinterpret_cast<T*>(memory + place);
    }
  };

  located locate(std::uint64_t i, site where) const {
    const regions::element_place place = places_[i];
    const auto& field = places_.field();
    return {place.pe, field.instance, field.begin + place.slot * places_.unit(), where};
  }

  regions::element_map places_;
  bool is_global_ = false;
  std::uint64_t offset_ = 0;
};

}  // namespace atl
