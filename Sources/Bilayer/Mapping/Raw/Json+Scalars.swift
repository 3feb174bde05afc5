// Fields and elements of the most common types. Each function is one call from the app's code, without reference
// counting. If the member is the one that the object's hint (`MemberHint`) expects next, the call compares one key and
// reads the value in registers. All other cases take one more call, which also makes the errors.
extension Json {
    @usableFromInline
    func string(of key: FieldKey) throws -> String {
        if let value = readNextScalar(key, where: { $0.isString }, { $0.string(at: $1) }) { return value }
        return try anyString(of: key.text)
    }

    @inline(never)
    private func anyString(of key: String) throws -> String { try field(key) { $0.stringValue(at: $1) } }

    @usableFromInline
    func int(of key: FieldKey) throws -> Int {
        if let value: Int = readNextScalar(key, where: { $0 == .integer }, { $0.integer(at: $1) }) { return value }
        return try anyInt(of: key.text)
    }

    @inline(never)
    private func anyInt(of key: String) throws -> Int { try field(key) { $0.integer(at: $1) } }

    @usableFromInline
    func double(of key: FieldKey) throws -> Double {
        if let value = readNextScalar(key, where: { $0.isNumber }, { $0.double(at: $1) }) { return value }
        return try anyDouble(of: key.text)
    }

    @inline(never)
    private func anyDouble(of key: String) throws -> Double { try field(key) { $0.double(at: $1) } }

    @usableFromInline
    func bool(of key: FieldKey) throws -> Bool {
        if let value = readNextScalar(key, where: { $0 == .true || $0 == .false }, { $0.bool(at: $1) }) { return value }
        return try anyBool(of: key.text)
    }

    @inline(never)
    private func anyBool(of key: String) throws -> Bool { try field(key) { $0.bool(at: $1) } }

    @usableFromInline
    func stringIfPresent(of key: FieldKey) throws -> String? {
        if let value = readNextMemberOrNull(key, { $0.stringValue(at: $1) }) { return value }
        return try anyStringIfPresent(of: key.text)
    }

    @inline(never)
    private func anyStringIfPresent(of key: String) throws -> String? {
        try fieldIfPresent(key) { $0.stringValue(at: $1) }
    }

    @usableFromInline
    func intIfPresent(of key: FieldKey) throws -> Int? {
        if let value: Int? = readNextMemberOrNull(key, { $0.integer(at: $1) }) { return value }
        return try anyIntIfPresent(of: key.text)
    }

    @inline(never)
    private func anyIntIfPresent(of key: String) throws -> Int? { try fieldIfPresent(key) { $0.integer(at: $1) } }

    @usableFromInline
    func doubleIfPresent(of key: FieldKey) throws -> Double? {
        if let value = readNextMemberOrNull(key, { $0.double(at: $1) }) { return value }
        return try anyDoubleIfPresent(of: key.text)
    }

    @inline(never)
    private func anyDoubleIfPresent(of key: String) throws -> Double? { try fieldIfPresent(key) { $0.double(at: $1) } }

    @usableFromInline
    func boolIfPresent(of key: FieldKey) throws -> Bool? {
        if let value = readNextMemberOrNull(key, { $0.bool(at: $1) }) { return value }
        return try anyBoolIfPresent(of: key.text)
    }

    @inline(never)
    private func anyBoolIfPresent(of key: String) throws -> Bool? { try fieldIfPresent(key) { $0.bool(at: $1) } }

    /// The elements of an array of strings; `nil` if an element is no string, or if this value is no array in a parsed
    /// text.
    @usableFromInline var strings: [String]? { readView { $0.scalars(at: $1) { $0.stringValue(at: $1) } } }

    @usableFromInline var ints: [Int]? { readView { $0.scalars(at: $1) { $0.integer(at: $1) } } }

    @usableFromInline var doubles: [Double]? { readView { $0.doubles(at: $1) } }

    /// The elements of an array of arrays of numbers, for example coordinates; `nil` for any other value, and for a
    /// value that is not in a parsed text.
    @usableFromInline var doubleLists: [[Double]]? { readView { $0.doubleLists(at: $1) } }
}

extension Json {
    @inline(__always)
    private func readNextMemberOrNull<Value>(_ key: FieldKey, _ read: (JsonNodes, Int) -> Value?) -> Value?? {
        readNextScalar(key, where: { !$0.isContainer }, { $0.orNull(at: $1, read) })
    }

    @inline(__always)
    private func field<Value: RawDecodable>(_ key: String, _ read: (JsonNodes, Int) -> Value?) throws -> Value
    where Value.Raw == Json {
        if let value = readMember(key, read) { return value }
        return try decodeSlowPath(key)
    }

    @inline(__always)
    private func fieldIfPresent<Value: RawDecodable>(_ key: String, _ read: (JsonNodes, Int) -> Value?) throws -> Value?
    where Value.Raw == Json {
        let found: Value?? = readMemberIfPresent(key) { $1 == 0 ? .some(nil) : $0.orNull(at: $1, read) }
        if let found { return found }
        return try decodeIfPresentSlowPath(key)
    }

    /// Returns the position of a member's value in a parsed object. Returns `nil` if there is no such member, if this
    /// value is no parsed object, or if the stack is nearly full.
    @usableFromInline
    func memberPosition(_ key: FieldKey) -> Int? {
        if isStackLow { return nil }
        return readNextMember(key) { $1 } ?? anyMemberPosition(key.text)
    }

    /// Whether the thread's stack has no room to read a value inside this value. False if this value is no part of a
    /// parsed text: the slow path checks the stack then.
    @inline(__always)
    var isStackLow: Bool {
        guard case .view(let document, _) = storage else { return false }
        return document.isStackLow
    }

    @inline(never)
    private func anyMemberPosition(_ key: String) -> Int? { readMember(key) { $1 } }

    /// Returns the position of a member's value in a parsed object. Returns 0, the position of the root, if the member
    /// is missing or `null`. Returns `nil` if this value is no parsed object, or if the stack is nearly full.
    @usableFromInline
    func memberPositionIfPresent(_ key: FieldKey) -> Int? {
        if isStackLow { return nil }
        return readNextMember(key) { $0.tag(at: $1) == .null ? 0 : $1 } ?? anyMemberPositionIfPresent(key.text)
    }

    @inline(never)
    private func anyMemberPositionIfPresent(_ key: String) -> Int? {
        readMemberIfPresent(key) { $1 == 0 || $0.tag(at: $1) == .null ? 0 : $1 }
    }
}
