import Foundation

// Bytes → Json → bytes → Json, with the parser compared to `ReferenceReader` on the way. The function is called by
// libFuzzer with one input after another. A check that fails ends the process, and libFuzzer keeps the input.

/// Checks one input.
@_cdecl("parseTarget")
public func parseTarget(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
    var options = Json.ParsingOptions()
    // For some lengths the limit of depth is low, so that short inputs reach it. An input always has the same limit.
    if bytes.count % 8 == 7 { options.maximumDepth = 3 }

    let expected = ReferenceReader.read(bytes, maximumDepth: options.maximumDepth)
    let whole = Result { () throws(JsonSyntaxError) in try Json(parsing: bytes, options: options) }
    checkData(bytes, options, whole: whole)
    switch whole {
    case .success(let json):
        guard let expected else { fail("accepted what RFC 8259 refuses") }
        checkValue(json, expected)
        checkTexts(of: json)
        checkEdits(of: json)
    case .failure(let error):
        check(expected == nil, "refused what RFC 8259 accepts: \(error)")
        check(
            error.byteOffset <= bytes.count && error.line > 0 && error.column > 0,
            "a place outside the text: \(error)"
        )
    }
    return 0
}

// MARK: - Ways in

/// The bytes as `Data` in its several forms must give the same result.
private func checkData(_ bytes: [UInt8], _ options: Json.ParsingOptions, whole: Result<Json, JsonSyntaxError>) {
    let slice = (Data([0x5B, 0x22]) + Data(bytes) + Data([0x22, 0x5D])).dropFirst(2).dropLast(2)
    for data in [Data(bytes), slice] {
        let result = Result { () throws(JsonSyntaxError) in try Json(parsing: data, options: options) }
        check(result == whole, "another result from Data")
    }
}

// MARK: - Values

/// Checks every value through its accessors.
private func checkValue(_ json: Json, _ expected: ReferenceJson) {
    switch expected {
    case .null:
        check(json.kind == .null && json.isNull && json.count == 0, "not null")
    case .bool(let value):
        check(json.kind == .bool && json.bool == value && json.int == nil, "not \(value)")
    case .number(let text):
        checkNumber(json, String(decoding: text, as: UTF8.self))
    case .string(let bytes):
        check(json.kind == .string && json.string.map { Array($0.utf8) } == bytes, "another string")
        check(json.double == nil && json.bool == nil && json.array == nil, "a string is something else too")
    case .array(let elements):
        check(
            json.kind == .array && json.count == elements.count && json.elements.count == elements.count,
            "another count"
        )
        for (index, (element, expected)) in zip(json.elements, elements).enumerated() {
            checkValue(element, expected)
            check(json[index] == element, "another element at \(index)")
        }
        check(json[elements.count] == nil && json[-1] == nil, "an element that is not there")
    case .object(let members):
        checkObject(json, members)
    }
}

private func checkObject(_ json: Json, _ members: [(key: [UInt8], value: ReferenceJson)]) {
    check(json.kind == .object && json.count == members.count, "another count")
    var seen = Set<[UInt8]>()
    for (member, expected) in zip(json.members, members) {
        check(Array(member.key.utf8) == expected.key, "another key")
        checkValue(member.value, expected.value)
        if seen.insert(expected.key).inserted {
            check(json[member.key] == member.value, "look-up finds another value")
        }
    }
}

private func checkNumber(_ json: Json, _ text: String) {
    check(json.kind == .number && json.numberText == text && json.string == nil && json.bool == nil, "another number")
    // The standard library rounds exactly.
    let nearest = Double(text)?.isFinite == true ? Double(text) : nil
    check(json.double?.bitPattern == nearest?.bitPattern, "\(text) is read as \(json.double as Any)")
    if let value = Int64(text) { check(json.int64 == value, "\(text) as Int64") }
    if let value = UInt64(text) { check(json.uint64 == value, "\(text) as UInt64") }
    if let value = json.int64 { check(json.double == Double(value), "\(text) is not the integer \(value)") }
    if let value = json.decimal, let double = json.double, double != 0 {
        let ratio = (value as NSDecimalNumber).doubleValue / double
        check(abs(ratio - 1) < 1e-12, "\(text) as Decimal is \(value)")
    }
}

// MARK: - Texts and edits

private func checkTexts(of json: Json) {
    var hasher = Hasher()
    json.hash(into: &hasher)
    let hash = hasher.finalize()
    let hasFewerMembers = hasDuplicateKeys(json)
    for format: Json.Format in [.compact, .sortedKeys, .pretty, [.pretty, .sortedKeys]] {
        let text = json.serialized(format)
        guard let again = try? Json(parsing: text) else { fail("an unreadable text: \(format)") }
        check(again == json, "another value after \(format)")
        check(again.hashValue == json.hashValue, "equal values with two hashes after \(format)")
        check(again.serialized(format) == text, "another text the second time: \(format)")
        if !hasFewerMembers {
            check(again.serialized(.sortedKeys) == json.serialized(.sortedKeys), "sorted otherwise after \(format)")
        }
    }
    var second = Hasher()
    json.hash(into: &second)
    check(second.finalize() == hash, "a hash that changes")
}

private func hasDuplicateKeys(_ json: Json) -> Bool {
    var seen = Set<[UInt8]>()
    for member in json.members where !seen.insert(Array(member.key.utf8)).inserted || hasDuplicateKeys(member.value) {
        return true
    }
    return json.elements.contains(where: hasDuplicateKeys)
}

/// Changes a copy at its first places; the original stays as it was.
private func checkEdits(of json: Json) {
    let before = json.serialized()
    var copy = json
    switch json.kind {
    case .object:
        for key in json.keys.prefix(3) {
            copy[key] = Json("changed")
            check(copy[key] == Json("changed"), "a member that cannot be set")
            copy[key] = nil
            check(copy[key] == nil, "a member that cannot be removed")
        }
        copy["new"] = json
        check(copy["new"] == json, "a member that cannot be added")
    case .array:
        let count = json.count
        copy[count] = json
        check(copy.count == count + 1 && copy[count] == json, "an element that cannot be added")
        copy[0] = .null
        check(copy[0] == .null, "an element that cannot be set")
        copy[0] = nil
        check(copy.count == count, "an element that cannot be removed")
    default: break
    }
    guard let written = try? Json(parsing: copy.serialized()) else { fail("an edited value with an unreadable text") }
    check(written == copy && written.hashValue == copy.hashValue, "an edited value is another after writing")
    var merged = json
    merged.merge(json)
    var empty: Json = [:]
    empty.merge(copy)
    check(json.serialized() == before, "the original was changed")
}
