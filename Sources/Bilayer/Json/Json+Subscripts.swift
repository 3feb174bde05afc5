extension Json {
    /// The value of a member; `nil` if the value has no such member or is not an object.
    ///
    /// Setting a value replaces the member's value or appends a member. Setting `nil` removes the member. A value that
    /// is not an object becomes an object when a member is set. To set a JSON `null`, assign ``null``.
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
            // The object is moved out of this value. So this value holds no second reference, which would force a copy.
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

    /// The element at an index counted from 0; `nil` if the index is out of range or the value is not an array.
    ///
    /// In a received array with arrays or objects in it, a look-up steps forward from the element of the last look-up.
    /// If the new index is lower, it steps from the first element. Each look-up does that on systems before macOS 15,
    /// iOS 18, tvOS 18, watchOS 11 and visionOS 2. To read such elements in another order than ascending, use
    /// ``array``.
    ///
    /// Setting a value replaces the element, and setting `nil` removes it. Setting a value at the index after the last
    /// element appends it. Any other index out of range is ignored. If this value is not an array, setting does
    /// nothing.
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

    /// Removes and returns the members, for changing them. This value is `null` until the caller stores the members
    /// back. So this value holds no second reference to the members, which would force a copy.
    mutating func takeMembers() -> JsonObject {
        defer { storage = .null }
        return storedMembers
    }

    /// The members of an object, one for each key. If a key is repeated, only the member that look-up finds is
    /// included. Empty if the value is not an object.
    var storedMembers: JsonObject {
        switch resolved {
        case .object(let object): object
        case .view(let document, _): JsonObject(members, lastWins: document.repeatedKeys == .lastWins)
        default: JsonObject()
        }
    }

    /// Removes and returns the elements, for changing them. This value is `null` until the caller stores them back.
    mutating func takeElements() -> JsonArray {
        defer { storage = .null }
        if case .array(let array) = storage { return array }
        return JsonArray(Array(elements))
    }
}

extension JsonDocument {
    /// Returns the position of a member's value; nil if there is no such member or the value is not an object. If a key
    /// is repeated, ``repeatedKeys`` selects the member.
    func member(_ key: String, of position: Int) -> Int? {
        let next = nextMemberPosition(FieldKey(key), in: position, size: { $0.words.wordCount(at: $1) })
        let found = next ?? memberPosition(key, in: position)
        return found > 0 ? found : nil
    }

    /// Returns the position of a member's value if the object's hint (``MemberHint``) expects the member next. Nil
    /// means unknown, for example because another member is next or the key is not short. The result is always nil if
    /// the last of equal keys counts.
    /// - Parameters:
    ///   - key: The key.
    ///   - object: The position of a value.
    ///   - size: Returns the number of words of the member's value, or nil if the value is not to be found.
    /// - Returns: The position of the member's value.
    @inline(__always)
    func nextMemberPosition(_ key: FieldKey, in object: Int, size: (JsonNodes, Int) -> Int?) -> Int? {
        key.shape == 0 ? nil : nodes.nextMember(key, upTo: lastComparedOffset, of: object, size: size)
    }

    /// Does the same for a key that is not short. The result is nil for a short key, unless this system has no
    /// ``SmallString``.
    @inline(__always)
    private func nextMemberPosition(longKey key: String, in object: Int) -> Int? {
        guard repeatedKeys != .lastWins else { return nil }
        return key.withJsonBytes { key in
            if SmallString.isUsable, key.count <= SmallString.greatestCount { return nil }
            let key = KeyPattern(key)
            return nodes.nextMember(
                filterBit: key.filterBit,
                of: object,
                where: { key.isPlainKey(in: $0, at: $1) },
                size: { $0.words.wordCount(at: $1) }
            )
        }
    }

    /// Returns the position of a member's value. Returns 0, the position of the root, if there is no such member or the
    /// value is not an object. If a key is repeated, ``repeatedKeys`` selects the member.
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

    /// Returns the position of an element; nil if the index is out of range or the value is not an array.
    func element(_ index: Int, of position: Int) -> Int? {
        withNodes { nodes in
            guard nodes.tag(at: position) == .array, index >= 0, index < nodes.words.memberCount(at: position) else {
                return nil
            }
            return nodes.element(index, of: position)
        }
    }
}
