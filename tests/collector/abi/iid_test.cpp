// IIDs as the runtime prints them.

#include <gtest/gtest.h>

#include <cstdio>
#include <string>

#include "collector/abi/enumerators.h"
#include "collector/abi/metadata.h"
#include "collector/abi/profiler_callback.h"
#include "collector/abi/profiler_info.h"

namespace cairn::collector::abi {
namespace {

std::string Text(const GUID& g) {
  char text[37];
  std::snprintf(text, sizeof text, "%08X-%04X-%04X-%02X%02X-%02X%02X%02X%02X%02X%02X", g.data1, g.data2, g.data3,
                g.data4[0], g.data4[1], g.data4[2], g.data4[3], g.data4[4], g.data4[5], g.data4[6], g.data4[7]);
  return text;
}

TEST(Iids, Base) {
  EXPECT_EQ(Text(IUnknown::kIid), "00000000-0000-0000-C000-000000000046");
  EXPECT_EQ(Text(IClassFactory::kIid), "00000001-0000-0000-C000-000000000046");
}

TEST(Iids, Callbacks) {
  EXPECT_EQ(Text(ICorProfilerCallback::kIid), "176FBED1-A55C-4796-98CA-A9DA0EF883E7");
  EXPECT_EQ(Text(ICorProfilerCallback2::kIid), "8A8CC829-CCF2-49FE-BBAE-0F022228071A");
  EXPECT_EQ(Text(ICorProfilerCallback3::kIid), "4FD2ED52-7731-4B8D-9469-03D2CC3086C5");
  EXPECT_EQ(Text(ICorProfilerCallback4::kIid), "7B63B2E3-107D-4D48-B2F6-F61E229470D2");
  EXPECT_EQ(Text(ICorProfilerCallback5::kIid), "8DFBA405-8C9F-45F8-BFFA-83B14CEF78B5");
  EXPECT_EQ(Text(ICorProfilerCallback6::kIid), "FC13DF4B-4448-4F4F-950C-BA8D19D00C36");
  EXPECT_EQ(Text(ICorProfilerCallback7::kIid), "F76A2DBA-1D52-4539-866C-2AA518F9EFC3");
  EXPECT_EQ(Text(ICorProfilerCallback8::kIid), "5BED9B15-C079-4D47-BFE2-215A140C07E0");
  EXPECT_EQ(Text(ICorProfilerCallback9::kIid), "27583EC3-C8F5-482F-8052-194B8CE4705A");
  EXPECT_EQ(Text(ICorProfilerCallback10::kIid), "CEC5B60E-C69C-495F-87F6-84D28EE16FFB");
  EXPECT_EQ(Text(ICorProfilerCallback11::kIid), "42350846-AAED-47F7-B128-FD0C98881CDE");
}

TEST(Iids, Info) {
  EXPECT_EQ(Text(ICorProfilerInfo::kIid), "28B5557D-3F3F-48B4-90B2-5F9EEA2F6C48");
  EXPECT_EQ(Text(ICorProfilerInfo2::kIid), "CC0935CD-A518-487D-B0BB-A93214E65478");
  EXPECT_EQ(Text(ICorProfilerInfo3::kIid), "B555ED4F-452A-4E54-8B39-B5360BAD32A0");
  EXPECT_EQ(Text(ICorProfilerInfo4::kIid), "0D8FDCAA-6257-47BF-B1BF-94DAC88466EE");
  EXPECT_EQ(Text(ICorProfilerInfo5::kIid), "07602928-CE38-4B83-81E7-74ADAF781214");
  EXPECT_EQ(Text(ICorProfilerInfo6::kIid), "F30A070D-BFFB-46A7-B1D8-8781EF7B698A");
  EXPECT_EQ(Text(ICorProfilerInfo7::kIid), "9AEECC0D-63E0-4187-8C00-E312F503F663");
  EXPECT_EQ(Text(ICorProfilerInfo8::kIid), "C5AC80A6-782E-4716-8044-39598C60CFBF");
  EXPECT_EQ(Text(ICorProfilerInfo9::kIid), "008170DB-F8CC-4796-9A51-DC8AA0B47012");
  EXPECT_EQ(Text(ICorProfilerInfo10::kIid), "2F1B5152-C869-40C9-AA5F-3ABE026BD720");
  EXPECT_EQ(Text(ICorProfilerInfo11::kIid), "06398876-8987-4154-B621-40A00D6E4D04");
  EXPECT_EQ(Text(ICorProfilerInfo12::kIid), "27B24CCD-1CB1-47C5-96EE-98190DC30959");
  EXPECT_EQ(Text(ICorProfilerInfo13::kIid), "6E6C7EE2-0701-4EC2-9D29-2E8733B66934");
  EXPECT_EQ(Text(ICorProfilerInfo14::kIid), "F460E352-D76D-4FE9-835F-F6AF9D6E862D");
  EXPECT_EQ(Text(ICorProfilerInfo15::kIid), "B446462D-BD22-41DD-872D-DC714C49EB56");
}

TEST(Iids, Helpers) {
  EXPECT_EQ(Text(ICorProfilerObjectEnum::kIid), "2C6269BD-2D13-4321-AE12-6686365FD6AF");
  EXPECT_EQ(Text(ICorProfilerFunctionEnum::kIid), "FF71301A-B994-429D-A10B-B345A65280EF");
  EXPECT_EQ(Text(ICorProfilerModuleEnum::kIid), "B0266D75-2081-4493-AF7F-028BA34DB891");
  EXPECT_EQ(Text(ICorProfilerThreadEnum::kIid), "571194F7-25ED-419F-AA8B-7016B3159701");
  EXPECT_EQ(Text(ICorProfilerMethodEnum::kIid), "FCCEE788-0088-454B-A811-C99F298D1942");
  EXPECT_EQ(Text(ICorProfilerAssemblyReferenceProvider::kIid), "66A78C24-2EEF-4F65-B45F-DD1D8038BF3C");
  EXPECT_EQ(Text(ICorProfilerFunctionControl::kIid), "F0963021-E1EA-4732-8581-E01B0BD3C0C6");
  EXPECT_EQ(Text(IMethodMalloc::kIid), "A0EFB28B-6EE2-4D7B-B983-A75EF7BEEDB8");
}

TEST(Iids, MetaData) {
  EXPECT_EQ(Text(IMetaDataImport::kIid), "7DAC8207-D3AE-4C75-9B67-92801A497D44");
  EXPECT_EQ(Text(IMetaDataImport2::kIid), "FCE5EFA0-8BBA-4F8E-A036-8F2022B08466");
  EXPECT_EQ(Text(IMetaDataAssemblyImport::kIid), "EE62470B-E94B-424E-9B7C-2F00C9249F93");
}

}  // namespace
}  // namespace cairn::collector::abi
