namespace RootsTruth.Held;

// One type for each way of being held, so that a root is known by what it holds.
class ByStatic { }
class ByStaticOfStruct { }
class ByStaticOfGeneric { }
class ByStaticWithoutInstance { }
class ByGenericWithoutInstance { }
class ByThreadStatic { }
class ByThreadStaticOfStruct { }
class ByThreadStaticOfGeneric { }
class ByLocal { }
class ByLocalOfOther { }
class BySpan { }
class ByFinalizer { }
class ByTable { }
class ByTableValue { }
class ByDependent { }
class ByDependentValue { }
class ByStrong { }
class BySpreadHandle { }
class BySpreadDependent { }
class ByPinned { public long Number; }
class ByWeak { }
class ByCollectible { }
class ByInstance { }
