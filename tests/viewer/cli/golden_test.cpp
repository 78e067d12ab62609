// What people see, compared line by line with tests/golden. CAIRN_UPDATE_GOLDEN=1 writes it anew.

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <regex>
#include <string>
#include <vector>

#include "tests/viewer/cli/cairn_program.h"
#include "tests/viewer/cli/sample_snapshots.h"

namespace cairn::cli::testing {
namespace {

using Commands = std::vector<std::vector<std::string>>;

// The size of a file depends on the version of SQLite.
std::string WithoutFileSize(const std::string& text) {
  static const std::regex size("\n {12}[0-9.]+ [KM]iB \\([0-9,]+ bytes\\)\n( +captured)");
  return std::regex_replace(text, size, "\n            <file size>\n$1");
}

std::string Transcript(const Commands& commands) {
  std::string transcript;
  for (const auto& command : commands) {
    transcript += "$ cairn";
    for (const std::string& argument : command) transcript += " " + argument;
    const Outcome outcome = RunCairn(command, Samples().Folder());
    transcript += "\n" + WithoutFileSize(outcome.out);
    if (!outcome.err.empty()) transcript += "--- standard error\n" + outcome.err;
    transcript += "--- exit " + std::to_string(outcome.code) + "\n\n";
  }
  return transcript;
}

void ExpectGolden(const std::string& name, const Commands& commands) {
  const std::string path = CAIRN_TESTS_FOLDER "/golden/" + name + ".txt";
  const std::string transcript = Transcript(commands);
  if (std::getenv("CAIRN_UPDATE_GOLDEN") != nullptr) {
    std::ofstream(path, std::ios::binary) << transcript;
    return;
  }
  std::ifstream file(path, std::ios::binary);
  const std::string golden{std::istreambuf_iterator<char>(file), {}};
  EXPECT_EQ(transcript, golden) << "differs from " << path;
}

TEST(Golden, Help) {
  Commands commands = {{}, {"--help"}};
  for (const char* name : {"ps", "doctor", "capture", "detach", "clean", "info", "types", "objects", "object", "path",
                           "roots", "dominators", "heap", "contexts", "waste", "diff", "suspects", "export", "import"})
    commands.push_back({name, "--help"});
  ExpectGolden("help", commands);
}

TEST(Golden, Info) {
  ExpectGolden("info", {{"info", "base.cairn"}, {"info", "odd.cairn"}, {"info", "base.cairn", "--csv"}});
}

TEST(Golden, Types) {
  ExpectGolden("types", {{"types", "base.cairn"},
                         {"types", "base.cairn", "--top", "2", "--sort", "objects"},
                         {"types", "base.cairn", "Shop.*"},
                         {"types", "base.cairn", "--by", "namespace"},
                         {"types", "base.cairn", "--by", "module"},
                         {"types", "base.cairn", "--by", "generation"},
                         {"types", "base.cairn", "order", "--by", "generation", "--no-retained"},
                         {"types", "base.cairn", "--no-retained"},
                         {"types", "base.cairn", "Nothing"},
                         {"types", "odd.cairn"},
                         {"types", "odd.cairn", "--csv"}});
}

TEST(Golden, Objects) {
  ExpectGolden("objects", {{"objects", "base.cairn", "--type", "Shop.Order", "--top", "3"},
                           {"objects", "base.cairn", "--sort", "address"},
                           {"objects", "base.cairn", "--generation", "frozen"},
                           {"objects", "base.cairn", "--unreachable"},
                           {"objects", "base.cairn", "--no-retained", "--top", "2"},
                           {"objects", "base.cairn", "@7", "0x7f0000001000", "0"},
                           {"objects", "odd.cairn"}});
}

TEST(Golden, Object) {
  ExpectGolden("object", {{"object", "base.cairn", "@0"},
                          {"object", "base.cairn", "@7", "--top", "3"},
                          {"object", "base.cairn", "0x7f0000001090"},
                          {"object", "base.cairn", "@0", "--csv"},
                          {"object", "base.cairn", "@0", "--csv", "--table", "referrers"},
                          {"object", "base.cairn", "@9"},
                          {"object", "odd.cairn", "@0"}});
}

TEST(Golden, Path) {
  ExpectGolden("path", {{"path", "base.cairn", "--type", "Shop.Order"},
                        {"path", "base.cairn", "--type", "Shop.Order", "--limit", "1"},
                        {"path", "base.cairn", "--object", "@0"},
                        {"path", "head.cairn", "--type", "Shop.Prices.Subscription"},
                        {"path", "base.cairn", "--object", "@8"},
                        {"path", "base.cairn", "--object", "@4"},
                        {"path", "base.cairn", "--object", "0x7f0000001008"},
                        {"path", "base.cairn", "--type", "Nothing"},
                        {"path", "odd.cairn", "--type", "Shop.Order"},
                        {"path", "base.cairn", "--object", "@0", "--csv"}});
}

TEST(Golden, Roots) {
  ExpectGolden("roots", {{"roots", "base.cairn"},
                         {"roots", "head.cairn", "--kind", "static"},
                         {"roots", "head.cairn", "--kind", "local"},
                         {"roots", "base.cairn", "--kind", "finalizer"},
                         {"roots", "head.cairn", "--csv"}});
}

TEST(Golden, Dominators) {
  ExpectGolden("dominators", {{"dominators", "base.cairn"},
                              {"dominators", "base.cairn", "--of", "@7"},
                              {"dominators", "base.cairn", "--top", "1"},
                              {"dominators", "base.cairn", "--of", "@4"},
                              {"dominators", "odd.cairn"}});
}

TEST(Golden, HeapAndContexts) {
  ExpectGolden("heap", {{"heap", "base.cairn"},
                        {"heap", "base.cairn", "--csv"},
                        {"heap", "head.cairn"},
                        {"heap", "odd.cairn", "--top", "1"},
                        {"contexts", "base.cairn"},
                        {"contexts", "head.cairn", "--csv"},
                        {"contexts", "odd.cairn"}});
}

TEST(Golden, Waste) {
  ExpectGolden("waste", {{"waste", "base.cairn"},
                         {"waste", "base.cairn", "--csv", "--table", "collections"},
                         {"waste", "head.cairn"},
                         {"waste", "odd.cairn"}});
}

TEST(Golden, Query) {
  ExpectGolden("query", {{"query", "--help"},
                         {"query", "base.cairn", "SELECT object, type, bytes, retained FROM objects", "--top", "3"},
                         {"query", "head.cairn", "SELECT kind, name, object, certain FROM roots"},
                         {"query", "head.cairn", "SELECT source, field, target FROM edges WHERE target = 0", "--csv"},
                         {"query", "base.cairn", "head.cairn",
                          "SELECT b.type, b.retained - a.retained AS growth FROM types a JOIN types b USING (type) "
                          "WHERE a.snapshot = 1 AND b.snapshot = 2 ORDER BY growth DESC"},
                         {"query", "odd.cairn", "SELECT count(*) AS objects FROM objects"},
                         {"query", "base.cairn", "SELECT * FROM json_each('[1]')"},
                         {"query", "base.cairn", "DROP TABLE objects"},
                         {"query", "base.cairn", "SELECT missing FROM objects"}});
}

TEST(Golden, Convert) {
  ExpectGolden("convert", {{"export", "base.cairn", "--to", "gcdump", "-o", "base.gcdump", "--force"},
                           {"export", "head.cairn", "--to", "heapsnapshot", "-o", "head.heapsnapshot", "--force"},
                           {"export", "odd.cairn", "--to", "csv", "-o", "odd.csv", "--force"},
                           {"import", "base.gcdump", "-o", "imported.cairn", "--force"},
                           {"path", "imported.cairn", "--type", "Shop.Order"},
                           {"waste", "imported.cairn"},
                           {"import", "head.heapsnapshot", "-o", "none.cairn"}});
}

TEST(Golden, Suspects) {
  ExpectGolden("suspects", {{"suspects", "base.cairn"},
                            {"suspects", "head.cairn", "--base", "base.cairn"},
                            {"suspects", "base.cairn", "--base", "head.cairn"},
                            {"suspects", "odd.cairn", "--base", "base.cairn"}});
}

TEST(Golden, Check) {
  Samples().WriteText("rules.toml",
                      "[[no_growth]]\ntype = \"Shop.*\"\n\n"
                      "[[limit]]\ntype = \"Shop.Order\"\nmax_objects = 2\nmax_retained = \"1KB\"\n\n"
                      "[[limit]]\ntype = \"Shop.Ordr\"\nmax_objects = 1\n\n"
                      "[[ignore]]\npath = \"Shop.Order.All\"\nreason = \"until the new shop\"\nuntil = 2999-12-31\n");
  ExpectGolden("check", {{"check", "--help"},
                         {"grow", "--help"},
                         {"check", "head.cairn", "--base", "base.cairn", "--rules", "rules.toml"},
                         {"check", "head.cairn", "--base", "base.cairn", "--rules", "rules.toml", "--csv"},
                         {"check", "base.cairn", "--base", "base.cairn", "--rules", "rules.toml"},
                         {"check", "base.cairn", "--rules", "rules.toml"},
                         {"check", "odd.cairn", "--base", "base.cairn", "--rules", "rules.toml"}});
}

TEST(Golden, Diff) {
  ExpectGolden("diff", {{"diff", "base.cairn", "head.cairn"},
                        {"diff", "head.cairn", "base.cairn"},
                        {"diff", "base.cairn", "head.cairn", "--all"},
                        {"diff", "base.cairn", "base.cairn"},
                        {"diff", "base.cairn", "head.cairn", "--sort", "retained"},
                        {"diff", "base.cairn", "head.cairn", "--no-retained"},
                        {"diff", "base.cairn", "head.cairn", "--by", "path"},
                        {"diff", "base.cairn", "base.cairn", "--by", "path"},
                        {"diff", "base.cairn", "head.cairn", "odd.cairn"},
                        {"diff", "base.cairn", "head.cairn", "--by", "namespace"},
                        {"diff", "base.cairn", "base.cairn", "head.cairn", "head.cairn", "--by", "path"},
                        {"diff", "base.cairn", "head.cairn", "base.cairn", "head.cairn"},
                        {"diff", "base.cairn", "head.cairn", "head.cairn", "head.cairn", "--csv"},
                        {"diff", "base.cairn", "head.cairn", "missing.cairn"}});
}

}  // namespace
}  // namespace cairn::cli::testing
