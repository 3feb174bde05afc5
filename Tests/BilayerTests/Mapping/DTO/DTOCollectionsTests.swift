import Bilayer
import Testing

private struct Positive: DTOConvertible, Hashable {
    let value: Int
    struct Refusal: Error {}

    static func from(dto: Int) throws -> Positive {
        guard dto > 0 else { throw Refusal() }
        return Positive(value: dto)
    }
    func toDTO() throws -> Int {
        guard value != 13 else { throw Refusal() }
        return value
    }
}

@Suite("DTO conversion of arrays, optionals, sets and dictionaries")
struct DTOCollectionsTests {
    @Test func elementsAreConverted() throws {
        #expect(try [Positive].from(dto: [1, 2]) == [Positive(value: 1), Positive(value: 2)])
        #expect(try Positive?.from(dto: nil) == nil)
        #expect(try [Positive?].from(dto: [nil, 2]) == [nil, Positive(value: 2)])
        #expect(try Set<Positive>.from(dto: [1, 1]) == [Positive(value: 1)])
        #expect(try ["a": [Positive(value: 1)]] == [String: [Positive]].from(dto: ["a": [1]]))
    }

    @Test func elementsAreConvertedBack() throws {
        #expect(try [Positive(value: 1)].toDTO() == [1])
        #expect(try Positive?.none.toDTO() == nil)
        #expect(try Set([Positive(value: 1)]).toDTO() == [1])
        #expect(try ["a": Positive(value: 1)].toDTO() == ["a": 1])
    }

    @Test func aForeignErrorIsWrappedOnceAndNamesItsPlaceAndTypes() throws {
        let error = #expect(throws: MappingError.self) {
            try [String: [Positive?]].from(dto: ["a": [1, nil, 0]])
        }
        #expect(error?.path == [.key("a"), .index(2)])
        #expect(error?.issues.count == 1)
        let issue = try #require(error?.issues.first)
        #expect(issue.kind == .foreign)
        #expect(issue.underlyingError is Positive.Refusal)
        #expect(issue.owner == "Int -> Positive")
    }

    /// Mapping is synchronous: whether the task was cancelled, and when, changes nothing.
    @Test(arguments: [1, 64, 5_000]) func aCancelledTaskGetsItsModels(_ count: Int) async throws {
        let numbers = Array(1...count).filter { $0 != 13 }
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            let models = try [Positive].from(dto: numbers)
            let text = try JsonEncoder().encode(models.toDTO())
            return [
                models.count, try Set<Positive>.from(dto: numbers).count,
                try CollectingReporter().mapping { try [Positive].from(dto: numbers) }.count,
                try JsonDecoder().decode([Int].self, from: text).count,
            ]
        }
        task.cancel()
        #expect(try await task.value == Array(repeating: numbers.count, count: 4))
    }

    /// A dictionary has another order in each process.
    @Test("errors of a dictionary are in the order of its keys", arguments: [MappingPolicy.standard, .collectingAll()])
    func errorsOfADictionaryHaveAnOrder(policy: MappingPolicy) throws {
        let keys = (10..<60).map { "k\($0)" }
        let entries = Dictionary(uniqueKeysWithValues: keys.map { ($0, $0 < "k20" ? 1 : 0) })
        let expected = policy == .standard ? ["k20"] : Array(keys.filter { $0 >= "k20" })
        let plain = #expect(throws: MappingError.self) { try [String: Positive].from(dto: entries) }
        #expect(plain?.path == [.key("k20")])
        let reported = #expect(throws: MappingError.self) {
            try CollectingReporter().mapping("ages", policy: policy) { try [String: Positive].from(dto: entries) }
        }
        #expect(reported?.issues.map(\.path) == expected.map { [.key($0)] })
    }

    @Test func aFieldOfALargerModelIsNamed() throws {
        let error = #expect(throws: MappingError.self) { try [Positive].from(dto: [1, 0], at: "ages") }
        #expect(error?.path.description == "$.ages[1]")
        let back = #expect(throws: MappingError.self) { try [Positive(value: 13)].toDTO(at: "ages") }
        #expect(back?.path.description == "$.ages[0]")
        #expect(back?.issues.first?.owner == "Positive -> Int")
    }

    @Test func cancellationIsNeverWrapped() {
        struct Cancelled: DTODecodable {
            static func from(dto: Int) throws -> Cancelled { throw CancellationError() }
        }
        #expect(throws: CancellationError.self) { try [String: [Cancelled]].from(dto: ["a": [1]], at: "x") }
    }
}
