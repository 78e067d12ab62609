#include "viewer/presentation/place.h"

#include <gtest/gtest.h>

namespace cairn::presentation {
namespace {

// Every kind of value once, and those that the text must protect.
std::vector<Place> Examples() {
  const Place types = Place::Of(View::kTypes, "shop.cairn");
  Place objects = types.OfType("Shop.Cache<System.String, Shop.Order>+Entry[]");
  objects.generation = "gen2";
  objects.unreachable = true;
  Place roots = types.Of(View::kRoots);
  roots.kind = "thread-static";
  Place of_path = types.OfType("Shop.Order");
  of_path.path = "v1:0123456789abcdef0123456789abcdef";
  Place diff{.view = View::kDiff, .files = {"a b&c.cairn", "100%.cairn", "ü?.cairn"}};
  return {Place(),
          types,
          types.Filtered("a=b & 50%\n").Sorted({{"type", true}, {"bytes", false}}),
          objects,
          types.OfObject(12),
          types.OfObject(0, View::kDominators),
          types.Of(View::kTreemap),
          types.OfObject(4'294'967'295, View::kPaths),
          roots,
          of_path,
          diff,
          types.Asking("SELECT type, count(*) FROM objects WHERE type='a&b' GROUP BY 1"),
          Place{.view = View::kTimeline, .files = {"1.cairn", "2.cairn", "3.cairn"}, .by = "namespace"},
          Place{.view = View::kSuspects, .files = {"before.cairn", "after.cairn"}}};
}

TEST(Place, TextLeadsBackToIt) {
  for (const Place& place : Examples()) {
    const auto parsed = ParsePlace(ToText(place));
    ASSERT_TRUE(parsed) << ToText(place) << ": " << parsed.error().message;
    EXPECT_EQ(*parsed, place) << ToText(place);
  }
}

TEST(Place, TextIsReadable) {
  EXPECT_EQ(ToText(Place()), "start");
  EXPECT_EQ(ToText(Place::Of(View::kTypes, "shop.cairn").OfType("Shop.Order").Sorted({{"bytes", false}})),
            "objects?type=Shop.Order&sort=bytes&file=shop.cairn");
}

TEST(Place, EveryViewHasItsOwnWordAndPlaceInTheList) {
  std::vector<std::string> words;
  for (const ViewInfo& info : Views()) {
    EXPECT_EQ(&InfoOf(info.view), &info);
    EXPECT_EQ(std::count(words.begin(), words.end(), info.word), 0) << info.word;
    words.emplace_back(info.word);
  }
}

TEST(Place, WithoutFilesItIsOfThoseOfTheCommandLine) {
  const std::vector<std::string> files = {"a", "b", "c"};
  EXPECT_EQ(ParsePlace("types", files)->files, std::vector<std::string>{"c"});
  EXPECT_EQ(ParsePlace("suspects", files)->files, std::vector<std::string>{"c"});
  EXPECT_EQ(ParsePlace("diff", files)->files, files);
  EXPECT_EQ(ParsePlace("types?file=x", files)->files, std::vector<std::string>{"x"});
  EXPECT_TRUE(ParsePlace("start", files)->files.empty());
}

TEST(Place, RefusesWhatMeansNothing) {
  const std::vector<std::string> files = {"a"};
  const std::pair<const char*, const char*> cases[] = {
      {"tipes", "there is no view 'tipes'"},
      {"types?object=@1", "the view types takes no object"},
      {"types?type=X", "the view types takes no type"},
      {"types?colour=red", "the view types takes no colour"},
      {"types?unreachable=yes", "the view types takes no unreachable"},
      {"types?file=a&file=b", "the view types takes no (further) file"},
      {"types?filter=%2", "'%2' holds a % that is not followed by two hex digits"},
      {"types?filter=%zz", "'%zz' holds a % that is not followed by two hex digits"},
      {"types?sort=a,,b", "sort=a,,b names no column"},
      {"types?sort=:up", "sort=:up names no column"},
      {"objects?generation=gen7", "there is no generation 'gen7'"},
      {"roots?kind=moon", "there is no kind 'moon'"},
      {"object", "the view object needs one"},
      {"object?object=0x10", "a place names an object by its index"},
      {"diff", "the view diff needs two files"},
      {"timeline?by=colour", "there is no by 'colour'"},
      {"types?sql=SELECT 1", "the view types takes no sql"},
      {"types?path=v1:0", "the view types takes no path"},
  };
  for (const auto& [text, message] : cases) {
    const auto parsed = ParsePlace(text, files);
    ASSERT_FALSE(parsed) << text;
    EXPECT_EQ(parsed.error().message, message) << text;
    EXPECT_EQ(parsed.error().kind, ErrorKind::kUsage);
  }
  EXPECT_EQ(ParsePlace("tipes", files).error().hint, "Did you mean types?");
  EXPECT_EQ(ParsePlace("types").error().message, "the view types needs a file");
}

TEST(Place, IsACommandLine) {
  const Place types = Place::Of(View::kTypes, "shop 1.cairn");
  EXPECT_EQ(CommandOf(Place()), "cairn ps");
  EXPECT_EQ(CommandOf(types.Of(View::kOverview)), "cairn info 'shop 1.cairn'");
  EXPECT_EQ(CommandOf(types.Filtered("Shop.*").Sorted({{"bytes", false}})),
            "cairn types 'shop 1.cairn' 'Shop.*' --sort bytes");
  EXPECT_EQ(CommandOf(types.Sorted({{"type", true}})), "cairn types 'shop 1.cairn'");  // the command has no such order
  Place objects = types.OfType("it's").Sorted({{"address", true}});
  objects.generation = "gen2";
  objects.unreachable = true;
  EXPECT_EQ(CommandOf(objects),
            "cairn objects 'shop 1.cairn' --type 'it'\\''s' --generation gen2 --unreachable --sort address");
  EXPECT_EQ(CommandOf(types.OfObject(12)), "cairn object 'shop 1.cairn' @12");
  EXPECT_EQ(CommandOf(types.OfObject(12, View::kPaths)), "cairn path 'shop 1.cairn' --object @12");
  EXPECT_EQ(CommandOf(types.OfObject(12, View::kTreemap)), "cairn dominators 'shop 1.cairn' --of @12");
  EXPECT_EQ(CommandOf({.view = View::kDiff, .files = {"a", "b"}}), "cairn diff a b");
  EXPECT_EQ(CommandOf({.view = View::kSuspects, .files = {"a", "b"}}), "cairn suspects b --base a");
}

TEST(Place, WhatOnlyTheWindowShowsIsAViewCommand) {
  const Place notes = Place::Of(View::kNotes, "a.cairn");
  EXPECT_EQ(CommandOf(notes), "cairn view a.cairn --at notes");
  EXPECT_EQ(CommandOf(notes.Asking("")), "cairn view a.cairn --at sql");
  EXPECT_EQ(CommandOf(notes.Asking("SELECT 1")), "cairn query a.cairn 'SELECT 1'");
  Place of_path = notes.Of(View::kObjects);
  of_path.path = "v1:0";
  EXPECT_EQ(CommandOf(of_path), "cairn view a.cairn --at 'objects?path=v1:0'");
  EXPECT_EQ(CommandOf(notes.Of(View::kTimeline)), "cairn view a.cairn --at timeline");
  EXPECT_EQ(CommandOf({.view = View::kTimeline, .files = {"a", "b"}, .by = "namespace"}),
            "cairn diff a b --by namespace");
}

TEST(Place, IsAViewCommand) {
  EXPECT_EQ(ViewCommandOf(Place::Of(View::kTypes, "a.cairn").OfObject(3)),
            "cairn view a.cairn --at 'object?object=@3'");
  EXPECT_EQ(ViewCommandOf({.view = View::kDiff, .files = {"a", "b"}}), "cairn view a b --at diff");
}

TEST(Place, OtherViewsOfAComparisonAreOfTheLaterFile) {
  const Place diff{.view = View::kDiff, .files = {"a", "b", "c"}};
  EXPECT_EQ(diff.Of(View::kTypes).files, std::vector<std::string>{"c"});
  EXPECT_EQ(diff.Of(View::kSuspects).files, (std::vector<std::string>{"b", "c"}));
  EXPECT_TRUE(diff.Of(View::kStart).files.empty());
}

TEST(Place, HasATitle) {
  EXPECT_EQ(TitleOf(Place()), "Start");
  EXPECT_EQ(TitleOf(Place::Of(View::kTypes, "/tmp/shop.cairn").OfObject(3)), "Object @3 · shop.cairn");
  EXPECT_EQ(TitleOf({.view = View::kDiff, .files = {"x/a", "b"}}), "Compare · a → b");
}

}  // namespace
}  // namespace cairn::presentation
