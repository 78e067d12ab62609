#pragma once
// Structs and plain callbacks of the profiling API. Each comment names the runtime's own term.

#include <cstddef>
#include <cstdint>

#include "collector/abi/com.h"
#include "collector/abi/ids.h"
#include "collector/abi/masks.h"

namespace cairn::collector::abi {

struct FieldOffset {  // COR_FIELD_OFFSET
  mdFieldDef field;
  uint32_t offset;
};

struct GcGenerationRange {  // COR_PRF_GC_GENERATION_RANGE
  GcGeneration generation;
  ObjectID start;
  uintptr_t length;    // used part
  uintptr_t reserved;  // up to the end of the region or segment
};

struct NonGcHeapRange {  // COR_PRF_NONGC_HEAP_RANGE
  ObjectID start;
  uintptr_t length;
  uintptr_t reserved;
};

struct CodeInfo {  // COR_PRF_CODE_INFO
  uintptr_t start;
  size_t size;
};

struct JittedFunction {  // COR_PRF_FUNCTION
  FunctionID function;
  ReJITID rejit;
};

struct ModuleMethod {  // COR_PRF_METHOD
  ModuleID module;
  mdMethodDef method;
};

struct ExceptionClauseInfo {  // COR_PRF_EX_CLAUSE_INFO
  ExceptionClause type;
  uintptr_t program_counter;
  uintptr_t frame_pointer;
  uintptr_t shadow_stack_pointer;
};

struct ArgumentRange {  // COR_PRF_FUNCTION_ARGUMENT_RANGE
  uintptr_t start;
  uint32_t length;
};

struct ArgumentInfo {  // COR_PRF_FUNCTION_ARGUMENT_INFO
  uint32_t range_count;
  uint32_t total_size;
  ArgumentRange ranges[1];  // range_count of them
};

struct OsInfo {  // OSINFO
  uint32_t platform;
  uint32_t major;
  uint32_t minor;
};

struct AssemblyMetaData {  // ASSEMBLYMETADATA
  uint16_t major;
  uint16_t minor;
  uint16_t build;
  uint16_t revision;
  WChar* locale;
  uint32_t locale_length;
  uint32_t* processors;
  uint32_t processor_count;
  OsInfo* systems;
  uint32_t system_count;
};

struct AssemblyReferenceInfo {  // COR_PRF_ASSEMBLY_REFERENCE_INFO
  const void* public_key_or_token;
  uint32_t public_key_or_token_size;
  const WChar* name;
  AssemblyMetaData* meta_data;
  const void* hash;
  uint32_t hash_size;
  uint32_t flags;
};

struct IlMap {  // COR_IL_MAP
  uint32_t old_offset;
  uint32_t new_offset;
  Bool accurate;
};

struct IlToNativeMap {  // COR_DEBUG_IL_TO_NATIVE_MAP
  uint32_t il_offset;   // or one of the three below
  uint32_t native_start;
  uint32_t native_end;
};
inline constexpr uint32_t kIlNoMapping = 0xFFFFFFFF;
inline constexpr uint32_t kIlProlog = 0xFFFFFFFE;
inline constexpr uint32_t kIlEpilog = 0xFFFFFFFD;

struct EventPipeProviderConfig {  // COR_PRF_EVENTPIPE_PROVIDER_CONFIG
  const WChar* provider;
  uint64_t keywords;
  uint32_t level;
  const WChar* filter;
};

struct EventPipeParameter {  // COR_PRF_EVENTPIPE_PARAM_DESC
  EventPipeParameterType type;
  EventPipeParameterType element_type;
  const WChar* name;
};

struct EventData {  // COR_PRF_EVENT_DATA
  uint64_t pointer;
  uint32_t size;
  uint32_t reserved;
};

struct FilterData {  // COR_PRF_FILTER_DATA
  uint64_t pointer;
  uint32_t size;
  uint32_t type;
};

union FunctionIDOrClientID {
  FunctionID function;
  uintptr_t client;
};

// ---- plain callbacks -------------------------------------------------------------------------------

// The runtime looks at the low byte of the answer only: return exactly 0 or 1. For an object of a
// collectible type the first `reference` is a local of the runtime (the LoaderAllocator), not a slot.
using ObjectReferenceCallback = Bool(CAIRN_STDCALL*)(ObjectID object, ObjectID* reference, void* context);
using ObjectCallback = Bool(CAIRN_STDCALL*)(ObjectID object, void* context);
// HRESULT other than 0 ends the stack walk.
using StackSnapshotCallback = HRESULT CAIRN_STDCALL(FunctionID function, uintptr_t ip, FrameInfo frame,
                                                    uint32_t context_size, uint8_t* context, void* client);
using FunctionIDMapper = uintptr_t CAIRN_STDCALL(FunctionID function, Bool* hook);
using FunctionIDMapper2 = uintptr_t CAIRN_STDCALL(FunctionID function, void* client, Bool* hook);
using FunctionEnter = void CAIRN_STDCALL(FunctionID function);
using FunctionLeave = void CAIRN_STDCALL(FunctionID function);
using FunctionTailcall = void CAIRN_STDCALL(FunctionID function);
using FunctionEnter2 = void CAIRN_STDCALL(FunctionID function, uintptr_t client, FrameInfo frame,
                                          ArgumentInfo* arguments);
using FunctionLeave2 = void CAIRN_STDCALL(FunctionID function, uintptr_t client, FrameInfo frame,
                                          ArgumentRange* result);
using FunctionTailcall2 = void CAIRN_STDCALL(FunctionID function, uintptr_t client, FrameInfo frame);
using FunctionEnter3 = void CAIRN_STDCALL(FunctionIDOrClientID function);
using FunctionLeave3 = void CAIRN_STDCALL(FunctionIDOrClientID function);
using FunctionTailcall3 = void CAIRN_STDCALL(FunctionIDOrClientID function);
using FunctionEnter3WithInfo = void CAIRN_STDCALL(FunctionIDOrClientID function, HookInfo info);
using FunctionLeave3WithInfo = void CAIRN_STDCALL(FunctionIDOrClientID function, HookInfo info);
using FunctionTailcall3WithInfo = void CAIRN_STDCALL(FunctionIDOrClientID function, HookInfo info);
using EventPipeProviderCallback = void CAIRN_STDCALL(const uint8_t* source_id, uint32_t is_enabled, uint8_t level,
                                                     uint64_t match_any, uint64_t match_all, FilterData* filter,
                                                     void* context);

// ---- layouts, 64 bit -------------------------------------------------------------------------------

static_assert(sizeof(FieldOffset) == 8 && offsetof(FieldOffset, offset) == 4);
static_assert(sizeof(IlMap) == 12 && offsetof(IlMap, accurate) == 8);
static_assert(sizeof(IlToNativeMap) == 12 && offsetof(IlToNativeMap, native_end) == 8);
static_assert(sizeof(OsInfo) == 12);
static_assert(sizeof(EventData) == 16 && offsetof(EventData, size) == 8 && offsetof(EventData, reserved) == 12);
static_assert(sizeof(FilterData) == 16 && offsetof(FilterData, size) == 8 && offsetof(FilterData, type) == 12);
static_assert(sizeof(void*) != 8 ||
              (sizeof(GcGenerationRange) == 32 && offsetof(GcGenerationRange, start) == 8 &&
               offsetof(GcGenerationRange, length) == 16 && offsetof(GcGenerationRange, reserved) == 24));
static_assert(sizeof(void*) != 8 || (sizeof(NonGcHeapRange) == 24 && offsetof(NonGcHeapRange, length) == 8 &&
                                     offsetof(NonGcHeapRange, reserved) == 16));
static_assert(sizeof(void*) != 8 || (sizeof(CodeInfo) == 16 && offsetof(CodeInfo, size) == 8));
static_assert(sizeof(void*) != 8 || (sizeof(JittedFunction) == 16 && offsetof(JittedFunction, rejit) == 8));
static_assert(sizeof(void*) != 8 || (sizeof(ModuleMethod) == 16 && offsetof(ModuleMethod, method) == 8));
static_assert(sizeof(void*) != 8 ||
              (sizeof(ExceptionClauseInfo) == 32 && offsetof(ExceptionClauseInfo, program_counter) == 8 &&
               offsetof(ExceptionClauseInfo, frame_pointer) == 16 &&
               offsetof(ExceptionClauseInfo, shadow_stack_pointer) == 24));
static_assert(sizeof(void*) != 8 || (sizeof(ArgumentRange) == 16 && offsetof(ArgumentRange, length) == 8));
static_assert(sizeof(void*) != 8 || (sizeof(ArgumentInfo) == 24 && offsetof(ArgumentInfo, total_size) == 4 &&
                                     offsetof(ArgumentInfo, ranges) == 8));
static_assert(sizeof(void*) != 8 ||
              (sizeof(AssemblyMetaData) == 56 && offsetof(AssemblyMetaData, locale) == 8 &&
               offsetof(AssemblyMetaData, locale_length) == 16 && offsetof(AssemblyMetaData, processors) == 24 &&
               offsetof(AssemblyMetaData, processor_count) == 32 && offsetof(AssemblyMetaData, systems) == 40 &&
               offsetof(AssemblyMetaData, system_count) == 48));
static_assert(sizeof(void*) != 8 ||
              (sizeof(AssemblyReferenceInfo) == 48 && offsetof(AssemblyReferenceInfo, name) == 16 &&
               offsetof(AssemblyReferenceInfo, meta_data) == 24 && offsetof(AssemblyReferenceInfo, hash) == 32 &&
               offsetof(AssemblyReferenceInfo, hash_size) == 40 && offsetof(AssemblyReferenceInfo, flags) == 44));
static_assert(sizeof(void*) != 8 ||
              (sizeof(EventPipeProviderConfig) == 32 && offsetof(EventPipeProviderConfig, keywords) == 8 &&
               offsetof(EventPipeProviderConfig, level) == 16 && offsetof(EventPipeProviderConfig, filter) == 24));
static_assert(sizeof(void*) != 8 ||
              (sizeof(EventPipeParameter) == 16 && offsetof(EventPipeParameter, element_type) == 4 &&
               offsetof(EventPipeParameter, name) == 8));
static_assert(sizeof(void*) != 4 || (sizeof(GcGenerationRange) == 16 && sizeof(NonGcHeapRange) == 12));

}  // namespace cairn::collector::abi
