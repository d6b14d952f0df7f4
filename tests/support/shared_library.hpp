#pragma once
// Makes a shared library while a test runs, so that this process has certainly not loaded the
// library before.

#include <cstdint>
#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <string>
#include <unistd.h>

namespace atl {

/// A shared library with two functions. `place` returns a constant that contains a source location
/// of the library: line 7 of "library.cpp". `act` is a function that does nothing.
class shared_library {
 public:
  explicit shared_library(const std::string& name)
      : folder_(testing::TempDir() + "atoll_" + std::to_string(getpid()) + "_" + name),
        file_(folder_ + "/lib" + name + ".so") {
    std::filesystem::create_directories(folder_);
    std::ofstream(folder_ + "/library.cpp") << "#include <source_location>\n"
                                               "#line 7 \"library.cpp\"\n"
                                               "extern \"C\" std::source_location place() { return "
                                               "std::source_location::current(); }\n"
                                               "extern \"C\" void act() {}\n";
    const std::string command =
        "c++ -std=c++20 -shared -fPIC -o " + file_ + " " + folder_ + "/library.cpp";
    if (std::system(command.c_str()) != 0) std::abort();
  }
  ~shared_library() { std::filesystem::remove_all(folder_); }
  shared_library(const shared_library&) = delete;
  shared_library& operator=(const shared_library&) = delete;

  const std::string& file() const { return file_; }

  void load() {
    handle_ = dlopen(file_.c_str(), RTLD_NOW | RTLD_LOCAL);
    ASSERT_NE(handle_, nullptr) << dlerror();
  }

  template <class Function>
  Function* function(const char* name) const {
    return reinterpret_cast<Function*>(dlsym(handle_, name));
  }

 private:
  std::string folder_;
  std::string file_;
  void* handle_ = nullptr;
};

}  // namespace atl
