extension Json {
    /// The document and the position of a view, with the document unretained; nil if the value is not a view.
    ///
    /// **Bound.** The reference is valid as long as this value is. Reading through it changes no reference count. A
    /// copy of the stored reference would be retained and released for each field.
    @inline(__always)
    private var unretainedView: (document: Unmanaged<JsonDocument>, position: Int)? {
        guard case .view(let document, let position) = storage else { return nil }
        return unsafe (.passUnretained(document), position)
    }

    /// Reads a member if it is the one that the object's hint (``MemberHint``) expects next; does not search. Returns
    /// nil if ``JsonDocument/nextMemberPosition(_:in:size:)`` returns nil, if this value is not a parsed object, or if
    /// `read` returns nil.
    @inline(__always)
    func readNextMember<Value>(
        _ key: FieldKey,
        size: (JsonNodes, Int) -> Int? = { $0.words.wordCount(at: $1) },
        _ read: (JsonNodes, Int) -> Value?
    ) -> Value? {
        guard let (document, object) = unsafe unretainedView else { return nil }
        defer { withExtendedLifetime(self) {} }
        return unsafe document._withUnsafeGuaranteedRef { document in
            document.nextMemberPosition(key, in: object, size: size).flatMap { read(document.nodes, $0) }
        }
    }

    /// Reads a member as ``readNextMember(_:size:_:)`` does. Also returns nil if its value has another type. `isRead`
    /// must be false for arrays and objects, because the value is passed over as one word.
    @inline(__always)
    func readNextScalar<Value>(
        _ key: FieldKey,
        where isRead: (IndexWord.Tag) -> Bool,
        _ read: (JsonNodes, Int) -> Value?
    ) -> Value? {
        assert(!isRead(.array) && !isRead(.object))
        return readNextMember(key, size: { isRead($0.tag(at: $1)) ? 1 : nil }, read)
    }

    /// Reads a member of a parsed object. Returns nil if there is no such member, if this value is not a parsed object,
    /// or if `read` returns nil.
    @inline(__always)
    func readMember<Value>(_ key: String, _ read: (JsonNodes, Int) -> Value?) -> Value? {
        guard let (document, object) = unsafe unretainedView else { return nil }
        defer { withExtendedLifetime(self) {} }
        return unsafe document._withUnsafeGuaranteedRef { document in
            let position = document.memberPosition(key, in: object)
            return position > 0 ? read(document.nodes, position) : nil
        }
    }

    /// Reads a member of a parsed object. If the member is missing, `read` receives position 0. Returns nil if this
    /// value is not a parsed object, or if `read` returns nil.
    @inline(__always)
    func readMemberIfPresent<Value>(_ key: String, _ read: (JsonNodes, Int) -> Value?) -> Value? {
        guard let (document, object) = unsafe unretainedView else { return nil }
        defer { withExtendedLifetime(self) {} }
        return unsafe document._withUnsafeGuaranteedRef { document in
            guard document.nodes.tag(at: object) == .object else { return nil }
            return read(document.nodes, document.memberPosition(key, in: object))
        }
    }

    /// Reads a parsed value. Returns nil if this value is not a view, or if `read` returns nil.
    @inline(__always)
    func readView<Value>(_ read: (JsonNodes, Int) -> Value?) -> Value? {
        guard let (document, position) = unsafe unretainedView else { return nil }
        return withExtendedLifetime(self) { unsafe document._withUnsafeGuaranteedRef { read($0.nodes, position) } }
    }
}

extension WrittenJson {
    /// The text as a parsed value.
    var json: Json { Json(document: document) }
}
