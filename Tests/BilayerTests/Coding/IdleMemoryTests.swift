import Foundation
import Testing

@testable import Bilayer

/// The memory that idle sessions hold between two calls. A session is memory of a coder that later calls reuse. A
/// failed call leaves no more in it than a successful one.
@Suite("Memory between two calls")
struct IdleMemoryTests {
    /// A large value that fails at its end, in one of several places.
    enum Failing: CaseIterable, Encodable {
        case list, object, text, superEncoders, nestedContainers, deepValue, caught

        static let count = 50_000

        func encode(to encoder: any Encoder) throws {
            switch self {
            case .list:
                var container = encoder.unkeyedContainer()
                for number in 0..<Self.count { try container.encode(number) }
                try container.encode(Double.nan)
            case .object, .caught:
                var container = encoder.container(keyedBy: PathKey.self)
                for number in 0..<Self.count / 10 { try container.encode(number, forKey: PathKey("key\(number)")) }
                if self == .caught { try? container.encode(Failing.list, forKey: PathKey("list")) }
                try container.encode(Double.infinity, forKey: PathKey("last"))
            case .text:
                var container = encoder.unkeyedContainer()
                try container.encode(String(repeating: "text ", count: Self.count))
                throw CancellationError()
            case .superEncoders:
                var container = encoder.container(keyedBy: PathKey.self)
                let encoders = (0..<500).map { container.superEncoder(forKey: PathKey("k\($0)")) }
                for encoder in encoders.reversed() { try Array(0..<100).encode(to: encoder) }
                throw CancellationError()
            case .nestedContainers:
                var container = encoder.unkeyedContainer()
                var nested = (0..<500).map { _ in container.nestedUnkeyedContainer() }
                for round in 0..<100 { for index in nested.indices { try nested[index].encode(round) } }
                throw CancellationError()
            case .deepValue:
                var container = encoder.unkeyedContainer()
                try container.encode(Array(0..<Self.count))
                try container.encode(Deep(levels: 300))
            }
        }
    }

    private struct Deep: Encodable {
        let levels: Int
        func encode(to encoder: any Encoder) throws {
            var container = encoder.unkeyedContainer()
            if levels == 0 { try container.encode(Double.nan) } else { try container.encode(Deep(levels: levels - 1)) }
        }
    }

    /// At most 17 sessions are idle at a time. This is twice that number, because other tests may return sessions while
    /// this test has taken all of them.
    private static let maximumIdle = 34

    /// The number of idle sessions, and the bytes of text that they hold. Each must be as small as an unused one.
    private func idleTextBytes() -> (sessions: Int, bytes: Int) {
        var sessions: [UnsafeMutablePointer<EncodingContext.Storage>] = unsafe []
        while let session = unsafe EncodingSession.idle.take() { unsafe sessions.append(session) }
        let count = unsafe sessions.count
        var bytes = 0
        while let session = unsafe sessions.popLast() {
            let storage = unsafe session.pointee
            bytes += storage.segment.capacity
            #expect(storage.segment.capacity <= 4096)
            #expect(storage.segment.isAlone && storage.segment.count == 0)
            #expect(storage.capacity <= EncodingContext.maximumIdle)
            #expect(storage.detached.isEmpty && storage.depth == 0)
            unsafe EncodingSession.idle.give(session)?.deallocate()
        }
        return (count, bytes)
    }

    @Test("after a failed encoding nothing of its text is left", arguments: Failing.allCases)
    func failedEncoding(value: Failing) throws {
        var idle = (sessions: 0, bytes: 0)
        // Another test may have taken the session.
        while idle.sessions == 0 {
            _ = try onStack(ofBytes: 16 << 20) {
                #expect(throws: (any Error).self) { try JsonEncoder().encode(value) }
            }
            idle = idleTextBytes()
        }
        #expect(idle.sessions <= Self.maximumIdle)
        #expect(idle.bytes <= Self.maximumIdle * 4096)
    }

    @Test("after many encodings that fail at once, no more sessions are kept than the limit, each without its text")
    func failedEncodingsAtOnce() throws {
        let count = 60
        let barrier = Barrier(count)
        /// Writes a text, waits until all others have written theirs, and then fails.
        struct Meeting: Encodable {
            let barrier: Barrier
            func encode(to encoder: any Encoder) throws {
                var container = encoder.unkeyedContainer()
                try container.encode(String(repeating: "x", count: 100_000))
                barrier.wait()
                throw CancellationError()
            }
        }
        Self.inThreads(count) {
            #expect(throws: CancellationError.self) { try JsonEncoder().encode(Meeting(barrier: barrier)) }
        }
        let idle = idleTextBytes()
        #expect(idle.sessions <= Self.maximumIdle)
        #expect(idle.bytes <= Self.maximumIdle * 4096)
    }

    // MARK: - Decoding

    private struct Row: Decodable { var someId: Int }

    /// Looks at all idle sessions.
    /// - Returns: Whether there were any: another test may have taken them.
    private func checkIdleDecoders() -> Bool {
        var sessions: [UnsafeMutablePointer<DecodingContext.Storage>] = unsafe []
        while let session = unsafe DecodingSession.idle.take() { unsafe sessions.append(session) }
        unsafe #expect(sessions.count <= Self.maximumIdle)
        let isAny = unsafe !sessions.isEmpty
        while let session = unsafe sessions.popLast() {
            let storage = unsafe session.pointee
            #expect(storage.capacity <= DecodingContext.maximumIdle && storage.depth == 0)
            #expect(storage.convertedNames == nil)
            #expect(unsafe storage.activeSnakeCaseCache == nil)
            #expect(unsafe storage.snakeCaseCache?.pointee.isFull != true)
            unsafe DecodingSession.idle.give(session)?.deallocate()
        }
        return isAny
    }

    enum Keys: CaseIterable {
        case plain, snakeCase, custom, lastWins, entries

        func decode(_ text: Data) throws {
            var decoder = JsonDecoder()
            switch self {
            case .plain: break
            case .snakeCase: decoder.keys = .convertFromSnakeCase
            case .custom: decoder.keys = .custom { $0.last ?? PathKey("") }
            case .lastWins: decoder.parsing.duplicateKeys = .lastWins
            case .entries:
                // Decodes as the mapping layer does, with the session's default settings.
                let json = try Json(parsing: text, options: .init(duplicateKeys: .lastWins))
                _ = try DecodingSession.value([Row].self, at: 0, of: json.indexed.document)
                return
            }
            _ = try decoder.decode([Row].self, from: text)
        }
    }

    @Test("after a failed decoding no name of its text is left", arguments: Keys.allCases)
    func failedDecoding(keys: Keys) throws {
        let key = String(repeating: "key", count: 1000)
        let members = (0..<1500).map { "\"\(key)\($0)\":1" }.joined(separator: ",")
        let text = Data(#"[{\#(members),"some_id":1,"someId":1},{"someId":"x","some_id":"x"}]"#.utf8)
        repeat {
            #expect(throws: (any Error).self) { try keys.decode(text) }
        } while !checkIdleDecoders()
    }

    @Test("after many decodings that fail at once, no more sessions are kept than the limit")
    func failedDecodingsAtOnce() throws {
        let count = 60
        let barrier = Barrier(count)
        Self.inThreads(count) {
            var decoder = JsonDecoder()
            decoder.dates = .custom { _ in
                barrier.wait()
                throw CancellationError()
            }
            let text = Data("[\(String(repeating: "[", count: 5))0\(String(repeating: "]", count: 5))]".utf8)
            #expect(throws: CancellationError.self) { try decoder.decode([[[[[[Date]]]]]].self, from: text) }
        }
        _ = checkIdleDecoders()
    }

    // MARK: - What user code hands over

    private final class Token: Sendable {}

    private struct TokenKey: CodingKey {
        let token: Token
        let stringValue: String
        init(_ token: Token, _ stringValue: String) { (self.token, self.stringValue) = (token, stringValue) }
        init?(stringValue: String) { self.init(Token(), stringValue) }
        init?(intValue: Int) { nil }
        var intValue: Int? { nil }
    }

    @Test("keys and user info of a call are let go when it ends", arguments: [false, true])
    func keysAreLetGo(fails: Bool) throws {
        struct Value: Codable {
            static let info = CodingUserInfoKey(rawValue: "token")
            init() {}
            init(from decoder: any Decoder) throws { try Self.walk(decoder, 0) }
            func encode(to encoder: any Encoder) throws { try write(encoder, 0) }

            private static func token(_ info: [CodingUserInfoKey: Any]) -> Token {
                self.info.flatMap { info[$0] as? Token } ?? Token()
            }

            private func write(_ encoder: any Encoder, _ level: Int) throws {
                let key = TokenKey(Self.token(encoder.userInfo), "k\(level)")
                var container = encoder.container(keyedBy: TokenKey.self)
                if level == 3 { return try container.encode(Double.nan, forKey: key) }
                try write(container.superEncoder(forKey: key), level + 1)
            }

            private static func walk(_ decoder: any Decoder, _ level: Int) throws {
                let container = try decoder.container(keyedBy: TokenKey.self)
                let key = TokenKey(token(decoder.userInfo), "k\(level)")
                if level == 3 { return _ = try container.decode(Int.self, forKey: key) }
                try walk(container.superDecoder(forKey: key), level + 1)
            }
        }
        weak var known: Token?
        try {
            let token = Token()
            known = token
            let info = try #require(Value.info)
            var encoder = JsonEncoder()
            encoder.userInfo[info] = token
            if !fails {
                encoder.nonConformingFloats = .convertToString(positiveInfinity: "", negativeInfinity: "", nan: "nan")
            }
            #expect((try? encoder.encode(Value())) == nil ? fails : !fails)
            var decoder = JsonDecoder()
            decoder.userInfo[info] = token
            let text = #"{"k0":{"k1":{"k2":{"k3":\#(fails ? "[]" : "1")}}}}"#
            #expect((try? decoder.decode(Value.self, from: Data(text.utf8))) == nil ? fails : !fails)
        }()
        #expect(known == nil)
    }

    /// Runs something on many threads at once and waits for all.
    private static func inThreads(_ count: Int, _ body: @escaping @Sendable () -> Void) {
        let group = DispatchGroup()
        for _ in 0..<count {
            group.enter()
            Thread {
                body()
                group.leave()
            }
            .start()
        }
        group.wait()
    }
}

/// Holds each thread until all have arrived.
// Sendable: `missing` is only touched with the lock held.
private final class Barrier: @unchecked Sendable {
    private let condition = NSCondition()
    private var missing: Int

    init(_ count: Int) { missing = count }

    func wait() {
        condition.lock()
        defer { condition.unlock() }
        missing -= 1
        if missing <= 0 { condition.broadcast() }
        while missing > 0 { condition.wait() }
    }
}
