import Foundation

/// Runs a program with one encoder.
// Sendable: a program runs on one thread.
final class ProgramMachine: @unchecked Sendable {
    /// The containers that were handed out, those of the running bodies last.
    private var containers: [any ProgramContainer] = []
    /// Where the innermost running body's containers begin.
    private var ownStart = 0
    private var pending: [any Encoder] = []
    private let keepsContainers: Bool

    /// Makes a machine.
    /// - Parameter keepsContainers: Whether containers can be used after their value is done.
    init(keepsContainers: Bool) { self.keepsContainers = keepsContainers }

    /// Releases kept containers and encoders. A kept container holds its encoder's user information, which holds the
    /// machine.
    func releaseContainers() {
        containers = []
        pending = []
    }

    func run(_ body: ProgramBody, _ encoder: any Encoder) throws {
        let outerStart = ownStart
        ownStart = containers.count
        if let container = makeContainer(of: encoder, body.form) { containers.append(container) }
        let pendingCount = pending.count
        defer {
            if !keepsContainers {
                containers.removeSubrange(ownStart...)
                pending.removeSubrange(min(pendingCount, pending.count)...)
            }
            ownStart = keepsContainers ? min(outerStart, containers.count) : outerStart
        }
        for step in body.steps { try run(step, encoder) }
    }

    private func makeContainer(of encoder: any Encoder, _ form: ProgramBody.Form) -> (any ProgramContainer)? {
        switch form {
        case .few: Keyed(encoder.container(keyedBy: ProgramKey.self)) { ProgramKey.allCases[$0 % 4] }
        case .many: Keyed(encoder.container(keyedBy: ProgramByteKey.self), byteKey)
        case .any: Keyed(encoder.container(keyedBy: ProgramAnyKey.self), anyKey)
        case .unkeyed: Unkeyed(container: encoder.unkeyedContainer())
        case .single: Single(container: encoder.singleValueContainer())
        case .nothing: nil
        }
    }

    private func run(_ step: ProgramStep, _ encoder: any Encoder) throws {
        switch step {
        case .write(let target, let isOuter, let key, let value, let recovery):
            try recovering(recovery) { value in
                try change(target, isOuter) { container in try container.write(value, key) }
            } from: {
                value
            }
        case .nested(let target, let isOuter, let key, let form):
            var nested: (any ProgramContainer)?
            try change(target, isOuter) { container in nested = container.nested(key, form) }
            if let nested { containers.append(nested) }
        case .superEncoder(let target, let isOuter, let key):
            var encoder: (any Encoder)?
            try change(target, isOuter) { container in encoder = container.superEncoder(key) }
            if let encoder { pending.append(encoder) }
        case .use(let value, let recovery):
            guard let encoder = pending.popLast() else { return }
            try recovering(recovery) { value in
                try value.encode(to: encoder)
            } from: {
                value
            }
        case .superNow(let target, let key, let value):
            try change(target, false) { container in
                guard let encoder = container.superEncoder(key) else { return }
                try value?.encode(to: encoder)
            }
        case .again(let form):
            if let container = makeContainer(of: encoder, form) { containers.append(container) }
        case .fail: throw ProgramFailure()
        }
    }

    private func recovering(
        _ recovery: ProgramRecovery,
        _ write: (ProgramValue) throws -> Void,
        from value: () -> ProgramValue
    ) throws {
        do {
            try write(value())
        } catch {
            switch recovery {
            case .none: throw error
            case .ignoring: break
            case .writing(let other): try? write(other)
            }
        }
    }

    private func change(_ target: Int, _ isOuter: Bool, _ body: (inout any ProgramContainer) throws -> Void) throws {
        let start = isOuter ? 0 : ownStart
        guard start < containers.count else { return }
        let index = start + target % (containers.count - start)
        // A copy: the body may run others, which change the list.
        var container = containers[index]
        try body(&container)
    }
}

private func byteKey(_ number: Int) -> ProgramByteKey {
    ProgramByteKey(number: [0, 1, 63, 64, 65, 200, 255][number % 7])
}

private func anyKey(_ number: Int) -> ProgramAnyKey {
    ProgramAnyKey(
        stringValue: ["a", "b", "first_name", "firstName", "", "a key of more than fifteen bytes"][number % 6]
    )
}

// MARK: - Containers

/// A container of any form.
private protocol ProgramContainer {
    mutating func write(_ value: ProgramValue, _ key: Int) throws
    mutating func nested(_ key: Int, _ form: ProgramBody.Form) -> (any ProgramContainer)?
    mutating func superEncoder(_ key: Int?) -> (any Encoder)?
}

private struct Keyed<Key: CodingKey>: ProgramContainer {
    var container: KeyedEncodingContainer<Key>
    let key: (Int) -> Key

    init(_ container: KeyedEncodingContainer<Key>, _ key: @escaping (Int) -> Key) {
        self.container = container
        self.key = key
    }

    mutating func write(_ value: ProgramValue, _ number: Int) throws {
        let key = key(number)
        switch value {
        case .null: try container.encodeNil(forKey: key)
        case .number(let value): try container.encode(value, forKey: key)
        case .text(let value): try container.encode(value, forKey: key)
        case .ratio(let value): try container.encode(value, forKey: key)
        case .date(let seconds):
            try container.encode(Date(timeIntervalSinceReferenceDate: Double(seconds)), forKey: key)
        case .list(let values): try container.encode(values, forKey: key)
        case .ratios(let values): try container.encode(values, forKey: key)
        case .table(let values): try container.encode(values, forKey: key)
        case .optional(let value): try container.encode(Optional(value), forKey: key)
        case .body(let body): try container.encode(body, forKey: key)
        }
    }

    mutating func nested(_ number: Int, _ form: ProgramBody.Form) -> (any ProgramContainer)? {
        let key = key(number)
        return switch form {
        case .few:
            Keyed<ProgramKey>(container.nestedContainer(keyedBy: ProgramKey.self, forKey: key)) {
                ProgramKey.allCases[$0 % 4]
            }
        case .many: Keyed<ProgramByteKey>(container.nestedContainer(keyedBy: ProgramByteKey.self, forKey: key), byteKey)
        case .any: Keyed<ProgramAnyKey>(container.nestedContainer(keyedBy: ProgramAnyKey.self, forKey: key), anyKey)
        default: Unkeyed(container: container.nestedUnkeyedContainer(forKey: key))
        }
    }

    mutating func superEncoder(_ number: Int?) -> (any Encoder)? {
        number.map { container.superEncoder(forKey: key($0)) } ?? container.superEncoder()
    }
}

private struct Unkeyed: ProgramContainer {
    var container: any UnkeyedEncodingContainer

    mutating func write(_ value: ProgramValue, _ key: Int) throws {
        switch value {
        case .null: try container.encodeNil()
        case .number(let value): try container.encode(value)
        case .text(let value): try container.encode(value)
        case .ratio(let value): try container.encode(value)
        case .date(let seconds): try container.encode(Date(timeIntervalSinceReferenceDate: Double(seconds)))
        case .list(let values): try container.encode(values)
        case .ratios(let values): try container.encode(values)
        case .table(let values): try container.encode(values)
        case .optional(let value): try container.encode(Optional(value))
        case .body(let body): try container.encode(body)
        }
    }

    mutating func nested(_ key: Int, _ form: ProgramBody.Form) -> (any ProgramContainer)? {
        switch form {
        case .few: Keyed(container.nestedContainer(keyedBy: ProgramKey.self)) { ProgramKey.allCases[$0 % 4] }
        case .many: Keyed(container.nestedContainer(keyedBy: ProgramByteKey.self), byteKey)
        case .any: Keyed(container.nestedContainer(keyedBy: ProgramAnyKey.self), anyKey)
        default: Unkeyed(container: container.nestedUnkeyedContainer())
        }
    }

    mutating func superEncoder(_ key: Int?) -> (any Encoder)? { container.superEncoder() }
}

private struct Single: ProgramContainer {
    var container: any SingleValueEncodingContainer

    mutating func write(_ value: ProgramValue, _ key: Int) throws {
        switch value {
        case .null: try container.encodeNil()
        case .number(let value): try container.encode(value)
        case .text(let value): try container.encode(value)
        case .ratio(let value): try container.encode(value)
        case .date(let seconds): try container.encode(Date(timeIntervalSinceReferenceDate: Double(seconds)))
        case .list(let values): try container.encode(values)
        case .ratios(let values): try container.encode(values)
        case .table(let values): try container.encode(values)
        case .optional(let value): try container.encode(Optional(value))
        case .body(let body): try container.encode(body)
        }
    }

    mutating func nested(_ key: Int, _ form: ProgramBody.Form) -> (any ProgramContainer)? { nil }

    mutating func superEncoder(_ key: Int?) -> (any Encoder)? { nil }
}
