import Foundation

/// Values in the place of those that cannot be read, so that the `init(from:)` of their type reaches its next field.
///
/// The app's code runs on them. So each is one that a server could send: no empty string, no zero, no empty address.
enum StandIn {
    /// A reading repeated with other stand-ins tells what follows from them.
    enum Choice: CaseIterable {
        case first
        case second
    }

    /// The stand-in for a value of a type; nil if there is none.
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
        case let number as any Numeric.Type: return number.standIn(isFirst ? 1 : 2)
        case let maker as any StandInMaking.Type: return maker.standIn(choice)
        case let cases as any CaseIterable.Type: return cases.standIn(choice)
        case let cases as any RawRepresentable.Type: return cases.standIn(choice)
        case let collection as any StandInCollection.Type: return collection.standIn(choice)
        default: return nil
        }
    }
}

/// A type of this library with stand-ins. It is read as a whole.
protocol StandInMaking {
    static func standIn(_ choice: StandIn.Choice) -> Self?
}

extension Numeric {
    fileprivate static func standIn(_ number: Int) -> Self? { Self(exactly: number) }
}

extension CaseIterable {
    fileprivate static func standIn(_ choice: StandIn.Choice) -> Self? {
        choice == .first ? allCases.first : Array(allCases).last
    }
}

extension RawRepresentable {
    /// A case of an enum, which no code of the app makes.
    fileprivate static func standIn(_ choice: StandIn.Choice) -> Self? {
        CaseCount.value(of: Self.self, isFirst: choice == .first)
    }
}

/// A collection of the standard library, which no code of the app makes. The first stand-in is empty; the second has one
/// element, so that what an app does with an empty one does not follow from both. Of elements without a stand-in both
/// are empty.
protocol StandInCollection {
    static func standIn(_ choice: StandIn.Choice) -> Any?
}

extension Array: StandInCollection {
    static func standIn(_ choice: StandIn.Choice) -> Any? {
        guard choice == .second, let element = StandIn.value(of: Element.self, choice) as? Element else {
            return [] as Self
        }
        return [element] as Self
    }
}

extension Set: StandInCollection {
    static func standIn(_ choice: StandIn.Choice) -> Any? {
        guard choice == .second, let element = StandIn.value(of: Element.self, choice) as? Element else {
            return [] as Self
        }
        return [element] as Self
    }
}

extension Dictionary: StandInCollection {
    static func standIn(_ choice: StandIn.Choice) -> Any? {
        guard choice == .second, let key = StandIn.value(of: Key.self, choice) as? Key,
            let value = StandIn.value(of: Value.self, choice) as? Value
        else { return [:] as Self }
        return [key: value]
    }
}
