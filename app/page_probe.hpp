#pragma once
// What the kernel really gives: a call may succeed and give no huge page.

namespace atl::app {

struct page_probe {
  bool private_huge = false;   ///< a private mapping got a huge page
  bool shared_works = false;   ///< a shared mapping of a memfd can be made and written
  bool shared_huge = false;    ///< it got a huge page
  bool reserves_late = false;  ///< 64 GiB of address space can be mapped without memory behind it
};

/// Maps, touches and looks. Takes some milliseconds.
page_probe probe_pages();

}  // namespace atl::app
