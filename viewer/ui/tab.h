#pragma once
// One tab: where it is, where it was, and what of each place was scrolled to and chosen.
// Thread rule: the window's thread.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "viewer/presentation/jobs.h"
#include "viewer/presentation/layouts/flame_layout.h"
#include "viewer/presentation/layouts/graph_layout.h"
#include "viewer/presentation/layouts/heap_map.h"
#include "viewer/presentation/layouts/tile_layout.h"
#include "viewer/presentation/pages/page_loader.h"

namespace cairn::ui {

// Of one table of a page.
struct TableState {
  uint64_t first_row = 0;
  std::optional<uint64_t> selected;
  size_t cell = 0;              // of the chosen row: what Enter follows, counted among the columns that are shown
  bool choose_columns = false;  // asked for in this frame
};

// What was laid out for the page and the size that it was drawn with.
struct TileState {
  const presentation::Page* page = nullptr;
  float width = 0, height = 0;
  std::vector<presentation::PlacedTile> placed;
};

// The same of a heap map.
struct HeapState {
  const presentation::Page* page = nullptr;
  float width = 0, side = 0;
  presentation::HeapPicture picture;
};

// The same of a flame graph: with what is chosen, and what was enlarged.
struct FlameState {
  const presentation::Page* page = nullptr;
  float width = 0, row = 0;
  std::optional<size_t> drawn_zoom{};
  std::vector<presentation::PlacedBox> placed;
  std::optional<size_t> chosen{}, zoom{};
};

// The same of an allocation graph.
struct GraphState {
  const presentation::Page* page = nullptr;
  float width = 0, height = 0;
  presentation::GraphPicture picture;
  std::optional<size_t> chosen{};
};

struct Visit {
  presentation::Place place;
  std::vector<TableState> tables;  // by section; grows as needed
  TileState tiles{};
  HeapState heap{};
  FlameState flame{};
  GraphState graph{};
  size_t keys = 0;                 // the table that takes keys
  std::optional<size_t> column{};  // chosen in a stack of columns
  std::string filter_text{};       // as it is being typed
  std::string query_text{};        // the same
};

Visit VisitOf(presentation::Place place);

class Tab {
 public:
  explicit Tab(presentation::Place place, uint64_t id) : id_(id), visits_{VisitOf(std::move(place))} {}

  uint64_t Id() const { return id_; }
  const presentation::Place& Where() const { return visits_[at_].place; }
  Visit& Here() { return visits_[at_]; }

  // Somewhere else: what was ahead is forgotten.
  void Go(presentation::Place place);
  // The same rows in another order or fewer of them: back does not stop here.
  void Rearrange(presentation::Place place);
  bool CanGoBack() const { return at_ > 0; }
  bool CanGoForward() const { return at_ + 1 < visits_.size(); }
  void Back();
  void Forward();

  // ---- the page that is there, or on its way ----
  // Starts what is needed for the place, and takes what has arrived.
  void Update(presentation::JobRunner& jobs, std::shared_ptr<presentation::PageLoader> loader);
  // Loads anew even where it is the same place.
  void Reload() { wanted_.reset(); }
  // What is shown: of this place, or of the last one until this one has arrived; null at first.
  const presentation::Page* Shown() const { return shown_.get(); }
  presentation::PagePointer ShownPage() const { return shown_; }
  const std::optional<Error>& Failure() const { return failure_; }
  // What belongs below it; null until it has come.
  const presentation::Page* Aside() const { return aside_shown_.get(); }
  const std::optional<Error>& AsideFailure() const { return aside_failure_; }
  bool IsLoading() const { return whole_.IsWanted() && !whole_.Answer(); }

 private:
  void Start(presentation::JobRunner& jobs, std::shared_ptr<presentation::PageLoader> loader);
  void Take();
  void TakeAside(presentation::JobRunner& jobs, std::shared_ptr<presentation::PageLoader> loader);

  uint64_t id_;
  std::vector<Visit> visits_;
  size_t at_ = 0;
  std::optional<presentation::Place> wanted_;  // what the jobs are for
  presentation::Job<presentation::PagePointer> preview_, whole_, aside_;
  presentation::PagePointer shown_, aside_shown_;
  std::optional<Error> failure_, aside_failure_;
};

}  // namespace cairn::ui
