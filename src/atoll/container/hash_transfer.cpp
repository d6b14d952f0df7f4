#include "atoll/container/hash_transfer.hpp"

#include "atoll/error.hpp"
#include "atoll/settings.hpp"

namespace atl::container {

std::exception_ptr failure_of(hash_outcome outcome) {
  if (outcome == hash_outcome::too_long) {
    return std::make_exception_ptr(
        error(errc::input, fmt::format("the value of the key has become larger than one message "
                                       "takes with --buffer-size {}; update it where it is",
                                       this_pe().options->buffer_size)));
  }
  return std::make_exception_ptr(
      error(errc::out_of_memory,
            fmt::format("out of memory: the PE that owns a key of a hash table, or the PE that "
                        "asks for the key, has no memory left{}",
                        this_pe().account->limit_text())));
}

void refuse_request(std::size_t bytes, std::size_t most, site where) {
  fail(errc::input,
       "{}: a key and its value of {} bytes are more than one message takes, {} bytes with "
       "--buffer-size {}",
       to_string(where), bytes, most, this_pe().options->buffer_size);
}

}  // namespace atl::container
