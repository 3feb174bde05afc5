import Foundation
import Testing

@testable import Bilayer

/// Keeps what a decoder hands out, to use it when the call is over.
// Sendable: a test uses an object of this class from one task at a time, and hands it over whole.
final class Kept: @unchecked Sendable {
    var decoders: [any Decoder] = []
    var keyed: [KeyedDecodingContainer<KeepingKey>] = []
    var unkeyed: [any UnkeyedDecodingContainer] = []
    var single: [any SingleValueDecodingContainer] = []
}

enum KeepingKey: String, CodingKey { case id, child, list, name }

extension CodingUserInfoKey {
    static var kept: CodingUserInfoKey { CodingUserInfoKey(rawValue: "kept") ?? { preconditionFailure() }() }
}

/// Keeps one of everything that its decoder gives, and then reads its values.
struct Keeper: Decodable, Equatable {
    var id: Int
    var child: [Keeper]

    init(from decoder: any Decoder) throws {
        let kept = decoder.userInfo[.kept] as? Kept
        let container = try decoder.container(keyedBy: KeepingKey.self)
        id = try container.decode(Int.self, forKey: .id)
        child = try container.decodeIfPresent([Keeper].self, forKey: .child) ?? []
        guard let kept else { return }
        kept.decoders.append(decoder)
        kept.keyed.append(container)
        kept.single.append(try decoder.singleValueContainer())
        if container.contains(.list) {
            kept.unkeyed.append(try container.nestedUnkeyedContainer(forKey: .list))
            kept.decoders.append(try container.superDecoder(forKey: .list))
        }
        if container.contains(.name) {
            kept.keyed.append(try container.nestedContainer(keyedBy: KeepingKey.self, forKey: .name))
        }
    }
}

/// Decoders and their containers that user code keeps stay valid after the call. Kept encoders throw errors then.
/// Neither of them disturbs other calls.
@Suite(.smallStack) struct EscapedCodingTests {
    private static let text = #"""
        [{"id":1,"list":[10,"ten",{"id":11}],"name":{"id":12,"name":"deep"},"child":[{"id":2,"list":[20]},{"id":3}]},
         {"id":4,"child":[{"id":5,"child":[{"id":6}]}]}]
        """#

    private func keepAll(_ optimizations: CoderOptimizations) throws -> (Kept, [Keeper]) {
        let kept = Kept()
        var decoder = JsonDecoder()
        decoder.optimizations = optimizations
        decoder.userInfo[.kept] = kept
        return (kept, try decoder.decode([Keeper].self, from: Data(Self.text.utf8)))
    }

    @Test(arguments: trickSets)
    func everythingStaysValid(_ optimizations: CoderOptimizations) throws {
        let (kept, values) = try keepAll(optimizations)
        #expect(values.map(\.id) == [1, 4])
        // In between, other calls use the same sessions.
        for _ in 0..<20 { _ = try JsonDecoder().decode([Keeper].self, from: Data(Self.text.utf8)) }

        let owners = kept.keyed.filter { !$0.codingPath.contains { $0.stringValue == "name" } }
        #expect(try owners.map { try $0.decode(Int.self, forKey: .id) } == [2, 3, 1, 6, 5, 4])
        #expect(
            owners.map { Self.text(of: $0.codingPath) } == [
                "0.child.0", "0.child.1", "0", "1.child.0.child.0", "1.child.0", "1",
            ]
        )
        #expect(try owners[2].decode([Keeper].self, forKey: .child).map(\.id) == [2, 3])
        #expect(owners[2].allKeys == [.id, .list, .name, .child])
        #expect(throws: DecodingError.self) { try owners[0].decode(String.self, forKey: .id) }

        let nested = try #require(kept.keyed.first { Self.text(of: $0.codingPath) == "0.name" })
        #expect(try nested.decode(String.self, forKey: .name) == "deep")

        for (decoder, single) in zip(kept.decoders.filter { $0.codingPath.last?.stringValue != "list" }, kept.single) {
            let direct = try Keeper(from: decoder).id
            #expect(try single.decode(Keeper.self).id == direct)
            #expect(try decoder.container(keyedBy: KeepingKey.self).decode(Int.self, forKey: .id) == direct)
        }
        var lists = kept.unkeyed
        #expect(try lists[0].decode(Int.self) == 20)
        #expect(try lists[1].decode(Int.self) == 10)
        #expect(try lists[1].decode(String.self) == "ten")
        #expect(try lists[1].decode(Keeper.self).id == 11)
        #expect(lists[1].isAtEnd)
    }

    @Test func errorsOfKeptContainersHaveTheWholePath() throws {
        let (kept, _) = try keepAll(.all)
        let container = try #require(kept.keyed.first { Self.text(of: $0.codingPath) == "1.child.0" })
        let error = #expect(throws: DecodingError.self) { try container.decode([String].self, forKey: .child) }
        guard case .typeMismatch(_, let context) = error else { throw try #require(error) }
        #expect(Self.text(of: context.codingPath) == "1.child.0.child.0")
    }

    @Test func otherTasksCanUseWhatWasKept() async throws {
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<300 {
                let (kept, _) = try keepAll(.all)
                group.addTask {
                    let ids = try kept.decoders.filter { $0.codingPath.last?.stringValue != "list" }
                        .map { try Keeper(from: $0).id }
                    return try ids == [2, 3, 1, 6, 5, 4]
                        && kept.keyed.filter { $0.contains(.id) }
                            .allSatisfy { try $0.decode(Int.self, forKey: .id) > 0 }
                }
                group.addTask { try JsonDecoder().decode([Keeper].self, from: Data(Self.text.utf8)).count == 2 }
            }
            for try await isRight in group { #expect(isRight) }
        }
    }

    @Test func containersInUseAreNotUsedAgain() throws {
        // A container that is kept while its siblings are decoded still reads its own object.
        struct Chain: Decodable {
            var ids: [Int] = []

            init(from decoder: any Decoder) throws {
                var list = try decoder.unkeyedContainer()
                var containers: [KeyedDecodingContainer<KeepingKey>] = []
                while !list.isAtEnd { containers.append(try list.nestedContainer(keyedBy: KeepingKey.self)) }
                for container in containers.reversed() { ids.append(try container.decode(Int.self, forKey: .id)) }
            }
        }
        for _ in 0..<3 {
            let chain = try JsonDecoder().decode(Chain.self, from: Data(#"[{"id":1},{"id":2},{"id":3}]"#.utf8))
            #expect(chain.ids == [3, 2, 1])
        }
    }

    @Test func encodersThatAreKeptWriteNowhere() throws {
        final class Keeping: Encodable {
            var encoder: (any Encoder)?
            var keyed: KeyedEncodingContainer<KeepingKey>?
            var unkeyed: (any UnkeyedEncodingContainer)?

            func encode(to encoder: any Encoder) throws {
                self.encoder = encoder
                var container = encoder.container(keyedBy: KeepingKey.self)
                try container.encode(1, forKey: .id)
                unkeyed = container.nestedUnkeyedContainer(forKey: .list)
                keyed = container
            }
        }
        for optimizations in trickSets {
            var encoder = JsonEncoder()
            encoder.optimizations = optimizations
            let value = Keeping()
            #expect(try encoder.encode([value]) == Data(#"[{"id":1,"list":[]}]"#.utf8))
            for _ in 0..<10 { _ = try encoder.encode(["k": Dog(legs: 4, name: "Rex")]) }
            #expect(throws: EncodingError.self) { try value.keyed?.encode(2, forKey: .name) }
            #expect(throws: EncodingError.self) { try value.unkeyed?.encode(2) }
            var late = try #require(value.encoder).container(keyedBy: KeepingKey.self)
            #expect(throws: EncodingError.self) { try late.encode(1, forKey: .id) }
            var nested = late.nestedContainer(keyedBy: KeepingKey.self, forKey: .child)
            #expect(throws: EncodingError.self) { try nested.encode(1, forKey: .id) }
            #expect(throws: EncodingError.self) { try Dog(legs: 4, name: "Rex").encode(to: late.superEncoder()) }
            #expect(Self.text(of: late.codingPath) == "0")
        }
    }

    /// After a call, its data is freed, and its session may serve another call. Kept encoders and containers must use
    /// neither.
    @Test(arguments: [0, 1])
    func nothingOfACallThatHasEndedIsUsed(maximumDepth: Int) throws {
        final class Keeping: Encodable {
            var encoder: (any Encoder)?
            var list: (any UnkeyedEncodingContainer)?

            func encode(to encoder: any Encoder) throws {
                self.encoder = encoder
                list = encoder.unkeyedContainer()
            }
        }
        for optimizations in trickSets {
            let value = Keeping()
            #expect(try JsonEncoder().encode(value) == Data("[]".utf8))
            var encoder = JsonEncoder()
            encoder.optimizations = optimizations
            encoder.maximumDepth = maximumDepth
            #expect(try encoder.encode(1) == Data("1".utf8))

            let kept = try #require(value.encoder)
            var list = kept.unkeyedContainer()
            for number in [Double.nan, .infinity, 1] {
                var single = kept.singleValueContainer()
                #expect(throws: EncodingError.self) { try single.encode(number) }
                #expect(throws: EncodingError.self) { try single.encode([number]) }
                var child = list.superEncoder().singleValueContainer()
                #expect(throws: EncodingError.self) { try child.encode(number) }
                #expect(throws: EncodingError.self) { try child.encode(Float(number)) }
                #expect(throws: EncodingError.self) { try list.encode(number) }
                #expect(throws: EncodingError.self) { try value.list?.encode(Float(number)) }
                var keyed = kept.container(keyedBy: KeepingKey.self)
                #expect(throws: EncodingError.self) { try keyed.encode(number, forKey: .id) }
                var deep = keyed.nestedUnkeyedContainer(forKey: .list)
                #expect(throws: EncodingError.self) { try deep.encode(number) }
            }
            #expect(kept.userInfo.isEmpty)
            #expect(try encoder.encode(2) == Data("2".utf8))
        }
    }

    @Test func encodersThatAreKeptWithinTheCallStillCount() throws {
        final class Shelf { var containers: [KeyedEncodingContainer<KeepingKey>] = [] }
        struct Shelved: Encodable {
            let shelf: Shelf
            let id: Int

            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: KeepingKey.self)
                try container.encode(id, forKey: .id)
                shelf.containers.append(container)
            }
        }
        struct Whole: Encodable {
            func encode(to encoder: any Encoder) throws {
                let shelf = Shelf()
                var list = encoder.unkeyedContainer()
                for id in 0..<3 { try list.encode(Shelved(shelf: shelf, id: id)) }
                for index in shelf.containers.indices { try shelf.containers[index].encode("n\(index)", forKey: .name) }
            }
        }
        // Foundation drops writes to a container whose value is complete, without an error.
        let expected = #"[{"id":0,"name":"n0"},{"id":1,"name":"n1"},{"id":2,"name":"n2"}]"#
        for optimizations in trickSets {
            var encoder = JsonEncoder()
            encoder.optimizations = optimizations
            #expect(try encoder.encode(Whole()) == Data(expected.utf8))
        }
    }

    private static func text(of path: [any CodingKey]) -> String {
        path.map { key in key.intValue.map(String.init) ?? key.stringValue }.joined(separator: ".")
    }
}
