import Foundation

/// Reads the stored properties of a model into a tree of ``ModelValue``, using `Mirror`.
struct ModelReader {
    /// The maximum depth of the tree. Deeper values are leaves. A task's stack is small, and linked objects can be
    /// nested as deep as a list is long.
    private static let depthLimit = 64

    /// The maximum number of values in the tree, without scalars. Further values are leaves. If objects are shared, the
    /// number of paths to a value can double with each level.
    private static let valueLimit = 100_000

    /// The number of values that were read, without scalars.
    private var count = 0
    /// The objects that contain the current value, to detect reference cycles.
    private var outer: [ObjectIdentifier] = []

    /// Returns a model as a tree.
    static func read(_ model: Any) -> ModelValue {
        var reader = ModelReader()
        return reader.read(model, depth: 0)
    }

    /// Returns a value as a tree. Beyond the limits, the properties are not read: see ``leaf(_:style:)``.
    private mutating func read(_ value: Any, depth: Int) -> ModelValue {
        if let scalar = scalar(value) { return scalar }
        count += 1
        guard depth < Self.depthLimit, count < Self.valueLimit else { return leaf(value, style: nil) }
        let mirror = Mirror(reflecting: value)
        if mirror.displayStyle == .optional {
            guard let wrapped = mirror.children.first else { return .nothing }
            let value = read(wrapped.value, depth: depth)
            return value.isLikeNothing ? .optional(value) : value
        }
        // A `RawRepresentable` struct is read as its raw value, so the path is `$.id` and not `$.id.rawValue`.
        if mirror.displayStyle == .struct, let value = value as? any RawRepresentable {
            return read(value.rawValue, depth: depth + 1)
        }
        if type(of: value) is AnyClass {
            let identity = ObjectIdentifier(value as AnyObject)
            // The end of a cycle is not a difference: the object is compared where the cycle begins.
            if outer.contains(identity) { return .nothing }
            outer.append(identity)
            defer { outer.removeLast() }
            return container(value, mirror, depth: depth)
        }
        return container(value, mirror, depth: depth)
    }

    private mutating func container(_ value: Any, _ mirror: Mirror, depth: Int) -> ModelValue {
        switch mirror.displayStyle {
        case .collection: return .list(elements(of: mirror, depth: depth), isOrdered: true)
        case .set: return .list(elements(of: mirror, depth: depth), isOrdered: false)
        case .dictionary: return .entries(entries(of: mirror, depth: depth))
        case .enum:
            guard let payload = mirror.children.first else { return leaf(value, style: .enum) }
            return .variant(name: payload.label ?? "", read(payload.value, depth: depth + 1))
        default:
            let fields = fields(of: mirror, depth: depth)
            return fields.isEmpty ? leaf(value, style: mirror.displayStyle) : .fields(fields)
        }
    }

    private mutating func elements(of mirror: Mirror, depth: Int) -> [ModelValue] {
        var elements: [ModelValue] = []
        for child in mirror.children { elements.append(read(child.value, depth: depth + 1)) }
        return elements
    }

    private mutating func entries(of mirror: Mirror, depth: Int) -> [ModelKey: ModelValue] {
        var entries: [ModelKey: ModelValue] = [:]
        for child in mirror.children {
            // Each child is a tuple of a key and its value.
            let pair = Array(Mirror(reflecting: child.value).children)
            guard let key = pair.first, let value = pair.last else { continue }
            entries[ModelKey(read(key.value, depth: depth + 1))] = read(value.value, depth: depth + 1)
        }
        return entries
    }

    private mutating func fields(of mirror: Mirror, depth: Int) -> [ModelValue.Field] {
        var fields = mirror.superclassMirror.map { self.fields(of: $0, depth: depth) } ?? []
        for child in mirror.children {
            let label = child.label ?? "\(fields.count)"
            // Ignores the storage of lazy properties: whether such a property was already read is not part of the
            // model.
            if label.hasPrefix("$__lazy_storage_$") { continue }
            if label.hasPrefix("_"), let wrapped = wrappedValue(of: child.value) {
                fields.append(.init(name: String(label.dropFirst()), value: read(wrapped, depth: depth + 1)))
            } else {
                fields.append(.init(name: label, value: read(child.value, depth: depth + 1)))
            }
        }
        return fields
    }

    /// Returns the value of a property wrapper that stores it as `wrappedValue`; `nil` for any other value. The storage
    /// of a wrapper has the name of the property with an underscore in front.
    private func wrappedValue(of storage: Any) -> Any? {
        Mirror(reflecting: storage).children.first { $0.label == "wrappedValue" }?.value
    }

    /// Returns a value that is not read with `Mirror`, although `Mirror` could show parts of it. Returns `nil` for
    /// other types.
    private func scalar(_ value: Any) -> ModelValue? {
        switch value {
        case let value as String: .text(value)
        case let value as Bool: .bool(value)
        case let value as any BinaryInteger: .number(text: "\(value)", value: double(value))
        case let value as any BinaryFloatingPoint: .number(text: "\(value)", value: double(value))
        case let value as Decimal: .number(text: "\(value)", value: NSDecimalNumber(decimal: value).doubleValue)
        case let value as Date:
            .number(
                text: "\(value.timeIntervalSinceReferenceDate)",
                value: value.timeIntervalSinceReferenceDate
            )
        case let value as URL: .text(value.absoluteString)
        case let value as UUID: .text(value.uuidString)
        case let value as Data: .equatable(value)
        case let value as Json: ModelValue(value)
        default: nil
        }
    }

    private func double(_ value: some BinaryInteger) -> Double { Double(value) }
    private func double(_ value: some BinaryFloatingPoint) -> Double { Double(value) }

    /// Returns a value that has no visible properties or is beyond the limits: as its JSON, or for a comparison by
    /// `==`, if it has one of these. For an enum, `==` comes first.
    private func leaf(_ value: Any, style: Mirror.DisplayStyle?) -> ModelValue {
        if style == .enum {
            if let value = value as? any Equatable { return .equatable(value) }
            if !isDescribedByApp(value) { return .variant(name: "\(value)", .nothing) }
        }
        // The JSON comes before `==`, because only the JSON shows which fields differ.
        if let value = value as? any Encodable, let json = try? JsonEncoder().encodeJson(value) {
            return ModelValue(json)
        }
        if let value = value as? any Equatable { return .equatable(value) }
        switch style {
        // The app's description can be equal for several cases, so equal names do not show that the cases are equal.
        case .enum: return .variant(name: "\(value)", .notComparable)
        // Two values of a type without stored properties are always equal.
        case .struct, .class, .tuple: return value is any CustomReflectable ? .notComparable : .fields([])
        default: return .notComparable
        }
    }

    private func isDescribedByApp(_ value: Any) -> Bool {
        value is any CustomStringConvertible || value is any CustomDebugStringConvertible
            || value is any TextOutputStreamable
    }
}
