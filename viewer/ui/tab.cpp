#include "viewer/ui/tab.h"

namespace cairn::ui {

using presentation::JobContext;
using presentation::PageLoader;
using presentation::PagePointer;
using presentation::Place;

Visit VisitOf(Place place) {
  Visit visit{std::move(place), {}};
  visit.filter_text = visit.place.view == presentation::View::kObjects ? visit.place.type : visit.place.filter;
  visit.query_text = visit.place.sql;
  return visit;
}

namespace {

// Another order of the same rows, or a series that has grown: what is shown may stand until the new page is there.
bool MayStand(const Place& shown, const Place& wanted) {
  if (shown.view == presentation::View::kTimeline) return wanted.view == shown.view;
  return shown.Unarranged() == wanted.Unarranged();
}

}  // namespace

void Tab::Go(Place place) {
  if (place == Where()) return;
  visits_.resize(at_ + 1);
  visits_.push_back(VisitOf(std::move(place)));
  ++at_;
}

void Tab::Rearrange(Place place) {
  visits_.resize(at_ + 1);
  std::string typed = std::move(visits_[at_].filter_text);
  visits_[at_] = {std::move(place), {}};
  visits_[at_].filter_text = std::move(typed);
}

void Tab::Back() {
  if (CanGoBack()) --at_;
}

void Tab::Forward() {
  if (CanGoForward()) ++at_;
}

void Tab::Update(presentation::JobRunner& jobs, std::shared_ptr<PageLoader> loader) {
  if (wanted_ != Where()) Start(jobs, loader);
  Take();
  TakeAside(jobs, std::move(loader));
}

void Tab::Start(presentation::JobRunner& jobs, std::shared_ptr<PageLoader> loader) {
  // Else it would be taken for what it is not.
  if (!wanted_ || !MayStand(*wanted_, Where())) shown_ = nullptr;
  wanted_ = Where();
  failure_.reset();
  aside_ = {};
  aside_shown_ = nullptr;
  aside_failure_.reset();
  const std::string title = presentation::TitleOf(*wanted_);
  if (!shown_)
    preview_ = jobs.Start<PagePointer>("opening " + title, [loader, place = *wanted_](JobContext& context) {
      return loader->Preview(place, context.Work());
    });
  whole_ = jobs.Start<PagePointer>(
      title, [loader, place = *wanted_](JobContext& context) { return loader->Load(place, context.Work()); });
}

void Tab::Take() {
  if (const auto* whole = whole_.Answer()) {
    if (*whole)
      shown_ = **whole;
    else
      failure_ = whole->error();
    whole_ = {};
    preview_ = {};
  } else if (const auto* preview = preview_.Answer()) {
    if (*preview && **preview) shown_ = **preview;
    preview_ = {};
  }
}

void Tab::TakeAside(presentation::JobRunner& jobs, std::shared_ptr<PageLoader> loader) {
  if (const auto* answer = aside_.Answer()) {
    if (*answer)
      aside_shown_ = **answer;
    else
      aside_failure_ = answer->error();
    aside_ = {};
  }
  if (!shown_ || !shown_->aside || aside_.IsWanted() || aside_shown_ || aside_failure_) return;
  aside_ = jobs.Start<PagePointer>(
      presentation::TitleOf(*shown_->aside),
      [loader, place = *shown_->aside](JobContext& context) { return loader->Load(place, context.Work()); });
}

}  // namespace cairn::ui
