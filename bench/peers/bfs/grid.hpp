#pragma once
// A grid of processes in two dimensions. Each process owns a piece of the vertices. Process (row,
// column) has the arcs from the pieces of its column to the pieces of its row. A frontier is
// therefore gathered along columns, and found vertices are sent along rows, without a
// transposition.

#include <mpi.h>

#include <cmath>
#include <cstdint>

#include "peers/graph/partition.hpp"
#include "peers/mpi_session.hpp"

namespace bench::peers {

class grid {
 public:
  /// Makes the communicators for the row and the column of this process. All processes call the
  /// constructor.
  grid(const mpi_session& all, const partition& where)
      : where_(where),
        columns_(largest_divisor_to_root(all.size)),
        rows_(all.size / columns_),
        row_(all.rank / columns_),
        column_(all.rank % columns_) {
    MPI_Comm_split(MPI_COMM_WORLD, row_, column_, &along_row_);
    MPI_Comm_split(MPI_COMM_WORLD, column_, row_, &along_column_);
  }
  ~grid() {
    MPI_Comm_free(&along_row_);
    MPI_Comm_free(&along_column_);
  }
  grid(const grid&) = delete;
  grid& operator=(const grid&) = delete;

  int rows() const { return rows_; }
  int columns() const { return columns_; }
  int row() const { return row_; }
  int column() const { return column_; }
  MPI_Comm along_row() const { return along_row_; }
  MPI_Comm along_column() const { return along_column_; }

  /// Returns the process that has the arcs from `from` to `to`.
  int process_of_arc(vertex from, vertex to) const {
    return where_.owner(to) / columns_ * columns_ + where_.owner(from) % columns_;
  }

  /// Returns the index of `v` among the vertices of its row of the grid. Indices fit in 32 bits.
  vertex place_in_row(vertex v) const {
    return static_cast<vertex>(v - first_of(where_.owner(v) / columns_ * columns_));
  }
  vertex place_in_column(vertex v) const {
    const int piece = where_.owner(v);
    return static_cast<vertex>(v - first_of(piece) + first_of(piece / columns_));
  }
  /// Returns the vertex with the index `place` in the column of this process.
  vertex in_column(std::uint64_t place) const {
    const int piece = where_.owner(place);
    return static_cast<vertex>(place - first_of(piece) + first_of(piece * columns_ + column_));
  }

 private:
  static int largest_divisor_to_root(int number) {
    int divisor = static_cast<int>(std::sqrt(number));
    while (number % divisor != 0) --divisor;
    return divisor;
  }
  /// Returns the number of the first vertex of a piece, assuming that all pieces are full.
  std::uint64_t first_of(int piece) const {
    return static_cast<std::uint64_t>(piece) * where_.each();
  }

  partition where_;
  int columns_, rows_, row_, column_;
  MPI_Comm along_row_ = MPI_COMM_NULL, along_column_ = MPI_COMM_NULL;
};

}  // namespace bench::peers
