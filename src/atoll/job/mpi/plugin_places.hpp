#pragma once
// Where the plug-in of an MPI library may lie: with the runtime, which may be a shared library or a
// part of the program, wherever the two were moved.

#include <filesystem>
#include <string>
#include <vector>

namespace atl::job {

/// The file that holds this function: libatoll.so, or the program that was linked with the runtime.
std::filesystem::path file_of_runtime();

/// Folders that may hold plug-ins, the first to be looked at first. `runtime` and `program` are
/// files.
std::vector<std::filesystem::path> plugin_folders(const std::filesystem::path& runtime,
                                                  const std::filesystem::path& program);

/// Where the loader looks for libraries of the program: its RUNPATH, LD_LIBRARY_PATH, and the
/// system's. For what a library of the program loads, the loader takes the RUNPATH of that library.
std::vector<std::filesystem::path> loader_folders_of_program();

}  // namespace atl::job
