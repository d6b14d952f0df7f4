#include "atoll/delegates.hpp"

#include "atoll/error.hpp"
#include "atoll/settings.hpp"

namespace atl::memory {

void refuse_payload(std::size_t bytes, std::size_t most, site where) {
  fail(errc::input,
       "{}: a payload of {} bytes is more than one message takes beside its function, {} bytes "
       "with --buffer-size {}; send it in pieces, or put it into a global array",
       to_string(where), bytes, most, this_pe().options->buffer_size);
}

}  // namespace atl::memory
