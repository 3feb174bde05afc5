import Foundation
import Testing

@testable import Bilayer

/// Values nested as deep as the default limit allows, on threads whose stack may be too small for them. The result is a
/// value or an error, never the end of the process. How much a level takes is up to the type.
@Suite("Deep values on small stacks")
struct StackSpaceTests {
    private struct Node: Codable { var children: [Node] }

    private struct TreeEntry: Codable, RawMappable { var children: [TreeEntry] }

    private struct Folder: Codable {
        var size: Int?
        var name: String?
        var list: [Folder]?
        var folders: [String: Folder]?
    }

    private indirect enum Chain: Codable {
        case end
        case next(Chain)
    }

    private struct AnyValue: Decodable {
        init(from decoder: any Decoder) throws {
            if let container = try? decoder.container(keyedBy: PathKey.self) {
                for key in container.allKeys { _ = try container.decode(AnyValue.self, forKey: key) }
            } else if var container = try? decoder.unkeyedContainer() {
                while !container.isAtEnd { _ = try container.decode(AnyValue.self) }
            } else {
                _ = try decoder.singleValueContainer().decode(String.self)
            }
        }
    }

    /// A class that is its own superclass when it is read: each level reads the next one with a super decoder.
    private final class Super: Decodable {
        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: PathKey.self)
            if container.contains(.super) { _ = try Super(from: container.superDecoder()) }
        }
    }

    private final class SuperElement: Decodable {
        init(from decoder: any Decoder) throws {
            var container = try decoder.unkeyedContainer()
            if !container.isAtEnd { _ = try SuperElement(from: container.superDecoder()) }
        }
    }

    /// An array that leaves out what cannot be read.
    private struct Tree: Codable {
        @Lossy var children: [Tree]
    }

    enum Shape: CaseIterable {
        case arrays, dictionaries, cases, anything, superclasses, superelements, lossy

        /// A text with this many arrays and objects inside each other.
        func text(depth: Int) -> String {
            func nested(_ open: String, _ inside: String, _ close: String, _ depth: Int) -> String {
                String(repeating: open, count: depth) + inside + String(repeating: close, count: depth)
            }
            return switch self {
            case .arrays, .lossy: nested(#"{"children":["#, "", "]}", depth / 2)
            case .dictionaries: nested(#"{"folders":{"f":"#, #"{"size":1}"#, "}}", (depth - 1) / 2)
            case .cases: nested(#"{"next":{"_0":"#, #"{"end":{}}"#, "}}", depth / 2 - 1)
            case .anything, .superelements: nested("[", "", "]", depth)
            case .superclasses: nested(#"{"super":"#, "{}", "}", depth - 1)
            }
        }

        func decode(_ text: String, _ decoder: JsonDecoder) throws {
            let data = Data(text.utf8)
            switch self {
            case .arrays: _ = try decoder.decode(Node.self, from: data)
            case .lossy: _ = try decoder.decode(Tree.self, from: data)
            case .dictionaries: _ = try decoder.decode(Folder.self, from: data)
            case .cases: _ = try decoder.decode(Chain.self, from: data)
            case .anything: _ = try decoder.decode(AnyValue.self, from: data)
            case .superclasses: _ = try decoder.decode(Super.self, from: data)
            case .superelements: _ = try decoder.decode(SuperElement.self, from: data)
            }
        }
    }

    /// The number of keys in the path of the error; `nil` if there is a value. The error of a lossy array that lost too
    /// much counts as `.max`.
    private static func failure(_ shape: Shape, depth: Int, _ decoder: JsonDecoder) throws -> Int? {
        do {
            try shape.decode(shape.text(depth: depth), decoder)
            return nil
        } catch DecodingError.dataCorrupted(let context) {
            return context.codingPath.count
        } catch let error as MappingError where shape == .lossy && error.issues.map(\.kind) == [.tooManyDropped] {
            return .max
        }
    }

    @Test("at the default limit a value comes out, or an error with a path", arguments: Shape.allCases)
    func defaultLimit(_ shape: Shape) throws {
        let depth = Json.ParsingOptions().maximumDepth
        let failure = try onStack(ofBytes: SmallStackTrait.stackBytes) {
            try Self.failure(shape, depth: depth, JsonDecoder())
        }
        if let failure { #expect(failure > 20) }
        let large = try onStack(ofBytes: 64 << 20) { try Self.failure(shape, depth: depth, JsonDecoder()) }
        #expect(large == nil)
    }

    @Test(
        "the error says how many values are inside each other, under each policy",
        arguments: [MappingPolicy.standard, .strict]
    )
    func countOfValues(_ policy: MappingPolicy) throws {
        let text = Shape.arrays.text(depth: 500)
        let issue = try onStack(ofBytes: SmallStackTrait.stackBytes) {
            mapping(policy) { try TreeEntry.from(raw: .of(text)) }.issues.first
        }
        // In a release build the stack may be large enough.
        guard let issue else { return }
        let number = issue.detail?.split(separator: " ").lazy.compactMap { Int($0) }.first
        #expect(try #require(number) >= issue.path.components.count && issue.path.components.count > 20)
    }

    @Test("beyond what any stack holds there is an error with a path", arguments: Shape.allCases)
    func noLimit(_ shape: Shape) throws {
        let failure = try onStack(ofBytes: SmallStackTrait.stackBytes) {
            var decoder = JsonDecoder()
            decoder.parsing.maximumDepth = .max
            return try Self.failure(shape, depth: 40_000, decoder)
        }
        #expect(try #require(failure) > 20)
    }

    @Test("a type that decodes itself without end is an error on any stack", arguments: [512, 2048, 16_384])
    func endless(_ kilobytes: Int) throws {
        struct Endless: Decodable {
            var values: [Endless] = []
            init(from decoder: any Decoder) throws {
                values = [try decoder.singleValueContainer().decode(Endless.self)]
            }
        }
        let isRefused = try onStack(ofBytes: kilobytes << 10) {
            do {
                _ = try JsonDecoder().decode(Endless.self, from: Data("1".utf8))
                return false
            } catch DecodingError.dataCorrupted {
                return true
            }
        }
        #expect(isRefused)
    }

    @Test(
        "what is kept free of a stack is a quarter of it, within bounds",
        arguments: [
            (64 << 10, 64 << 10), (512 << 10, 128 << 10), (8 << 20, 256 << 10),
        ]
    )
    func reserve(_ size: UInt, _ expected: UInt) {
        #expect(StackSpace.reserve(of: size) == expected)
    }

    @Test("an idle session holds no more than usual after a deep value")
    func idleSessions() throws {
        var sessions: [UnsafeMutablePointer<DecodingContext.Storage>] = unsafe []
        // Another test may have taken the session.
        while unsafe sessions.isEmpty {
            try onStack(ofBytes: 64 << 20) {
                try Shape.dictionaries.decode(Shape.dictionaries.text(depth: 500), JsonDecoder())
            }
            while let session = unsafe DecodingSession.idle.take() { unsafe sessions.append(session) }
        }
        while let session = unsafe sessions.popLast() {
            #expect(unsafe session.pointee.capacity <= DecodingContext.maximumIdle)
            unsafe DecodingSession.idle.give(session)?.deallocate()
        }
    }
}
