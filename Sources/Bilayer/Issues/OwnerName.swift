/// Returns the name of a type that declares fields, as the owner of issues. For an optional, returns the name of the
/// wrapped type. Returns `nil` for types of the standard library, Foundation and this library, because their fields
/// belong to the enclosing type.
func ownerName(of type: Any.Type) -> String? { OwnerNames.known.name(of: type) }

/// The type that declares the fields inside a value.
struct FieldOwner {
    let name: String
    /// The number of path components from the value to a value of that type: one for each array around it.
    let depth: Int

    /// - Returns: `nil` if no type of an app declares the fields: see ``ownerName(of:)``.
    static func of(_ type: Any.Type) -> FieldOwner? {
        if let optional = type as? any WrappingType.Type { return of(optional.wrappedType) }
        if let list = type as? any ListType.Type {
            return of(list.elementType).map { FieldOwner(name: $0.name, depth: $0.depth + 1) }
        }
        return ownerName(of: type).map { FieldOwner(name: $0, depth: 0) }
    }
}

/// A cache of owner names. A response may have an error for each of its elements. The cache makes the name of their
/// type only once.
private struct OwnerNames {
    static let known = OwnerNames()

    private let names = Locked<[ObjectIdentifier: String?]>([:])

    func name(of type: Any.Type) -> String? {
        let id = ObjectIdentifier(type)
        if let name = names.withLock({ $0[id] }) { return name }
        let name = makeOwnerName(of: type)
        names.withLock { $0[id] = .some(name) }
        return name
    }
}

private func makeOwnerName(of type: Any.Type) -> String? {
    if let optional = type as? any WrappingType.Type { return makeOwnerName(of: optional.wrappedType) }
    let module = String(reflecting: type).prefix { $0 != "." }
    return systemModules.contains(String(module)) ? nil : typeName(type)
}

private let systemModules: Set<String> = ["Swift", "Foundation", "FoundationEssentials", "CoreFoundation", "Bilayer"]

private protocol WrappingType {
    static var wrappedType: Any.Type { get }
}

private protocol ListType {
    static var elementType: Any.Type { get }
}

extension Array: ListType {
    fileprivate static var elementType: Any.Type { Element.self }
}

extension Optional: WrappingType {
    fileprivate static var wrappedType: Any.Type { Wrapped.self }
}
