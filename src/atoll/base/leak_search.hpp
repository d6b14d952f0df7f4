#pragma once
// What the leak sanitizer is told. A job that ends early leaves its suspended tasks as they are,
// with all they own: then the process is not searched for leaks at its end.

namespace atl {

/// Called where tasks are left behind. Any thread; nothing happens without the sanitizer.
void leave_out_leak_search() noexcept;

}  // namespace atl
