import Foundation
import Testing

@testable import Bilayer

/// Entries and models of any depth that the parser accepts, on threads whose stack may be too small for them. The
/// result is a value or an error, never the end of the process.
@Suite("Deep entries by hand on small stacks")
struct DeepRawTests {
    private struct Folder: RawDecodable {
        var list: [Folder]?
        var folders: [String: Folder]?
        var next: Box?

        static func from(raw: Json) throws -> Folder {
            try Folder(
                list: raw.decodeIfPresent("list"),
                folders: raw.decodeIfPresent("folders"),
                next: raw.decodeIfPresent("next")
            )
        }
    }

    private final class Box: RawDecodable {
        let folder: Folder
        init(_ folder: Folder) { self.folder = folder }
        static func from(raw: Json) throws -> Box { Box(try Folder.from(raw: raw)) }
    }

    private struct Model: DTODecodable {
        let list: [Model]
        static func from(dto: Folder) throws -> Model { try Model(list: .from(dto: dto.list ?? [], at: "list")) }
    }

    enum Shape: String, CaseIterable {
        case list, folders, next

        func text(depth: Int) -> String {
            let (open, close) =
                switch self {
                case .list: (#"{"list":["#, "]}")
                case .folders: (#"{"folders":{"a":"#, "}}")
                case .next: (#"{"next":"#, "}")
                }
            let inside = self == .list ? "" : "{}"
            return String(repeating: open, count: depth) + inside + String(repeating: close, count: depth)
        }
    }

    private static func read(_ shape: Shape, depth: Int, listens: Bool, isDetached: Bool) throws {
        var raw = try Json(parsing: shape.text(depth: depth), options: .init(maximumDepth: .max))
        if isDetached { _ = raw.set("x", at: [.key("y")]) }
        func model() throws { _ = try Model.from(dto: Folder.from(raw: raw)) }
        if listens { try CollectingReporter().mapping(policy: .collectingAll(), model) } else { try model() }
    }

    @Test(arguments: Shape.allCases, [false, true])
    func aValueOrAnErrorWithAPath(shape: Shape, listens: Bool) throws {
        for isDetached in [false, true] {
            // Some depths are around what a small stack holds, up to the default limit. The last one is beyond every
            // stack.
            for depth in [20, 60, 120, 170, 240, 500, 20_000] {
                let failure = try onStack(ofBytes: SmallStackTrait.stackBytes) { () -> MappingError? in
                    do {
                        try Self.read(shape, depth: depth, listens: listens, isDetached: isDetached)
                        return nil
                    } catch { return error as? MappingError ?? MappingError(MappingIssue(.foreign)) }
                }
                if let failure {
                    #expect(failure.path.components.count > 10, "\(depth)")
                    #expect(failure.issues.map(\.kind) == [.invalidValue])
                    // With the address sanitizer each level needs more stack.
                    let isSanitized = ProcessInfo.processInfo.environment["ASAN_OPTIONS"] != nil
                    #expect(depth > 20 || isSanitized, "the least depth fits on every stack")
                } else {
                    #expect(depth < 20_000)
                }
            }
        }
    }

    @Test("a stack as large as a main thread's holds what the default limit lets through", arguments: Shape.allCases)
    func defaultLimit(shape: Shape) throws {
        try onStack(ofBytes: 8 << 20) {
            try Self.read(shape, depth: shape == .next ? 500 : 250, listens: false, isDetached: false)
        }
    }
}
