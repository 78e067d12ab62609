#include "viewer/cli/command_line.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>

#include "viewer/presentation/nearest_word.h"

namespace cairn::cli {
namespace {

tl::unexpected<Error> Usage(std::string code, std::string message, std::string hint = {}) {
  return Fail(ErrorKind::kUsage, "usage." + std::move(code), std::move(message), std::move(hint));
}

// Thrown through CLI11 and caught in Parse: an option refused its value.
struct ValueRefused {};

// "--top: 1 required TEXT missing" → "--top".
std::string OptionOf(const CLI::Error& error) {
  const std::string what = error.what();
  return what.substr(0, what.find(':'));
}

std::string Words(const std::vector<std::string>& words) {
  std::string text;
  for (size_t i = 0; i < words.size(); ++i) text += (i == 0 ? "" : i + 1 == words.size() ? " or " : ", ") + words[i];
  return text;
}

std::optional<uint64_t> WholeNumber(const std::string& text) {
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// "-p,--process-id" → "--process-id": how sentences call an option.
std::string LongName(const std::string& names) {
  const size_t at = names.find("--");
  return at == std::string::npos ? names : names.substr(at, names.find(',', at) - at);
}

std::string HelpLine(const CLI::Option& option) {
  constexpr size_t kNameWidth = 30;
  std::string name = option.get_name(option.get_positional(), true);
  for (size_t at = 0; (at = name.find(",", at)) != std::string::npos; at += 2) name.replace(at, 1, ", ");
  if (!option.get_positional() && !option.get_type_name().empty()) name += " " + option.get_type_name();
  if (name.size() >= kNameWidth)
    return fmt::format("  {}\n  {:{}}{}\n", name, "", kNameWidth, option.get_description());
  return fmt::format("  {:{}}{}\n", name, kNameWidth, option.get_description());
}

// What CLI11 has no sentence for: a value of a flag; an empty value, which it takes for none.
Status CheckValues(const CLI::App& app, const std::string& usage, const std::vector<std::string>& arguments) {
  for (auto at = arguments.begin(); at != arguments.end() && *at != "--"; ++at) {
    const size_t equals = at->find('=');
    const std::string name = at->substr(0, equals);
    const CLI::Option* option = name.starts_with("--") ? app.get_option_no_throw(name) : nullptr;
    if (option == nullptr) continue;
    const bool joined = equals != std::string::npos;
    if (option->get_items_expected_max() == 0) {
      if (joined)
        return Usage("bad_value", fmt::format("{} is a switch and takes no value", name), "Write " + name + ".");
    } else if (joined ? equals + 1 == at->size() : at + 1 != arguments.end() && at[1].empty()) {
      return Usage("bad_value", fmt::format("{} is empty", name), "cairn " + usage);
    }
  }
  return {};
}

}  // namespace

CommandLine::CommandLine(CommandText text) : text_(std::move(text)), app_(std::make_unique<CLI::App>()) {
  app_->set_help_flag();
  app_->allow_extras();
  app_->option_defaults()->take_last();
}

CommandLine::~CommandLine() = default;

void CommandLine::OffersCsv() { Flag("--csv", csv_, "comma-separated values on the standard output"); }

void CommandLine::Flag(const std::string& names, bool& target, const std::string& help) {
  app_->add_flag(names, target, help)->disable_flag_override();
}

CLI::Option* CommandLine::Value(const std::string& names, Take take, const std::string& value,
                                const std::string& help) {
  const auto callback = [this, take = std::move(take)](const std::string& text) {
    Status taken = take(text);
    if (taken) return;
    value_error_ = std::move(taken).error();
    throw ValueRefused{};
  };
  return app_->add_option_function<std::string>(names, callback, help)->type_name(value);
}

void CommandLine::Text(const std::string& names, std::string& target, const std::string& value,
                       const std::string& help) {
  Value(
      names,
      [&target, names](const std::string& text) -> Status {
        if (text.empty()) return Usage("bad_value", fmt::format("{} is empty", LongName(names)));
        target = text;
        return {};
      },
      value, help);
}

void CommandLine::Texts(const std::string& names, std::vector<std::string>& target, const std::string& value,
                        const std::string& help) {
  const auto take = [&target, names](const std::string& text) -> Status {
    if (text.empty()) return Usage("bad_value", fmt::format("{} is empty", LongName(names)));
    target.push_back(text);
    return {};
  };
  Value(names, take, value, help)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)->trigger_on_parse();
}

void CommandLine::Count(const std::string& names, std::optional<uint64_t>& target, uint64_t least,
                        const std::string& value, const std::string& help) {
  const auto take = [&target, names, least](const std::string& text) -> Status {
    const auto number = WholeNumber(text);
    if (!number || *number < least)
      return Usage("bad_value",
                   fmt::format("{} takes a whole number of at least {}, not '{}'", LongName(names), least, text));
    target = number;
    return {};
  };
  Value(names, take, value, help);
}

void CommandLine::Duration(const std::string& names, std::optional<std::chrono::milliseconds>& target,
                           presentation::BareNumber bare, const std::string& value, const std::string& help,
                           std::optional<std::chrono::milliseconds> implied) {
  const auto take = [&target, names, bare, implied](const std::string& text) -> Status {
    if (implied && text.empty()) {
      target = implied;
      return {};
    }
    auto duration = presentation::ParseDuration(text, bare);
    if (!duration) {
      Error error = std::move(duration).error();
      error.message = fmt::format("{} takes a duration: {}", LongName(names), error.message);
      return tl::make_unexpected(std::move(error));
    }
    target = *duration;
    return {};
  };
  CLI::Option* option = Value(names, take, value, help);
  if (implied) option->expected(0, 1);
}

void CommandLine::ChoiceOf(const std::string& names, std::vector<std::string> words, std::function<void(size_t)> take,
                           const std::string& help) {
  const std::string value = fmt::format("{}", fmt::join(words, "|"));
  const auto choose = [names, words, take = std::move(take)](const std::string& text) -> Status {
    const auto at = std::find(words.begin(), words.end(), text);
    if (at == words.end())
      return Usage("bad_value", fmt::format("{} takes {}, not '{}'", LongName(names), Words(words), text));
    take(static_cast<size_t>(at - words.begin()));
    return {};
  };
  Value(names, choose, value, help);
}

void CommandLine::Argument(const std::string& name, std::string& target, bool required, const std::string& help) {
  app_->add_option(name, target, help);
  if (required) required_.emplace_back(name, [&target] { return target.empty() ? size_t{1} : size_t{0}; });
}

void CommandLine::Arguments(const std::string& name, std::vector<std::string>& target, size_t least,
                            const std::string& help) {
  app_->add_option(name, target, help)->take_all();
  required_.emplace_back(name, [&target, least] { return target.size() < least ? least - target.size() : 0; });
}

Status CommandLine::Parse(const std::vector<std::string>& arguments) {
  Flag("--json", json_, "one JSON document on the standard output");
  Flag("-v,--verbose", verbose_, "say more on the standard error");
  Flag("-h,--help", help_, "this page");
  CAIRN_TRY(ParseArguments(arguments));
  if (help_) return {};
  CAIRN_TRY(CheckExtras());
  if (json_ && csv_) return Usage("conflict", "--json and --csv exclude each other", "Give one of them.");
  return CheckRequired();
}

Status CommandLine::ParseArguments(std::vector<std::string> arguments) {
  const auto tail = std::find(arguments.begin(), arguments.end(), "--");
  if (rest_ != nullptr && tail != arguments.end()) {
    rest_->assign(tail + 1, arguments.end());
    arguments.erase(tail, arguments.end());
  }
  CAIRN_TRY(CheckValues(*app_, text_.usage, arguments));
  std::reverse(arguments.begin(), arguments.end());  // CLI11 takes them from the back
  try {
    app_->parse(std::move(arguments));
  } catch (const ValueRefused&) {
    return tl::make_unexpected(*value_error_);
  } catch (const CLI::ArgumentMismatch& error) {
    return Usage("missing_value", fmt::format("{} needs a value", OptionOf(error)), "cairn " + text_.usage);
  } catch (const CLI::ParseError& error) {
    return Usage("bad_value", error.what(), "cairn " + text_.usage);
  }
  return {};
}

std::vector<std::string> CommandLine::OptionNames() const {
  std::vector<std::string> names;
  for (const CLI::Option* option : app_->get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

Status CommandLine::CheckExtras() const {
  for (const std::string& extra : app_->remaining()) {
    if (extra == "--") continue;  // CLI11 lists the mark itself; what follows it are arguments
    if (extra.size() < 2 || extra[0] != '-')
      return Usage("unexpected_argument", fmt::format("{} has no use for '{}'", text_.name, extra),
                   "cairn " + text_.usage);
    const std::string option = extra.substr(0, extra.find('='));
    const auto nearest = presentation::NearestWord(option, OptionNames());
    return Usage("unknown_option", fmt::format("{} has no option {}", text_.name, option),
                 nearest ? fmt::format("Did you mean {}?", *nearest)
                         : fmt::format("cairn {} --help lists its options.", text_.name));
  }
  return {};
}

Status CommandLine::CheckRequired() const {
  for (const auto& [name, missing] : required_)
    if (missing() > 0)
      return Usage("missing_argument",
                   missing() == 1 ? fmt::format("{} needs {}", text_.name, name)
                                  : fmt::format("{} needs {} (at least {} more)", text_.name, name, missing()),
                   "cairn " + text_.usage);
  return {};
}

std::string CommandLine::Help() const {
  std::string arguments, options;
  for (const CLI::Option* option : app_->get_options())
    (option->get_positional() ? arguments : options) += HelpLine(*option);
  std::string help = fmt::format("cairn {}\n\n{}\n", text_.usage, text_.summary);
  if (!arguments.empty()) help += "\nArguments:\n" + arguments;
  return help + "\nOptions:\n" + options + "\nExample:\n" + text_.example;
}

}  // namespace cairn::cli
