using System.IO;
using System.Reflection;
using System.Reflection.Emit;

namespace HeapTruth;

static class Emitted
{
    /// The image of an assembly with classes of these names, each with an instance and a static field of type object.
    public static MemoryStream Assembly(string name, params string[] classes)
    {
        var builder = new PersistedAssemblyBuilder(new AssemblyName(name), typeof(object).Assembly);
        ModuleBuilder module = builder.DefineDynamicModule(name);
        foreach (string full in classes)
        {
            TypeBuilder type = module.DefineType(full, TypeAttributes.Public | TypeAttributes.Class);
            type.DefineField("Field", typeof(object), FieldAttributes.Public);
            type.DefineField("Shared", typeof(object), FieldAttributes.Public | FieldAttributes.Static);
            type.CreateType();
        }
        var image = new MemoryStream();
        builder.Save(image);
        image.Position = 0;
        return image;
    }
}
