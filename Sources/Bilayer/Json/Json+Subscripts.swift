extension Json {
    /// The value of a member; nil if the value has no such member or is no object.
    ///
    /// Setting a value replaces the member's value or appends a member. Setting nil removes the member. A value that is
    /// no object becomes one when a member is set. To set a `null`, use ``null``.
    public subscript(key: String) -> Json? {
        get {
            switch resolved {
            case .view(let document, let position): document.member(key, of: position).map { Json(.view(document, $0)) }
            case .object(let object): object[key]
            default: nil
            }
        }
        set {
            if newValue == nil && kind != .object { return }
            var object = takeMembers()
            object[key] = newValue
            storage = .object(object)
        }
        _modify {
            // Moved out, so that the object has no second reference and changing the value makes no copy.
            var object = self[key] == nil ? nil : Optional(takeMembers())
            var value = object?.takeValue(of: key)
            defer {
                if var object = object.take() {
                    object[key] = value
                    storage = .object(object)
                } else if value != nil {
                    self[key] = value
                }
            }
            yield &value
        }
    }

    /// The element at an index counted from 0; nil if there is none or the value is no array.
    ///
    /// A look-up in a received array steps from the last element read, or from the first one if the index is lower. To
    /// visit elements in another order than upwards, make an ``array`` first.
    ///
    /// Setting a value replaces the element, and setting nil removes it. An index out of range is ignored, but the
    /// index after the last element appends.
    public subscript(index: Int) -> Json? {
        get {
            switch resolved {
            case .view(let document, let position):
                document.element(index, of: position).map { Json(.view(document, $0)) }
            case .array(let array) where array.elements.indices.contains(index): array.elements[index]
            default: nil
            }
        }
        set {
            guard kind == .array, index >= 0, index < count || (index == count && newValue != nil) else { return }
            var array = takeElements()
            if let newValue { array.set(ContainedJson(newValue), at: index) } else { array.remove(at: index) }
            storage = .array(array)
        }
        _modify {
            var array = kind == .array && index >= 0 && index < count ? Optional(takeElements()) : nil
            var value = array?.take(at: index)
            defer {
                if var array = array.take() {
                    if let value { array.set(ContainedJson(value), at: index) } else { array.remove(at: index) }
                    storage = .array(array)
                } else if value != nil {
                    self[index] = value
                }
            }
            yield &value
        }
    }

    /// The members as a list to change. This value is empty meanwhile, so that the list is not copied.
    mutating func takeMembers() -> JsonObject {
        defer { storage = .null }
        return storedMembers
    }

    /// The members as a list: of two with equal keys the one that counts. Empty if the value is no object.
    var storedMembers: JsonObject {
        switch resolved {
        case .object(let object): object
        case .view(let document, _): JsonObject(members, lastWins: document.repeatedKeys == .lastWins)
        default: JsonObject()
        }
    }

    /// The elements as a list to change, likewise.
    mutating func takeElements() -> JsonArray {
        defer { storage = .null }
        if case .array(let array) = storage { return array }
        return JsonArray(Array(elements))
    }
}

extension JsonDocument {
    /// The position of a member's value, of two with equal keys the one that counts. Nil if there is none or the value
    /// is no object.
    func member(_ key: String, of position: Int) -> Int? {
        let found = memberPosition(key, in: position)
        return found > 0 ? found : nil
    }

    /// The position of the value of the member at the hint, if it has this key, a short one. Nil means unknown.
    @inline(__always)
    func nextMemberPosition(_ key: FieldKey, in object: Int) -> Int? {
        guard let small = SmallString(ascii: key.text), repeatedKeys != .lastWins else { return nil }
        return nodes.nextMember(small, filterBit: key.filterBit, of: object)
    }

    /// The position of the next member, for a longer key.
    @inline(__always)
    private func nextMemberPosition(longKey key: String, in object: Int) -> Int? {
        guard repeatedKeys != .lastWins else { return nil }
        return key.withJsonBytes { key in
            if key.count <= SmallString.greatestCount { return nil }
            let key = KeyPattern(key)
            return nodes.nextMember(key, filterBit: key.filterBit, of: object)
        }
    }

    /// The position of a member's value, of two with equal keys the one that counts. 0, which is the root, if there is
    /// none or the value is no object.
    @inline(__always)
    func memberPosition(_ key: String, in object: Int) -> Int {
        nextMemberPosition(longKey: key, in: object) ?? searchedMemberPosition(key, in: object)
    }

    @inline(never)
    private func searchedMemberPosition(_ key: String, in object: Int) -> Int {
        guard nodes.tag(at: object) == .object else { return 0 }
        if nodes.words.memberCount(at: object) >= MemberTables.smallestObject {
            return memberOfLargeObject(key, of: object)
        }
        return memberBySearch(key, of: object)
    }

    /// The position of an element.
    func element(_ index: Int, of position: Int) -> Int? {
        withNodes { nodes in
            guard nodes.tag(at: position) == .array, index >= 0, index < nodes.words.memberCount(at: position) else {
                return nil
            }
            return nodes.element(index, of: position)
        }
    }
}
