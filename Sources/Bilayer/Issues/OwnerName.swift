/// The name of a type that declares fields, as the owner of issues: that of the wrapped type for an optional; nil for
/// types of the standard library, of Foundation and of this library, whose fields are those of the type around them.
func ownerName(of type: Any.Type) -> String? {
    if let optional = type as? any WrappingType.Type { return ownerName(of: optional.wrappedType) }
    let module = String(reflecting: type).prefix { $0 != "." }
    return systemModules.contains(String(module)) ? nil : typeName(type)
}

private let systemModules: Set<String> = ["Swift", "Foundation", "FoundationEssentials", "CoreFoundation", "Bilayer"]

private protocol WrappingType {
    static var wrappedType: Any.Type { get }
}

extension Optional: WrappingType {
    fileprivate static var wrappedType: Any.Type { Wrapped.self }
}
