import Bilayer
import Foundation
import Testing

private enum CancelledDefault: DefaultProvider { static let defaults = Defaults<Int>(ifMissing: 0) }

@Suite("A cancellation that an app's code throws for an element")
struct CancelledElementTests {
    private struct Task: Decodable, RawDecodable {
        @Default<CancelledDefault> var priority: Int
        enum CodingKeys: CodingKey { case priority }

        init(from decoder: any Decoder) throws {
            _priority = try decoder.container(keyedBy: CodingKeys.self)
                .decode(Default<CancelledDefault>.self, forKey: .priority)
            if try Json(from: decoder)["cancels"] != nil { throw CancellationError() }
        }
    }

    private struct Answer: RawDecodable {
        static func from(raw: Json) throws -> Answer {
            if raw.string == "cancel" { throw CancellationError() }
            return Answer()
        }
    }

    @Test("leaves the element's index in the paths of its issues", arguments: [MappingPolicy.standard, .salvaging])
    func index(policy: MappingPolicy) throws {
        let raw = try Json.of(#"{"tasks":[{"priority":1},{"cancels":true}]}"#)
        let mapped = mapping(policy) { try raw.decode("tasks") as [Task] }
        #expect(mapped.error is CancellationError)
        #expect(mapped.lines == ["info used default $.tasks[1].priority"])
        let byHand = mapping(policy) { try raw.decodeLossy("tasks") as [Task] }
        #expect(byHand.error is CancellationError)
        #expect(byHand.lines == ["info used default $.tasks[1].priority"])
    }

    @Test("leaves the index in the path of a model's issue")
    func model() {
        struct Model: DTODecodable {
            static func from(dto: Int?) throws -> Model {
                if dto.default(0, "count") == 0 { throw CancellationError() }
                return Model()
            }
        }
        let mapped = mapping { try [Model].from(dto: [1, nil]) }
        #expect(mapped.error is CancellationError)
        #expect(mapped.lines == ["info used default $[1].count"])
    }

    @Test("is thrown by a dictionary read without a reporter, for a repeated key", arguments: [false, true])
    func repeatedMember(isReported: Bool) throws {
        let raw = try Json.of(#"{"first":"yes","first":"cancel","second":"no"}"#)
        let read = { try [String: Answer].from(raw: raw) }
        if isReported {
            #expect(mapping(.standard, CodingConventions(), read).error == nil)
        } else {
            #expect(throws: CancellationError.self) { try read() }
        }
    }
}
