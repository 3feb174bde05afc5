import Foundation

@testable import Bilayer

// The types on which Bilayer's and Foundation's coders are compared. Each uses its coder in another way.

struct Plain: Codable, Equatable {
    var text: String
    var number: Int
    var ratio: Double
    var flag: Bool
    var small: Float?
    var list: [Int]
    var table: [String: Double]
    var child: Child?

    struct Child: Codable, Equatable {
        var name: String
        var tags: [String?]
    }
}

struct Integers: Codable, Equatable {
    var int8: Int8?
    var int16: Int16?
    var int32: Int32?
    var int64: Int64?
    var uint: UInt?
    var uint8: UInt8?
    var uint16: UInt16?
    var uint32: UInt32?
    var uint64: UInt64?
}

/// An entry whose values are at other places than its properties.
struct Routed: Codable, Equatable, RawMappable {
    struct Part: Codable, Equatable {
        var id: Int
        var name: String?

        enum CodingKeys: String, PathCodingKey {
            case id, name
            static let paths: [CodingKeys: [String]] = [.name: ["value.name", "name"]]
        }
    }

    var id: Int
    var name: String?
    var ratio: Double?
    var flag: Bool?
    var rows: [Int]?
    var part: Part?
    var first: Json?
    var level: Int??

    enum CodingKeys: String, PathCodingKey {
        case id, name, ratio, flag, rows, part, first, level
        static let paths: [CodingKeys: [String]] = [
            .id: ["value.id", "id"], .name: ["items.name", "name"], .ratio: ["value.items.ratio"],
            .rows: ["items.rows", "value.rows"], .part: ["value.items"], .first: ["rows[0]", "items.value"],
        ]
    }
}

enum Shape: Codable, Equatable {
    case circle(radius: Double)
    case rectangle(Double, Double)
    case named(String, tags: [String])
    case empty
}

enum Level: Int, Codable {
    case low = 1
    case high = 10
}

enum Name: String, Codable, CodingKeyRepresentable { case first, second }

indirect enum Tree: Codable, Equatable {
    case leaf(Int)
    case node(left: Tree, right: Tree)
}

class Animal: Codable, Equatable {
    var legs: Int

    init(legs: Int) { self.legs = legs }

    static func == (left: Animal, right: Animal) -> Bool { left.isEqual(to: right) }

    func isEqual(to other: Animal) -> Bool { legs == other.legs }
}

/// Keeps its superclass's value under the key `super`.
final class Dog: Animal {
    var name: String

    private enum CodingKeys: String, CodingKey { case name }

    init(legs: Int, name: String) {
        self.name = name
        super.init(legs: legs)
    }

    required init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        name = try container.decode(String.self, forKey: .name)
        try super.init(from: container.superDecoder())
    }

    override func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(name, forKey: .name)
        try super.encode(to: container.superEncoder())
    }

    override func isEqual(to other: Animal) -> Bool {
        super.isEqual(to: other) && name == (other as? Dog)?.name
    }
}

/// Shares one object with its superclass.
final class Cat: Animal {
    var lives: Int

    private enum CodingKeys: String, CodingKey { case lives }

    init(legs: Int, lives: Int) {
        self.lives = lives
        super.init(legs: legs)
    }

    required init(from decoder: any Decoder) throws {
        lives = try decoder.container(keyedBy: CodingKeys.self).decode(Int.self, forKey: .lives)
        try super.init(from: decoder)
    }

    override func encode(to encoder: any Encoder) throws {
        try super.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(lives, forKey: .lives)
    }

    override func isEqual(to other: Animal) -> Bool {
        super.isEqual(to: other) && lives == (other as? Cat)?.lives
    }
}

/// Spreads its values over nested containers.
struct Nested: Codable, Equatable {
    var x: Int
    var y: Int
    var names: [String]
    var deep: Bool

    private enum CodingKeys: String, CodingKey { case position, names }
    private enum PositionKeys: String, CodingKey { case x, y }

    init(x: Int, y: Int, names: [String], deep: Bool) {
        (self.x, self.y, self.names, self.deep) = (x, y, names, deep)
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let position = try container.nestedContainer(keyedBy: PositionKeys.self, forKey: .position)
        x = try position.decode(Int.self, forKey: .x)
        y = try position.decode(Int.self, forKey: .y)
        var list = try container.nestedUnkeyedContainer(forKey: .names)
        var inner = try list.nestedUnkeyedContainer()
        names = []
        while !inner.isAtEnd { names.append(try inner.decode(String.self)) }
        let last = try list.nestedContainer(keyedBy: PositionKeys.self)
        deep = try last.decode(Bool.self, forKey: .x)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        var position = container.nestedContainer(keyedBy: PositionKeys.self, forKey: .position)
        try position.encode(x, forKey: .x)
        try position.encode(y, forKey: .y)
        var list = container.nestedUnkeyedContainer(forKey: .names)
        var inner = list.nestedUnkeyedContainer()
        for name in names { try inner.encode(name) }
        var last = list.nestedContainer(keyedBy: PositionKeys.self)
        try last.encode(deep, forKey: .x)
    }
}

/// Reads all members, by names that are only known at run time.
struct Dynamic: Decodable, Equatable {
    var members: [String: Int]
    var isNull: Set<String>
    var missing: Bool

    struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { Int(stringValue) }

        init(stringValue: String) { self.stringValue = stringValue }
        init(intValue: Int) { stringValue = "\(intValue)" }
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        members = [:]
        isNull = []
        for key in container.allKeys {
            if try container.decodeNil(forKey: key) {
                isNull.insert(key.stringValue)
            } else {
                members[key.stringValue] = try container.decode(Int.self, forKey: key)
            }
        }
        missing = container.contains(Key(stringValue: "surely not there"))
    }
}

/// Walks an array by hand, and keeps the steps that it made.
struct Walk: Decodable, Equatable {
    var steps: [String] = []

    init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        steps.append("count \(container.count ?? -1)")
        while !container.isAtEnd {
            steps.append("at \(container.currentIndex)")
            if try container.decodeNil() {
                steps.append("null")
            } else if let number = try? container.decode(Int.self) {
                steps.append("int \(number)")
            } else if let text = try? container.decode(String.self) {
                steps.append("string \(text)")
            } else if let list = try? container.decode([Bool].self) {
                steps.append("list \(list)")
            } else {
                _ = try container.superDecoder()
                steps.append("other")
            }
        }
        do {
            _ = try container.decode(Int.self)
        } catch DecodingError.valueNotFound(_, let context) {
            steps.append("end at \(context.codingPath.map(\.stringValue))")
        }
    }
}

/// Tries one type after another on a single value.
enum NumberOrText: Codable, Equatable {
    case nothing
    case number(Double)
    case text(String)
    case list([NumberOrText])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .nothing
        } else if let number = try? container.decode(Double.self) {
            self = .number(number)
        } else if let text = try? container.decode(String.self) {
            self = .text(text)
        } else {
            self = .list(try container.decode([NumberOrText].self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .nothing: try container.encodeNil()
        case .number(let number): try container.encode(number)
        case .text(let text): try container.encode(text)
        case .list(let list): try container.encode(list)
        }
    }
}

/// Records the coding paths of its decoder and containers.
struct Witness: Decodable, Equatable {
    var paths: [String] = []

    private enum CodingKeys: String, CodingKey { case inner, list, more }

    init(from decoder: any Decoder) throws {
        note(decoder.codingPath)
        guard let container = try? decoder.container(keyedBy: CodingKeys.self) else { return }
        note(container.codingPath)
        if let inner = try container.decodeIfPresent(Witness.self, forKey: .inner) { paths += inner.paths }
        if let list = try container.decodeIfPresent([Witness].self, forKey: .list) { paths += list.flatMap(\.paths) }
        if let more = try container.decodeIfPresent([String: Witness].self, forKey: .more) {
            paths += more.sorted { $0.key < $1.key }.flatMap(\.value.paths)
        }
        if container.contains(.inner) {
            let nested = try container.nestedContainer(keyedBy: CodingKeys.self, forKey: .inner)
            note(nested.codingPath)
            note(try container.superDecoder(forKey: .inner).codingPath)
            if nested.contains(.list) {
                var list = try nested.nestedUnkeyedContainer(forKey: .list)
                note(list.codingPath)
                if !list.isAtEnd { note(try list.superDecoder().codingPath) }
            }
        }
        note(container.codingPath)
        note(decoder.codingPath)
    }

    private mutating func note(_ path: [any CodingKey]) {
        paths.append(path.map { key in key.intValue.map { "[\($0)]" } ?? key.stringValue }.joined(separator: "."))
    }
}
