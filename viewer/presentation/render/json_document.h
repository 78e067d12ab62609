#pragma once
// One JSON document written as it comes: fields, and tables as arrays of objects whose rows are never held.
// Text is ASCII with escapes, so that a name can neither break the document nor move a terminal's cursor.

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "viewer/presentation/render/byte_sink.h"
#include "viewer/presentation/tables/table.h"

namespace cairn::presentation {

using Json = nlohmann::ordered_json;

// The text of a value; bytes that are no UTF-8 become U+FFFD.
std::string JsonText(const Json& value);

class JsonDocument {
 public:
  // Writes "{" and the schema.
  explicit JsonDocument(ByteSink& sink);

  void Put(const std::string& key, const Json& value);
  void PutAll(const Json& object);  // each of its fields
  void Finish();                    // "}" and a new line; nothing may follow

  // Writes values of any form as an array under `key`, one by one; Finish it before the document goes on.
  class Elements {
   public:
    Elements(JsonDocument& document, const std::string& key);
    // False: nobody reads any more.
    bool Add(const Json& value);
    void Finish();

   private:
    JsonDocument& document_;
    bool first_ = true;
  };

  // Writes one table under `key`; the document must outlive it.
  class Rows : public RowSink {
   public:
    Rows(JsonDocument& document, std::string key) : document_(document), key_(std::move(key)) {}
    void Begin(std::span<const Column> columns) override;
    bool Row(std::span<const Cell> cells) override;
    void End(uint64_t) override;

   private:
    JsonDocument& document_;
    std::string key_;
    std::vector<Column> columns_;
    bool first_ = true;
  };

 private:
  void Key(const std::string& key);

  ByteSink& sink_;
};

}  // namespace cairn::presentation
