#include "snapshot-format/sql/virtual_table.h"

#include <sqlite3.h>

#include <cstring>
#include <exception>
#include <new>
#include <optional>

namespace cairn::sql {
namespace {

struct Registered {
  VirtualTable& table;
  TableErrors& errors;
  std::vector<TableColumn> columns;
};

struct TableHandle : sqlite3_vtab {
  Registered* registered = nullptr;
};

struct CursorHandle : sqlite3_vtab_cursor {
  std::unique_ptr<TableCursor> cursor;
  Registered* registered = nullptr;
};

int Told(Registered& registered, const Status& status) {
  if (status) return SQLITE_OK;
  if (registered.errors.first) registered.errors.first = status;
  return SQLITE_ERROR;
}

// The edge to C: what our code throws becomes a code.
template <class Run>
int Guarded(Run run) try {
  return run();
} catch (const std::bad_alloc&) {
  return SQLITE_NOMEM;
} catch (const std::exception&) {
  return SQLITE_ERROR;
}

const char* TypeName(ColumnType type) {
  switch (type) {
    case ColumnType::kInteger:
      return " INTEGER";
    case ColumnType::kText:
      return " TEXT";
    case ColumnType::kAny:
      break;
  }
  return "";
}

int Connect(sqlite3* connection, void* data, int, const char* const*, sqlite3_vtab** out, char**) {
  return Guarded([&] {
    auto* registered = static_cast<Registered*>(data);
    std::string declaration;
    for (const TableColumn& column : registered->columns)
      declaration += (declaration.empty() ? "CREATE TABLE t(\"" : ", \"") + column.name + "\"" + TypeName(column.type);
    const int code = sqlite3_declare_vtab(connection, (declaration + ")").c_str());
    if (code != SQLITE_OK) return code;
    auto* handle = new TableHandle();
    handle->registered = registered;
    *out = handle;
    return SQLITE_OK;
  });
}

int Disconnect(sqlite3_vtab* table) {
  delete static_cast<TableHandle*>(table);
  return SQLITE_OK;
}

std::optional<Comparison> ComparisonOf(unsigned char op) {
  switch (op) {
    case SQLITE_INDEX_CONSTRAINT_EQ:
      return Comparison::kEqual;
    case SQLITE_INDEX_CONSTRAINT_LT:
      return Comparison::kLess;
    case SQLITE_INDEX_CONSTRAINT_LE:
      return Comparison::kLessOrEqual;
    case SQLITE_INDEX_CONSTRAINT_GT:
      return Comparison::kGreater;
    case SQLITE_INDEX_CONSTRAINT_GE:
      return Comparison::kGreaterOrEqual;
    default:
      return std::nullopt;
  }
}

// Text is compared as bytes; under another collation more is equal than a lookup would find.
bool IsByteWise(sqlite3_index_info* info, int constraint) {
  return std::strcmp(sqlite3_vtab_collation(info, constraint), "BINARY") == 0;
}

// A constraint as two characters, since that is all that goes from plan to cursor.
void Describe(std::string& text, const Constraint& constraint) {
  text += static_cast<char>('A' + constraint.column);
  text += static_cast<char>('0' + static_cast<int>(constraint.comparison));
}

int BestIndex(sqlite3_vtab* table, sqlite3_index_info* info) {
  return Guarded([&] {
    Registered& registered = *static_cast<TableHandle*>(table)->registered;
    std::vector<Constraint> offered;
    std::vector<int> places;
    for (int i = 0; i < info->nConstraint; ++i) {
      const auto& constraint = info->aConstraint[i];
      const auto comparison = ComparisonOf(constraint.op);
      if (!constraint.usable || !comparison || constraint.iColumn < 0 || !IsByteWise(info, i)) continue;
      offered.push_back({constraint.iColumn, *comparison});
      places.push_back(i);
    }
    std::vector<Order> order;
    for (int i = 0; i < info->nOrderBy; ++i) order.push_back({info->aOrderBy[i].iColumn, info->aOrderBy[i].desc != 0});
    const Plan plan = registered.table.Choose(offered, order);
    std::string text;
    for (size_t i = 0; i < plan.used.size(); ++i) {
      Describe(text, offered[plan.used[i]]);
      info->aConstraintUsage[places[plan.used[i]]].argvIndex = static_cast<int>(i + 1);
    }
    info->idxStr = sqlite3_mprintf("%s", text.c_str());
    info->needToFreeIdxStr = 1;
    info->estimatedCost = plan.rows + 1;
    info->estimatedRows = static_cast<sqlite3_int64>(plan.rows) + 1;
    info->orderByConsumed = plan.ordered && !order.empty();
    return info->idxStr ? SQLITE_OK : SQLITE_NOMEM;
  });
}

int Open(sqlite3_vtab* table, sqlite3_vtab_cursor** out) {
  return Guarded([&] {
    auto handle = std::make_unique<CursorHandle>();
    handle->registered = static_cast<TableHandle*>(table)->registered;
    handle->cursor = handle->registered->table.Open();
    *out = handle.release();
    return SQLITE_OK;
  });
}

int Close(sqlite3_vtab_cursor* cursor) {
  delete static_cast<CursorHandle*>(cursor);
  return SQLITE_OK;
}

std::string TextOf(sqlite3_value* value) {
  const auto* text = reinterpret_cast<const char*>(sqlite3_value_text(value));
  return text ? std::string(text, static_cast<size_t>(sqlite3_value_bytes(value))) : std::string();
}

// As a comparison with a column of this type would take it.
Value ArgumentOf(sqlite3_value* value, ColumnType type) {
  const int kind = type == ColumnType::kText ? sqlite3_value_type(value) : sqlite3_value_numeric_type(value);
  if (kind == SQLITE_NULL) return {};
  if (type == ColumnType::kText) return TextOf(value);
  if (kind == SQLITE_INTEGER) return int64_t{sqlite3_value_int64(value)};
  if (kind == SQLITE_FLOAT) return sqlite3_value_double(value);
  return TextOf(value);
}

int Filter(sqlite3_vtab_cursor* cursor, int, const char* plan, int count, sqlite3_value** values) {
  return Guarded([&] {
    auto& handle = *static_cast<CursorHandle*>(cursor);
    std::vector<Bound> bounds;
    for (int i = 0; i < count; ++i) {
      // It stands above every number and text. SQLite compares once more, so leaving it out takes nothing away.
      if (sqlite3_value_type(values[i]) == SQLITE_BLOB) continue;
      const int column = plan[2 * i] - 'A';
      const auto comparison = static_cast<Comparison>(plan[2 * i + 1] - '0');
      const ColumnType type = handle.registered->columns[static_cast<size_t>(column)].type;
      bounds.push_back({column, comparison, ArgumentOf(values[i], type)});
    }
    return Told(*handle.registered, handle.cursor->Filter(bounds));
  });
}

int Next(sqlite3_vtab_cursor* cursor) {
  return Guarded([&] {
    auto& handle = *static_cast<CursorHandle*>(cursor);
    return Told(*handle.registered, handle.cursor->Next());
  });
}

int AtEnd(sqlite3_vtab_cursor* cursor) { return static_cast<CursorHandle*>(cursor)->cursor->AtEnd(); }

void SetText(sqlite3_context* context, std::string_view text, sqlite3_destructor_type lifetime) {
  sqlite3_result_text64(context, text.empty() ? "" : text.data(), text.size(), lifetime, SQLITE_UTF8);
}

// The two lifetimes of SQLite are casts of numbers.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wold-style-cast"
const sqlite3_destructor_type kLasts = SQLITE_STATIC, kIsCopied = SQLITE_TRANSIENT;
#pragma GCC diagnostic pop

void SetResult(sqlite3_context* context, const Value& value) {
  if (const auto* number = std::get_if<int64_t>(&value)) return sqlite3_result_int64(context, *number);
  if (const auto* real = std::get_if<double>(&value)) return sqlite3_result_double(context, *real);
  if (const auto* lasting = std::get_if<LastingText>(&value)) return SetText(context, lasting->text, kLasts);
  if (const auto* text = std::get_if<std::string>(&value)) return SetText(context, *text, kIsCopied);
  sqlite3_result_null(context);
}

int Column(sqlite3_vtab_cursor* cursor, sqlite3_context* context, int column) {
  return Guarded([&] {
    auto& handle = *static_cast<CursorHandle*>(cursor);
    const auto value = handle.cursor->Column(column);
    if (!value) return Told(*handle.registered, tl::make_unexpected(value.error()));
    SetResult(context, *value);
    return SQLITE_OK;
  });
}

int RowId(sqlite3_vtab_cursor* cursor, sqlite3_int64* out) {
  *out = static_cast<CursorHandle*>(cursor)->cursor->RowId();
  return SQLITE_OK;
}

// Without xCreate the table is there by its module's name, and no other can be made of it; without xUpdate it cannot
// be written.
constexpr sqlite3_module MakeModule() {
  sqlite3_module module{};
  module.xConnect = Connect;
  module.xBestIndex = BestIndex;
  module.xDisconnect = Disconnect;
  module.xOpen = Open;
  module.xClose = Close;
  module.xFilter = Filter;
  module.xNext = Next;
  module.xEof = AtEnd;
  module.xColumn = Column;
  module.xRowid = RowId;
  return module;
}

constexpr sqlite3_module kModule = MakeModule();

}  // namespace

Status AddTable(sqlite3* connection, VirtualTable& table, TableErrors& errors) {
  const auto forget = [](void* data) { delete static_cast<Registered*>(data); };
  auto* registered = new Registered{table, errors, table.Columns()};
  // On failure, too, SQLite calls `forget`.
  if (sqlite3_create_module_v2(connection, table.Name().c_str(), &kModule, registered, forget) == SQLITE_OK) return {};
  return Fail(ErrorKind::kFailed, "query.failed", "the table " + table.Name() + " could not be made");
}

}  // namespace cairn::sql
