import Foundation

/// Makes values in place of those that cannot be read, so that an `init(from:)` reaches its next field.
///
/// The app's code runs on these values. So each value is one that a server could send: no empty string, no zero, no
/// empty address.
enum PlaceholderValue {
    /// The set of placeholders. A reading is repeated with the second set, to find errors that follow from a
    /// placeholder.
    enum Choice: CaseIterable {
        case first
        case second
    }

    /// Returns the placeholder for a value of a type; `nil` if the type has none.
    static func value(of type: Any.Type, _ choice: Choice) -> Any? {
        let isFirst = choice == .first
        switch type {
        case is Bool.Type: return !isFirst
        case is String.Type: return isFirst ? "1" : "2"
        case is Date.Type: return Date(timeIntervalSinceReferenceDate: isFirst ? 0 : 86_400)
        case is URL.Type: return URL(string: "https://example.com/\(isFirst ? 1 : 2)")
        case is UUID.Type: return UUID(uuidString: "00000000-0000-0000-0000-00000000000\(isFirst ? 1 : 2)")
        case is Data.Type: return Data([isFirst ? 1 : 2])
        case is Json.Type: return Json(isFirst ? 1 : 2)
        case let number as any Numeric.Type: return number.placeholder(isFirst ? 1 : 2)
        case let maker as any PlaceholderMaking.Type: return maker.placeholder(choice)
        case let cases as any CaseIterable.Type: return cases.placeholder(choice)
        case let cases as any RawRepresentable.Type: return cases.placeholder(choice)
        case let collection as any PlaceholderCollection.Type: return collection.placeholder(choice)
        default: return nil
        }
    }
}

/// A type of this library that makes its own placeholders. Its values are read as a whole, without a search inside the
/// value.
protocol PlaceholderMaking {
    static func placeholder(_ choice: PlaceholderValue.Choice) -> Self?
}

extension Numeric {
    fileprivate static func placeholder(_ number: Int) -> Self? { Self(exactly: number) }
}

extension CaseIterable {
    fileprivate static func placeholder(_ choice: PlaceholderValue.Choice) -> Self? {
        choice == .first ? allCases.first : Array(allCases).last
    }
}

extension RawRepresentable {
    /// Returns a case of an enum, without running code of the app.
    fileprivate static func placeholder(_ choice: PlaceholderValue.Choice) -> Self? {
        CaseCount.value(of: Self.self, isFirst: choice == .first)
    }
}

/// A collection of the standard library. The first placeholder is empty and the second has one element, so that an
/// error about an empty collection does not follow from both. If the element has no placeholder, both are empty.
protocol PlaceholderCollection {
    static func placeholder(_ choice: PlaceholderValue.Choice) -> Any?
}

extension Array: PlaceholderCollection {
    static func placeholder(_ choice: PlaceholderValue.Choice) -> Any? {
        guard choice == .second, let element = PlaceholderValue.value(of: Element.self, choice) as? Element else {
            return [] as Self
        }
        return [element] as Self
    }
}

extension Set: PlaceholderCollection {
    static func placeholder(_ choice: PlaceholderValue.Choice) -> Any? {
        guard choice == .second, let element = PlaceholderValue.value(of: Element.self, choice) as? Element else {
            return [] as Self
        }
        return [element] as Self
    }
}

extension Dictionary: PlaceholderCollection {
    static func placeholder(_ choice: PlaceholderValue.Choice) -> Any? {
        guard choice == .second, let key = PlaceholderValue.value(of: Key.self, choice) as? Key,
            let value = PlaceholderValue.value(of: Value.self, choice) as? Value
        else { return [:] as Self }
        return [key: value]
    }
}
