// Pages that leave the window: as text, as CSV and JSON.

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/viewer/presentation/session_sample.h"
#include "viewer/presentation/pages/page_export.h"
#include "viewer/presentation/pages/page_loader.h"
#include "viewer/presentation/pages/page_text.h"
#include "viewer/presentation/render/json_document.h"

namespace cairn::presentation {
namespace {

class PageFiles : public ::testing::Test {
 protected:
  ~PageFiles() override {
    for (const char* ending : {".csv", ".json", ".csv.partial", ".txt"}) std::filesystem::remove(base_ + ending);
  }

  PagePointer Loaded(const Place& place) {
    auto page = loader_.Load(place, work_);
    if (!page) ADD_FAILURE() << page.error().message;
    return page ? *page : std::make_shared<Page>();
  }
  static std::string Read(const std::string& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
  }

  const std::string base_ =
      (std::filesystem::temp_directory_path() / ("cairn-page-files-" + std::to_string(getpid()))).string();
  testing::SessionSample sample_;
  PageLoader loader_{{}};
  analysis::Work work_;
};

TEST_F(PageFiles, TextTellsThePlaceAndTheRows) {
  const Place types = Place::Of(View::kTypes, sample_.path);
  const std::string text = PageText(*Loaded(types), types);
  EXPECT_TRUE(
      text.starts_with("Types\n$ cairn types " + sample_.path + "\n$ cairn view " + sample_.path + " --at types\n"))
      << text;
  EXPECT_NE(text.find("Shop.Order[]"), std::string::npos);
  EXPECT_EQ(PageText(*Loaded(types), types, 1).find("Shop.Order[]"), std::string::npos);  // only Shop.Cache
}

TEST_F(PageFiles, EveryViewHasText) {
  for (const ViewInfo& info : Views()) {
    if (info.most_files == 0) continue;
    Place place = Place::Of(info.view, sample_.path);
    if (info.least_files > 1) place.files.push_back(sample_.path);
    if (info.object) place.object = 0;
    const PagePointer page = Loaded(place);
    EXPECT_TRUE(PageText(*page, place).starts_with(page->heading + "\n$ cairn ")) << info.word;
  }
}

TEST_F(PageFiles, CsvHoldsEveryRowAsArranged) {
  const Place types = Place::Of(View::kTypes, sample_.path).Filtered("order").Sorted({{"type", true}});
  const auto rows = ExportPage(*Loaded(types), types, {base_ + ".csv"}, work_);
  ASSERT_TRUE(rows) << rows.error().message;
  EXPECT_EQ(*rows, 2u);
  const std::string text = Read(base_ + ".csv");
  EXPECT_TRUE(text.starts_with("type,module,objects,bytes,")) << text;
  EXPECT_LT(text.find("\nShop.Order,"), text.find("\nShop.Order[],"));
  EXPECT_FALSE(std::filesystem::exists(base_ + ".csv.partial"));
}

TEST_F(PageFiles, JsonTellsWhereItIsFrom) {
  const Place types = Place::Of(View::kTypes, sample_.path);
  ASSERT_TRUE(ExportPage(*Loaded(types), types, {base_ + ".json"}, work_));
  const Json document = Json::parse(Read(base_ + ".json"));
  EXPECT_EQ(document["schema"], 1);
  EXPECT_EQ(document["place"], ToText(types));
  EXPECT_TRUE(document["notices"].empty());
  ASSERT_EQ(document["rows"].size(), 4u);
  EXPECT_EQ(document["rows"][0]["type"], "Shop.Cache");
}

TEST_F(PageFiles, NothingIsReplacedUnasked) {
  const Place types = Place::Of(View::kTypes, sample_.path);
  const PagePointer page = Loaded(types);
  std::ofstream(base_ + ".csv") << "mine";
  EXPECT_EQ(ExportPage(*page, types, {base_ + ".csv"}, work_).error().code, "output.exists");
  EXPECT_EQ(Read(base_ + ".csv"), "mine");
  EXPECT_TRUE(ExportPage(*page, types, {base_ + ".csv", true}, work_));
  EXPECT_NE(Read(base_ + ".csv"), "mine");
}

TEST_F(PageFiles, SaysWhatCannotBeExported) {
  const Place types = Place::Of(View::kTypes, sample_.path), tiles = types.Of(View::kTreemap);
  const PagePointer page = Loaded(types);
  EXPECT_EQ(ExportPage(*page, types, {base_ + ".txt"}, work_).error().code, "usage.format");
  EXPECT_EQ(ExportPage(*page, types, {"/nowhere/at/all.csv"}, work_).error().code, "output.unwritable");
  EXPECT_EQ(ExportPage(*Loaded(tiles), tiles, {base_ + ".csv"}, work_).error().code, "export.no_table");
  analysis::Work cancelled;
  cancelled.Cancel();
  EXPECT_EQ(ExportPage(*page, types, {base_ + ".csv"}, cancelled).error().code, "cancelled");
  EXPECT_FALSE(std::filesystem::exists(base_ + ".csv"));
}

}  // namespace
}  // namespace cairn::presentation
