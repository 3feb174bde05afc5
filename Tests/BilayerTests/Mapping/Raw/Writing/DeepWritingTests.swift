import Foundation
import Testing

@testable import Bilayer

/// A value with `levels` levels inside, each written by hand.
private struct WrittenLevel: JsonWritable {
    let levels: Int
    let shape: DeepWritingTests.Shape

    private var inside: WrittenLevel? { levels > 0 ? WrittenLevel(levels: levels - 1, shape: shape) : nil }

    func write(to json: inout JsonWriter) throws {
        try json.writeObject { object in
            guard let inside else { return }
            switch shape {
            case .list: try object.write([inside], forKey: "inside")
            case .dictionary: try object.write(["key": inside], forKey: "inside")
            case .optional: try object.write(Optional(inside), forKey: "inside")
            case .object: try object.writeObject(forKey: "inside") { try $0.write(inside, forKey: "value") }
            case .raw: try object.write(try inside.toRaw(), forKey: "inside")
            }
        }
    }
}

@Suite("Deep values written by hand on small stacks")
struct DeepWritingTests {
    enum Shape: CaseIterable {
        case list, dictionary, optional, object, raw
    }

    @Test(arguments: Shape.allCases)
    func aValueOrAnErrorWithAPath(shape: Shape) throws {
        for levels in [6, 60, 240, 20_000] {
            let failure = try onStack(ofBytes: SmallStackTrait.stackBytes) { () -> MappingError? in
                do {
                    _ = try WrittenLevel(levels: levels, shape: shape).toRaw()
                    return nil
                } catch { return error as? MappingError ?? MappingError(MappingIssue(.foreign)) }
            }
            if let failure {
                #expect(failure.issues.map(\.kind) == [.invalidValue])
                // `toRaw()` is called before the member is written.
                #expect(shape == .raw || failure.path.components.count > 6)
                #expect(levels > 6, "the least depth fits on every stack")
            } else {
                #expect(levels < 20_000)
            }
        }
    }
}
