#include "viewer/presentation/render/json_document.h"

namespace cairn::presentation {
namespace {

struct JsonWriter {
  Json operator()(std::monostate) const { return nullptr; }
  template <class Value>
  Json operator()(const Value& value) const {
    return value;
  }
};

Json RowObject(std::span<const Column> columns, std::span<const Cell> cells) {
  Json row = Json::object();
  for (size_t i = 0; i < columns.size(); ++i) {
    if (columns[i].shown == Shown::kTextOnly) continue;
    Json value = std::visit(JsonWriter{}, cells[i]);
    if (columns[i].series)
      row[columns[i].key].push_back(std::move(value));
    else
      row[columns[i].key] = std::move(value);
  }
  return row;
}

}  // namespace

std::string JsonText(const Json& value) { return value.dump(-1, ' ', true, Json::error_handler_t::replace); }

JsonDocument::JsonDocument(ByteSink& sink) : sink_(sink) { sink_.Write("{\"schema\":1"); }

void JsonDocument::Key(const std::string& key) { sink_.Write(",\n" + JsonText(key) + ":"); }

void JsonDocument::Put(const std::string& key, const Json& value) {
  Key(key);
  sink_.Write(JsonText(value));
}

void JsonDocument::PutAll(const Json& object) {
  for (const auto& [key, value] : object.items()) Put(key, value);
}

void JsonDocument::Finish() { sink_.Write("}\n"); }

JsonDocument::Elements::Elements(JsonDocument& document, const std::string& key) : document_(document) {
  document_.Key(key);
  document_.sink_.Write("[");
}

bool JsonDocument::Elements::Add(const Json& value) {
  const char* before = first_ ? "\n" : ",\n";
  first_ = false;
  return document_.sink_.Write(before + JsonText(value));
}

void JsonDocument::Elements::Finish() { document_.sink_.Write("]"); }

void JsonDocument::Rows::Begin(std::span<const Column> columns) {
  columns_.assign(columns.begin(), columns.end());
  document_.Key(key_);
  document_.sink_.Write("[");
}

bool JsonDocument::Rows::Row(std::span<const Cell> cells) {
  const char* before = first_ ? "\n" : ",\n";
  first_ = false;
  return document_.sink_.Write(before + JsonText(RowObject(columns_, cells)));
}

void JsonDocument::Rows::End(uint64_t) { document_.sink_.Write("]"); }

}  // namespace cairn::presentation
