import Foundation

/// Values in the place of those that cannot be read, so that the `init(from:)` of their type reaches its next field.
///
/// The app's code runs on them. So each is one that a server could send: no empty string, no zero, no empty address.
enum PlaceholderValue {
    /// A reading is repeated with other placeholders to find what follows from them.
    enum Choice: CaseIterable {
        case first
        case second
    }

    /// The placeholder for a value of a type; nil if there is none.
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

/// A type of this library with placeholders. It is read as a whole.
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
    /// A case of an enum, which no code of the app makes.
    fileprivate static func placeholder(_ choice: PlaceholderValue.Choice) -> Self? {
        CaseCount.value(of: Self.self, isFirst: choice == .first)
    }
}

/// A collection of the standard library, which no code of the app makes. The first placeholder is empty; the second has
/// one element, so that what an app does with an empty one does not follow from both. Of elements without a placeholder
/// both are empty.
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
