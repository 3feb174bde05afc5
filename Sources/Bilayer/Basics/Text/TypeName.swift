import Foundation

/// Returns a type's name as in source code. It includes the types around the type, but neither the module nor unnamed
/// contexts: `Order.Status`, `Array<Order.Item>`. Only the name of a type in an extension of another module's type has
/// a module: `(extension in Shop):String.Code`.
package func typeName(_ type: Any.Type) -> String { TypeNames.known.name(of: type) }

/// The type names that were requested so far. Making a name takes some microseconds, and a response can have an error
/// for each of its elements. The cache stays small, because a process has a limited number of types.
private struct TypeNames {
    static let known = TypeNames()

    private let names = Locked<[ObjectIdentifier: String]>([:])

    func name(of type: Any.Type) -> String {
        names.withLock { names in
            if let name = names[ObjectIdentifier(type)] { return name }
            let name = makeTypeName(type)
            names[ObjectIdentifier(type)] = name
            return name
        }
    }
}

private func makeTypeName(_ type: Any.Type) -> String {
    var text = ""
    var name = Substring()
    for character in String(reflecting: type).withoutUnnamedContexts {
        if character.isLetter || character.isNumber || character == "_" || character == "." {
            name.append(character)
        } else {
            text += name.withoutModule + String(character)
            name = Substring()
        }
    }
    return text + name.withoutModule
}

extension Substring {
    fileprivate var withoutModule: Substring {
        guard let dot = firstIndex(of: "."), dot != startIndex else { return self }
        return self[index(after: dot)...]
    }
}

extension String {
    /// The text without unnamed contexts. Private and local types print as `Module.(unknown context at $7f…).Name`.
    fileprivate var withoutUnnamedContexts: String {
        var text = ""
        var rest = self[...]
        while let open = rest.firstIndex(of: "("), rest[open...].hasPrefix("(unknown context") {
            text += rest[..<open]
            let close = rest[open...].firstIndex(of: ")") ?? rest.index(before: rest.endIndex)
            rest = rest[rest.index(after: close)...].drop { $0 == "." }
        }
        return text + rest
    }
}
