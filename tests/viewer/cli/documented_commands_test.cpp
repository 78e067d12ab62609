// What the README, the recipes and the examples of the help tell people to type is understood: commands, options and
// their values.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "viewer/cli/command_list.h"

namespace cairn::cli {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

// The words of a line as a shell takes them; what it would put in for $x and $(x) stays as it is. Ends where the
// command does.
class ShellLine {
 public:
  explicit ShellLine(std::string_view line) : line_(line) {}

  std::vector<std::string> Words() {
    while (at_ < line_.size() && !ended_) Take(line_[at_++]);
    EndWord();
    return std::move(words_);
  }

 private:
  void Take(char c) {
    if (c == quote_) {
      quote_ = 0;
    } else if (quote_ == 0 && (c == '"' || c == '\'')) {
      quote_ = c;
      in_word_ = true;
    } else if (c == '$' && quote_ != '\'' && line_.substr(at_).starts_with("(")) {
      const size_t close = std::min(line_.find(')', at_), line_.size() - 1);
      at_ = close + 1;
      in_word_ = true;
    } else if (quote_ == 0 && std::string_view(" \t").find(c) != std::string_view::npos) {
      EndWord();
    } else if (quote_ == 0 &&
               (std::string_view("|&;<>").find(c) != std::string_view::npos || (c == '#' && !in_word_))) {
      ended_ = true;
    } else {
      word_ += c;
      in_word_ = true;
    }
  }

  void EndWord() {
    if (in_word_) words_.push_back(std::move(word_));
    word_.clear();
    in_word_ = false;
  }

  std::string_view line_;
  size_t at_ = 0;
  char quote_ = 0;
  bool in_word_ = false, ended_ = false;
  std::string word_;
  std::vector<std::string> words_;
};

// Lines that begin with cairn, with those that they go on in: after a backslash, or within a quotation.
std::vector<std::string> CommandsIn(std::istream& text) {
  std::vector<std::string> commands;
  for (std::string line; std::getline(text, line);) {
    const size_t start = line.find_first_not_of(" \t");
    std::string command = start == std::string::npos ? "" : line.substr(start);
    if (command.starts_with("build/bin/")) command.erase(0, 10);
    if (!command.starts_with("cairn ")) continue;
    const auto goes_on = [&] {
      return command.ends_with('\\') || std::count(command.begin(), command.end(), '"') % 2 == 1;
    };
    while (goes_on() && std::getline(text, line)) {
      if (command.ends_with('\\')) command.pop_back();
      command += " " + line;
    }
    commands.push_back(command);
  }
  return commands;
}

// Empty: it is understood. A lone word beside a sentence, as in "cairn finds …", is none of our commands.
std::string WhyNot(const std::string& line) {
  std::vector<std::string> words = ShellLine(line).Words();
  if (words.size() < 2 || words[1].starts_with("-")) return {};
  const auto command = FindCommand(words[1]);
  if (!command) return "no command " + words[1] + ": " + line;
  // A shell puts the names of several files in their place.
  for (size_t i = words.size(); i-- > 2;)
    if (words[i].ends_with("*.cairn")) words.insert(words.begin() + static_cast<std::ptrdiff_t>(i), words[i]);
  CommandLine options(command->Text());
  command->Configure(options);
  const Status parsed = options.Parse({words.begin() + 2, words.end()});
  // What a variable stands for is not known here.
  if (!parsed && parsed.error().code.starts_with("usage.bad_") && parsed.error().message.find('$') != std::string::npos)
    return {};
  return parsed ? "" : parsed.error().message + ": " + line;
}

std::vector<std::string> Misunderstood(const std::vector<std::string>& commands) {
  std::vector<std::string> all;
  for (const std::string& command : commands)
    if (const std::string why = WhyNot(command); !why.empty()) all.push_back(why);
  return all;
}

std::vector<std::string> CommandsOfFile(const std::filesystem::path& path) {
  std::ifstream text(path);
  EXPECT_TRUE(text.is_open()) << path;
  return CommandsIn(text);
}

const std::filesystem::path kProject = std::filesystem::path(CAIRN_TESTS_FOLDER).parent_path();

TEST(DocumentedCommands, WordsAreThoseOfAShell) {
  EXPECT_EQ(ShellLine("cairn check \"$dir/a b\" --rules 'x y' | cat # later").Words(),
            (std::vector<std::string>{"cairn", "check", "$dir/a b", "--rules", "x y"}));
  EXPECT_EQ(ShellLine("cairn ps # what runs").Words(), (std::vector<std::string>{"cairn", "ps"}));
  EXPECT_EQ(ShellLine("cairn capture \"$(pidof Shop)\" -o a.cairn &").Words(),
            (std::vector<std::string>{"cairn", "capture", "", "-o", "a.cairn"}));
}

TEST(DocumentedCommands, WhatIsWrongIsFound) {
  EXPECT_THAT(
      Misunderstood({"cairn tpyes a.cairn", "cairn types a.cairn --sort colour", "cairn types a.cairn --tpo 3"}),
      SizeIs(3));
  std::istringstream text(
      "  cairn query a.cairn \"SELECT 1\n  FROM types\"   # more\ncairn check \\\n  b.cairn --rulez x\n");
  const auto commands = CommandsIn(text);
  ASSERT_THAT(commands, SizeIs(2));
  EXPECT_THAT(Misunderstood(commands), SizeIs(1));
}

TEST(DocumentedCommands, OfTheReadme) {
  const auto commands = CommandsOfFile(kProject / "README.md");
  EXPECT_GT(commands.size(), 15u);
  EXPECT_THAT(Misunderstood(commands), IsEmpty());
}

TEST(DocumentedCommands, OfTheRecipes) {
  size_t found = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(kProject / "viewer/testing/recipes")) {
    if (!entry.is_regular_file()) continue;
    const auto commands = CommandsOfFile(entry.path());
    found += commands.size();
    EXPECT_THAT(Misunderstood(commands), IsEmpty()) << entry.path();
  }
  EXPECT_GE(found, 6u);
}

TEST(DocumentedCommands, OfTheExamplesInTheHelp) {
  for (const CommandMaker make : Commands()) {
    std::istringstream example(make()->Text().example);
    EXPECT_THAT(Misunderstood(CommandsIn(example)), IsEmpty());
  }
}

}  // namespace
}  // namespace cairn::cli
