#pragma once
// The options of one command: each is declared once with its help, and every wrong use has its own sentence.
// Thread rule: one thread. Targets of options must outlive Parse.

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "snapshot-format/file/result.h"
#include "viewer/presentation/quantity.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace cairn::cli {

struct CommandText {
  std::string name;
  std::string group;    // heading in the list of commands
  std::string summary;  // one line
  std::string usage;    // "types FILE [PATTERN] [options]"
  std::string example;  // worked: command lines and what they show
};

class CommandLine {
 public:
  explicit CommandLine(CommandText text);
  ~CommandLine();

  // Adds --csv.
  void OffersCsv();
  void Flag(const std::string& names, bool& target, const std::string& help);
  void Text(const std::string& names, std::string& target, const std::string& value, const std::string& help);
  // May be given several times.
  void Texts(const std::string& names, std::vector<std::string>& target, const std::string& value,
             const std::string& help);
  // A whole number of at least `least`.
  void Count(const std::string& names, std::optional<uint64_t>& target, uint64_t least, const std::string& value,
             const std::string& help);
  // With `implied`, the value may be left out and then means that.
  void Duration(const std::string& names, std::optional<std::chrono::milliseconds>& target,
                presentation::BareNumber bare, const std::string& value, const std::string& help,
                std::optional<std::chrono::milliseconds> implied = {});
  // One of a few words.
  template <class T>
  void Choice(const std::string& names, T& target, std::vector<std::pair<std::string, T>> choices,
              const std::string& help);
  // An argument without a name. `required`: its absence is usage.missing_argument.
  void Argument(const std::string& name, std::string& target, bool required, const std::string& help);
  void Arguments(const std::string& name, std::vector<std::string>& target, size_t least, const std::string& help);

  // What follows "--": a command to start. Without this a tail is taken as arguments.
  void Rest(std::vector<std::string>& target) { rest_ = &target; }

  // Error usage.*: unknown_option, unexpected_argument, missing_argument, missing_value, bad_value, conflict.
  Status Parse(const std::vector<std::string>& arguments);
  std::string Help() const;

  bool WantsHelp() const { return help_; }
  bool WantsJson() const { return json_; }
  bool WantsCsv() const { return csv_; }
  bool IsVerbose() const { return verbose_; }
  const CommandText& Description() const { return text_; }

 private:
  using Take = std::function<Status(const std::string&)>;
  CLI::Option* Value(const std::string& names, Take take, const std::string& value, const std::string& help);
  void ChoiceOf(const std::string& names, std::vector<std::string> words, std::function<void(size_t)> take,
                const std::string& help);
  Status ParseArguments(std::vector<std::string> arguments);
  Status CheckExtras() const;
  Status CheckRequired() const;
  std::vector<std::string> OptionNames() const;

  CommandText text_;
  std::unique_ptr<CLI::App> app_;
  std::vector<std::string>* rest_ = nullptr;
  std::optional<Error> value_error_;                                       // of the first option that refused its value
  std::vector<std::pair<std::string, std::function<size_t()>>> required_;  // name, how many are missing
  bool help_ = false, json_ = false, csv_ = false, verbose_ = false;
};

template <class T>
void CommandLine::Choice(const std::string& names, T& target, std::vector<std::pair<std::string, T>> choices,
                         const std::string& help) {
  std::vector<std::string> words;
  for (const auto& choice : choices) words.push_back(choice.first);
  ChoiceOf(
      names, words, [&target, choices](size_t chosen) { target = choices[chosen].second; }, help);
}

}  // namespace cairn::cli
