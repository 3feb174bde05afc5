import Foundation

// One text, read under the policies standard, salvaging and collecting. Without an error, all three give equal values.
// Salvaging gives the value that the standard policy gives for the text without the values that salvaging leaves out.
// Each of these values is reported once, and the causes of the report are inside of the value. Collecting finds exactly
// the errors that a check by hand finds. The first byte of an input chooses the type, and what happens to unknown keys.

/// Checks one input.
@_cdecl("tolerateTarget")
public func tolerateTarget(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    guard count >= 1 else { return 0 }
    let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
    guard let json = try? Json(parsing: bytes[1...], options: uniqueKeys) else { return 0 }
    let trial = Trial(json: json, unknownKeys: bytes[0] & 1 == 0 ? .ignore : .report)
    switch bytes[0] >> 1 & 3 {
    case 0: trial.run(Listing.self, faults: Faults.page)
    case 1: trial.run([Listing].self, faults: Faults.list(Faults.page))
    case 2: trial.run([String: Listing.Item].self, faults: Faults.dictionary(Faults.item))
    default: trial.run(Listing.Item?.self, faults: Faults.optional(Faults.item))
    }
    return 0
}

/// Texts with equal keys are refused. Only one of equal keys counts, so a path could name another value than the one
/// that was read.
private let uniqueKeys: Json.ParsingOptions = {
    var options = Json.ParsingOptions()
    options.duplicateKeys = .reject
    return options
}()

private struct Listing: Codable, RawMappable, Equatable {
    struct Item: Codable, RawMappable, Equatable {
        var name: String
        var value: Double?
        var id: UInt8?
        var items: [Item]?
    }
    var id: Int?
    var name: String?
    var value: Item?
    var items: [Item]
    var a: [String: [Int]]?
    var _0: Set<Int>?
    var rows: [[Bool]]?
    @Lossy var x: [Item]?
}

private struct Trial {
    let json: Json
    let unknownKeys: MappingPolicy.UnknownKeys

    func run<Value: RawDecodable & Equatable>(_ type: Value.Type, faults: Faults.Check) where Value.Raw == Json {
        _ = Faults.areShapesLearned
        let standard = read(type, .standard)
        let salvaged = read(type, .salvaging)
        let collected = read(type, .collectingAll(limit: 1000))
        guard let value = standard.value else {
            let found = collected.errors.map(\.path.exactDescription).sorted()
            check(found == faults(json, .root).sorted(), "collecting finds \(collected.errors) in \(json)")
            checkSalvaged(salvaged, type)
            return
        }
        check(salvaged.value == value && collected.value == value, "another value by another policy: \(json)")
        let expected = standard.issues.map(\.description)
        check(salvaged.issues.map(\.description) == expected, "salvaging reports \(salvaged.issues) in \(json)")
        check(collected.issues.map(\.description) == expected, "collecting reports \(collected.issues) in \(json)")
    }

    private func checkSalvaged<Value: RawDecodable & Equatable>(_ salvaged: Reading<Value>, _ type: Value.Type)
    where Value.Raw == Json {
        guard let value = salvaged.value else {
            return check(!salvaged.errors.isEmpty, "salvaging fails without an error: \(json)")
        }
        let dropped = salvaged.issues.filter { $0.kind == .dropped }
        check(!dropped.isEmpty, "salvaging leaves out nothing of \(json)")
        check(Set(dropped.map(\.path)).count == dropped.count, "salvaging reports twice: \(dropped)")
        var repaired = json
        for issue in dropped.reversed() {
            let path = issue.path.components
            check(json.value(at: issue.path) != nil, "there is nothing at \(issue) in \(json)")
            check(!issue.causes.isEmpty, "no cause of \(issue)")
            check(issue.causes.allSatisfy { $0.path.components.starts(with: path) }, "a cause elsewhere: \(issue)")
            if case .key? = path.last {
                repaired.set(.null, at: issue.path)
            } else {
                repaired.remove(at: issue.path)
            }
        }
        let expected = try? Value.from(raw: repaired)
        check(
            expected == value,
            "\(valueText(value)), by the standard policy \(valueText(expected)): \(json), \(dropped)"
        )
    }

    private func read<Value: RawDecodable>(_ type: Value.Type, _ policy: MappingPolicy) -> Reading<Value>
    where Value.Raw == Json {
        var policy = policy
        policy.unknownKeys = unknownKeys
        policy.issueLimit = 100_000
        let reporter = CollectingReporter()
        let value = try? reporter.mapping(policy: policy) { try Value.from(raw: json) }
        return Reading(value: value, issues: reporter.issues)
    }
}

private struct Reading<Value> {
    let value: Value?
    let issues: [MappingIssue]
    var errors: [MappingIssue] { issues.filter { $0.severity == .error } }
}

/// Finds the faults of a text by reading value by value by hand.
private enum Faults {
    typealias Check = (Json, JsonPath) -> [String]

    /// Reads a value of each type first, so that collecting has the shapes of all fields.
    static let areShapesLearned: Bool = {
        let item = #"{"name":"a","value":1,"id":1,"items":[]}"#
        let page = #"{"id":1,"name":"a","value":\#(item),"items":[\#(item)],"a":{},"_0":[],"rows":[],"x":[]}"#
        let json = try? Json(parsing: page)
        let value = try? CollectingReporter().mapping(policy: .collectingAll()) { try Listing.from(raw: json ?? .null) }
        check(value != nil, "the sample is good")
        return true
    }()

    static func page(_ json: Json, _ path: JsonPath) -> [String] {
        object(json, path) { member in
            member("id", optional(scalar(Int.self))) + member("name", optional(scalar(String.self)))
                + member("value", optional(item)) + member("items", list(item))
                + member("a", optional(dictionary(list(scalar(Int.self)))))
                + member("_0", optional(list(scalar(Int.self))))
                + member("rows", optional(list(list(scalar(Bool.self)))))
                + member("x", optional(lossy(item)))
        }
    }

    static func item(_ json: Json, _ path: JsonPath) -> [String] {
        object(json, path) { member in
            member("name", scalar(String.self)) + member("value", optional(scalar(Double.self)))
                + member("id", optional(scalar(UInt8.self))) + member("items", optional(list(item)))
        }
    }

    private static func object(
        _ json: Json,
        _ path: JsonPath,
        _ members: ((String, Check) -> [String]) -> [String]
    ) -> [String] {
        guard json.kind == .object else { return [path.exactDescription] }
        return members { key, check in check(json[key] ?? missing, path.appending(.key(key))) }
    }

    /// Is checked in place of a missing value: `null` is valid for an optional, and for no other type.
    private static let missing = Json.null

    private static func scalar<Value: RawDecodable>(_ type: Value.Type) -> Check where Value.Raw == Json {
        { json, path in (try? type.from(raw: json)) == nil ? [path.exactDescription] : [] }
    }

    static func optional(_ check: @escaping Check) -> Check { { $0.isNull ? [] : check($0, $1) } }

    static func list(_ check: @escaping Check) -> Check {
        { json, path in
            guard json.kind == .array else { return [path.exactDescription] }
            return json.elements.enumerated().flatMap { check($1, path.appending(.index($0))) }
        }
    }

    static func dictionary(_ check: @escaping Check) -> Check {
        { json, path in
            guard json.kind == .object else { return [path.exactDescription] }
            return json.members.flatMap { check($0.value, path.appending(.entry($0.key))) }
        }
    }

    private static func lossy(_ check: @escaping Check) -> Check {
        { json, path in
            guard json.kind == .array else { return [path.exactDescription] }
            let isLost = !json.elements.isEmpty && json.elements.allSatisfy { !check($0, path).isEmpty }
            return isLost ? [path.exactDescription] : []
        }
    }
}
