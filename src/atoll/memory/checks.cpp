#include "atoll/memory/checks.hpp"

#include "atoll/delegates.hpp"
#include "atoll/error.hpp"
#include "atoll/memory/heap.hpp"
#include "atoll/pe.hpp"
#include "atoll/settings.hpp"

namespace atl::memory {

void refuse_elements(std::uint64_t first, std::uint64_t count, std::uint64_t size, site where) {
  if (count == 1)
    fail(errc::input, "{}: element {} was asked for, of a global array of {} elements",
         to_string(where), first, size);
  fail(errc::input, "{}: {} elements from element {} on were asked for, of a global array of {}",
       to_string(where), count, first, size);
}

void refuse_step(int pe, std::uint64_t offset, std::int64_t count, std::size_t each, site where) {
  fail(errc::input,
       "{}: the address {} objects of {} bytes behind offset {} of PE {} is beyond its memory",
       to_string(where), count, each, offset, pe);
}

void refuse_count(std::uint64_t count, std::size_t each, site where) {
  fail(errc::input, "{}: {} objects of {} bytes are more than any memory has", to_string(where),
       count, each);
}

void refuse_local(int pe, site where) {
  if (pe < 0) fail(errc::input, "{}: a null global_address was used", to_string(where));
  fail(errc::input,
       "{}: local() was called on PE {} for an object of PE {}; only its owner has it in memory: "
       "`co_await read(address)` copies it",
       to_string(where), my_pe(), pe);
}

void refuse_access(int pe, std::uint64_t offset, std::uint64_t bytes, site where) {
  if (pe < 0) fail(errc::input, "{}: a null global_address was used", to_string(where));
  if (pe >= this_pe().size) {
    fail(errc::input, "{}: a global_address of PE {} was used; there are {} PEs", to_string(where),
         pe, this_pe().size);
  }
  fail(errc::input,
       "{}: no array of PE {} has this element: the array was destroyed, or it ends before the "
       "element ({} bytes at offset {})",
       to_string(where), pe, bytes, offset);
}

void check_destroyed_once(std::uint64_t offset, std::uint64_t bytes, site where) {
  if (this_pe().memory->has_array(offset, bytes)) return;
  fail(errc::input, "{}: the array was destroyed before, or was never made", to_string(where));
}

void lifetime::refuse(const char* what, site where) const {
  if (current_pe == nullptr)
    fail(errc::input, "{}: {} was used where there is no job", to_string(where), what);
  fail(errc::input, "{}: {} {}", to_string(where), what,
       serial_ == 0 ? "was never made: its handle is empty" : "was destroyed before");
}

void check_pe(const char* call, int pe, site where) {
  if (pe >= 0 && pe < this_pe().size) return;
  fail(errc::input, "{}: {}: PE {} does not exist; there are {} PEs", to_string(where), call, pe,
       this_pe().size);
}

void refuse_payload(std::size_t bytes, std::size_t most, site where) {
  fail(errc::input,
       "{}: a payload of {} bytes is more than one message takes beside its function, {} bytes "
       "with --buffer-size {}; send it in pieces, or put it into a global array",
       to_string(where), bytes, most, this_pe().options->buffer_size);
}

}  // namespace atl::memory
