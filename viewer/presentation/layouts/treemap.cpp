#include "viewer/presentation/layouts/treemap.h"

#include <algorithm>
#include <limits>

namespace cairn::presentation {
namespace {

class Squarifier {
 public:
  Squarifier(std::span<const uint64_t> weights, const Rectangle& area) : weights_(weights), free_(area) {
    for (const uint64_t weight : weights) left_ += static_cast<double>(weight);
  }

  std::vector<Rectangle> Run() {
    std::vector<Rectangle> placed(weights_.size());
    size_t first = 0;
    while (first < weights_.size() && left_ > 0 && weights_[first] > 0) {
      const size_t end = EndOfRow(first);
      PlaceRow(first, end, placed);
      first = end;
    }
    return placed;
  }

 private:
  double AreaPerWeight() const { return free_.width * free_.height / left_; }
  double ShortSide() const { return std::min(free_.width, free_.height); }

  // The worst ratio of sides of a row; the paper's `worst`.
  static double Worst(double largest, double smallest, double sum, double side) {
    if (sum <= 0 || smallest <= 0 || side <= 0) return std::numeric_limits<double>::infinity();
    return std::max(side * side * largest / (sum * sum), sum * sum / (side * side * smallest));
  }

  // A row takes the next one as long as its worst ratio does not get worse.
  size_t EndOfRow(size_t first) const {
    const double scale = AreaPerWeight(), side = ShortSide();
    const double largest = static_cast<double>(weights_[first]) * scale;
    double sum = largest, worst = Worst(largest, largest, sum, side);
    size_t end = first + 1;
    for (; end < weights_.size() && weights_[end] > 0; ++end) {
      const double next = static_cast<double>(weights_[end]) * scale;
      const double with_next = Worst(largest, next, sum + next, side);
      if (with_next > worst) break;
      sum += next;
      worst = with_next;
    }
    return end;
  }

  // Along the short side of what is free.
  void PlaceRow(size_t first, size_t end, std::vector<Rectangle>& placed) {
    double row = 0;
    for (size_t i = first; i < end; ++i) row += static_cast<double>(weights_[i]);
    const bool upright = free_.width >= free_.height;
    const double side = ShortSide(), depth = row / left_ * (upright ? free_.width : free_.height);
    double at = 0;
    for (size_t i = first; i < end; ++i) {
      const double length = static_cast<double>(weights_[i]) / row * side;
      placed[i] =
          upright ? Rectangle{free_.x, free_.y + at, depth, length} : Rectangle{free_.x + at, free_.y, length, depth};
      at += length;
    }
    (upright ? free_.x : free_.y) += depth;
    (upright ? free_.width : free_.height) -= depth;
    left_ -= row;
  }

  std::span<const uint64_t> weights_;
  Rectangle free_;
  double left_ = 0;  // weight not yet placed
};

}  // namespace

std::vector<Rectangle> Treemap(std::span<const uint64_t> weights, const Rectangle& area) {
  return Squarifier(weights, area).Run();
}

}  // namespace cairn::presentation
