#pragma once
// Names for the words that the runtime hands out. Ids are pointer-sized, tokens have 32 bits.

#include <cstdint>

namespace cairn::collector::abi {

using ObjectID = uintptr_t;
using ClassID = uintptr_t;
using ModuleID = uintptr_t;
using AssemblyID = uintptr_t;
using AppDomainID = uintptr_t;
using ThreadID = uintptr_t;
using ContextID = uintptr_t;
using FunctionID = uintptr_t;
using ProcessID = uintptr_t;
using GCHandleID = uintptr_t;
using ReJITID = uintptr_t;
using HookInfo = uintptr_t;   // COR_PRF_ELT_INFO
using FrameInfo = uintptr_t;  // COR_PRF_FRAME_INFO
using ObjectHandleID = void**;
using EventPipeProvider = uintptr_t;
using EventPipeEvent = uintptr_t;
using EventPipeSession = uint64_t;  // 64 bits on every platform

using mdToken = uint32_t;
using mdModule = mdToken;
using mdTypeRef = mdToken;
using mdTypeDef = mdToken;
using mdFieldDef = mdToken;
using mdMethodDef = mdToken;
using mdParamDef = mdToken;
using mdInterfaceImpl = mdToken;
using mdMemberRef = mdToken;
using mdCustomAttribute = mdToken;
using mdPermission = mdToken;
using mdSignature = mdToken;
using mdEvent = mdToken;
using mdProperty = mdToken;
using mdModuleRef = mdToken;
using mdTypeSpec = mdToken;
using mdAssembly = mdToken;
using mdAssemblyRef = mdToken;
using mdFile = mdToken;
using mdExportedType = mdToken;
using mdManifestResource = mdToken;
using mdGenericParam = mdToken;
using mdMethodSpec = mdToken;
using mdGenericParamConstraint = mdToken;
using mdString = mdToken;

using Signature = const uint8_t*;  // a blob of metadata
using MetaDataEnum = void*;        // an enumeration of metadata under way; null starts one

}  // namespace cairn::collector::abi
