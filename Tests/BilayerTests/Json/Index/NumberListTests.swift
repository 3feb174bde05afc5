import Foundation
import Testing

@testable import Bilayer

/// A list of numbers is read in different ways, which depend on its length, its content and its place in the text.
@Suite("Lists of numbers")
struct NumberListTests {
    /// Spellings that are read in different ways.
    private static let spellings = [
        "-65.613616999999977", "43.420273000000009", "-141.00299072265625", "-65.625", "0.5", "7", "-0", "-0.0", "0.0",
        "9007199254740993", "1e3", "-2.5E-7", "12345678.25", "0.1234567890123456789", "123456.78901234567890123",
        "9007199254740993.00000000000000000000000000000000001", "4503599627370497.5", "4503599627370496.5", "2.5e-310",
        "1.00000000000000011102230246251565404236316680908203125", String(repeating: "9", count: 300) + ".25",
    ]

    /// Reads a list in each way that there is, at the start of a text, in its middle and at its end.
    private func expectRead(_ numbers: [String], _ comment: Comment) throws {
        let expected = try numbers.map { try #require(Double($0)).bitPattern }
        let list = "[" + numbers.joined(separator: ",") + "]"
        let far = #"{"name": "Something of some length", "#
        #expect(try [Double].from(raw: Json(parsing: list)).map(\.bitPattern) == expected, comment)
        #expect(try JsonDecoder().decode([Double].self, from: Data(list.utf8)).map(\.bitPattern) == expected, comment)
        for text in ["[\(list)]", "[\(list),[1.5,2]]", "[[1.5,2],\(list)]"] {
            let index = text.hasPrefix("[[1.5,2],") && numbers != ["1.5", "2"] ? 1 : 0
            let lists = try [[Double]].from(raw: Json(parsing: text))
            #expect(lists[index].map(\.bitPattern) == expected, comment)
            #expect(try JsonDecoder().decode([[Double]].self, from: Data(text.utf8)) == lists, comment)
        }
        for text in [far + "\"a\": [\(list)]}", far + "\"a\": [\(list)],\"b\": \"and more behind it\"}"] {
            let lists: [[Double]] = try Json(parsing: text).decode("a")
            #expect(lists.map { $0.map(\.bitPattern) } == [expected], comment)
            let decoded = try JsonDecoder().decode(Shape.self, from: Data(text.utf8)).a
            #expect(decoded.map { $0.map(\.bitPattern) } == [expected], comment)
        }
    }

    private struct Shape: Decodable {
        let a: [[Double]]
    }

    @Test("up to five numbers of every spelling are read bit by bit")
    func spellings() throws {
        let seed: UInt64 = 0x11_57_5
        var random = SplitMix64(seed: seed)
        try expectRead([], "none")
        for first in Self.spellings {
            try expectRead([first], "\(first)")
            for second in Self.spellings { try expectRead([first, second], "\(first), \(second)") }
            for count in 3...5 {
                let others = (1..<count).map { _ in Self.spellings[random.next(below: Self.spellings.count)] }
                let numbers = ([first] + others).shuffled(using: &random)
                try expectRead(numbers, "seed \(seed): \(numbers)")
            }
        }
    }

    @Test("pairs of as many digits as doubles have are read bit by bit")
    func randomPairs() throws {
        let seed: UInt64 = 0xC0_0D
        var random = SplitMix64(seed: seed)
        for round in 0..<2_000 {
            let numbers = (0..<2 + round % 2)
                .map { _ in
                    String(
                        format: "%.\(random.next(below: 17) + 1)f",
                        Double.random(in: -180...180, using: &random) / [1, 1000, 0.001, 1e8][random.next(below: 4)]
                    )
                }
            try expectRead(numbers, "seed \(seed), round \(round): \(numbers)")
        }
    }

    @Test(
        "what is no number is found at each place of a list",
        arguments: 1...4,
        ["null", "\"1.5\"", "[1.5]", "{}", "1e999"]
    )
    func otherElements(count: Int, other: String) throws {
        for place in 0..<count {
            var elements = Array(repeating: "1.25", count: count)
            elements[place] = other
            let list = "[" + elements.joined(separator: ",") + "]"
            let path = "$.points[1][\(place)]"
            for text in ["[[1.5,2.5],\(list)]", "[[1.5,2.5],\(list),[0.25,0.75],[0.125,0.375,0.625]]"] {
                let json = try Json(parsing: #"{"points":\#(text)}"#)
                let error = try #require(throws: MappingError.self) { try json.decode("points") as [[Double]] }
                #expect(error.path.description == path)
                let coding = try #require(throws: DecodingError.self) {
                    try JsonDecoder().decode([[Double]].self, from: Data(text.utf8))
                }
                #expect(coding.path == [1, place])
            }
        }
    }

    @Test("a list that is none is found", arguments: ["null", "1.5", "{\"a\":1.5,\"b\":2.5}", "\"1.5\""])
    func otherLists(other: String) throws {
        let text = "[[1.5,2.5],\(other),[0.25,0.75]]"
        let error = try #require(throws: MappingError.self) { try [[Double]].from(raw: Json(parsing: text)) }
        #expect(error.path.description == "$[1]")
        let coding = try #require(throws: DecodingError.self) {
            try JsonDecoder().decode([[Double]].self, from: Data(text.utf8))
        }
        #expect(coding.path == [1])
    }

    @Test("strings for infinities are read in short lists too")
    func infinities() throws {
        var decoder = JsonDecoder()
        decoder.nonConformingFloats = .convertFromString(positiveInfinity: "+", negativeInfinity: "-", nan: "?")
        let lists = try decoder.decode([[Double]].self, from: Data(#"[[1.5,"+"],["-",2.5,3.5]]"#.utf8))
        #expect(lists == [[1.5, .infinity], [-.infinity, 2.5, 3.5]])
    }

    @Test("a cancelled task gets its lists: reading does not look at the task")
    func cancellation() async throws {
        let text = "[" + Array(repeating: "[1.5,2.5]", count: 10_000).joined(separator: ",") + "]"
        let json = try Json(parsing: text)
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            return try [[Double]].from(raw: json)
        }
        task.cancel()
        #expect(try await task.value.count == 10_000)
    }
}

extension DecodingError {
    /// The indices in the coding path of the error; `nil` for a key without an index.
    fileprivate var path: [Int?] {
        switch self {
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context),
            .dataCorrupted(let context):
            context.codingPath.map(\.intValue)
        @unknown default: []
        }
    }
}
