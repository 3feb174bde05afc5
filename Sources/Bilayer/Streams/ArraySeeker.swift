import Foundation

/// Finds the array at a path while its document arrives.
struct ArraySeeker: Sendable {
    let path: JsonPath
    private let maximumBytes: Int
    /// The number of open containers that are on the way to the array.
    private var found = 0
    /// Whether the path leads through the next value in the innermost of these containers.
    private var isNext = true
    /// In an array on the way: the index of the current element.
    private var index = 0
    /// In an object on the way: the bytes of the current key with its quotes; `nil` before the key and after its colon.
    private var key: Data?
    /// Whether the next string is a key.
    private var expectsKey = false

    init(_ path: JsonPath, maximumBytes: Int) {
        self.path = path
        self.maximumBytes = maximumBytes
    }

    /// The number of open brackets directly inside of the array: those on the way to it, and its own.
    var arrayDepth: Int { path.components.count + 1 }

    /// Takes the next byte of the document.
    /// - Returns: Whether the byte opens the array.
    /// - Throws: ``StreamFormatError`` if there is no array at the path, or if a key on the way is too long.
    mutating func finds(_ byte: UInt8, _ role: BracketStack.Role, _ brackets: BracketStack) throws -> Bool {
        switch role {
        case .opening: return try open(byte, brackets)
        case .closing:
            if brackets.depth < found { throw StreamFormatError("found no value at \(path), expected an array") }
        case .string: try takeString(byte, brackets)
        case .other: try takeOther(byte, brackets)
        }
        return false
    }

    /// Takes an opening bracket. If the value is on the way, its members or elements are searched next.
    /// - Returns: Whether the bracket opens the array.
    private mutating func open(_ byte: UInt8, _ brackets: BracketStack) throws -> Bool {
        guard brackets.depth == found + 1, isNext else { return false }
        let isArray = byte == UInt8(ascii: "[")
        guard found < path.components.count else {
            if isArray { return true }
            throw StreamFormatError("found an object, expected an array at \(path)")
        }
        let expectsArray = if case .index = path.components[found] { true } else { false }
        guard isArray == expectsArray else {
            throw StreamFormatError(
                "found \(isArray ? "an array" : "an object"), expected another value on the way to \(path)"
            )
        }
        found += 1
        index = 0
        expectsKey = !isArray
        isNext = isArray && isOnWay(index: 0)
        return false
    }

    /// Takes a byte of a string, which matters only for a key or a value on the way.
    private mutating func takeString(_ byte: UInt8, _ brackets: BracketStack) throws {
        guard brackets.depth == found else { return }
        if !expectsKey {
            if isNext { throw scalar("a string") }
            return
        }
        if key == nil {
            key = Data()
        } else {
            guard key.map({ $0.count < maximumBytes }) ?? true else {
                throw StreamFormatError("found a longer key, expected at most \(byteCountText(maximumBytes))")
            }
        }
        key?.append(byte)
    }

    /// Takes a colon, a comma, or a byte of a scalar that is no string.
    private mutating func takeOther(_ byte: UInt8, _ brackets: BracketStack) throws {
        guard brackets.depth == found, !isSpace(byte) else { return }
        switch byte {
        case UInt8(ascii: ":"):
            isNext = isOnWay(key: key)
            (key, expectsKey) = (nil, false)
        case UInt8(ascii: ","):
            index += 1
            expectsKey = brackets.isObject.last ?? false
            isNext = !expectsKey && isOnWay(index: index)
        default:
            if isNext { throw scalar("a number or a word") }
        }
    }

    /// Whether the path leads through the member with this key, given with its quotes.
    private func isOnWay(key: Data?) -> Bool {
        guard found > 0, case .key(let name) = path.components[found - 1], let key else { return false }
        return (try? Json(parsing: key).string) == name
    }

    /// Whether the path leads through the element with this index.
    private func isOnWay(index: Int) -> Bool {
        guard found > 0, case .index(let wanted) = path.components[found - 1] else { return false }
        return wanted == index
    }

    /// Makes the error of a scalar in the place of the array, or of a container on the way to it.
    private func scalar(_ found: String) -> StreamFormatError {
        let expected = self.found < path.components.count ? "another value on the way to" : "an array at"
        return StreamFormatError("found \(found), expected \(expected) \(path)")
    }
}
