#pragma once
// Descriptors 0, 1 and 2 of a process that was started with some of them closed. The next file
// would get such a number, and whatever is printed would be written into that file.

namespace atl {

/// Opens /dev/null as each of the descriptors 0, 1 and 2 that is closed. The library does so when
/// it is loaded; its entries do so again, for programs that have closed some since. Where there is
/// no /dev/null, the number stands for a file that can neither be read nor written.
void open_standard_descriptors() noexcept;

/// Makes reading standard input and writing standard output an error again where they were closed
/// when the library was loaded. For programs whose result is what they print: it must not be lost
/// without a word.
void refuse_streams_that_were_closed() noexcept;

}  // namespace atl
