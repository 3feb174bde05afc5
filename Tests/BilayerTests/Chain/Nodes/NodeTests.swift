import Bilayer
import Testing

private struct Add: Node, CustomStringConvertible {
    let amount: Int
    func process(_ input: Int, in context: CallContext) async throws -> Int { input + amount }
    var description: String { "Add(\(amount))" }
}

private struct Spell: Node {
    func process(_ input: Int, in context: CallContext) async throws -> String { "\(input)" }
}

private struct Twice<Input, Output>: Middleware {
    func intercept(_ input: Input, in context: CallContext, next: some Node<Input, Output>) async throws -> Output {
        _ = try await next.process(input, in: context)
        return try await next.process(input, in: context)
    }
}

private struct Logged<Input, Output>: Middleware, CustomStringConvertible {
    let description: String
    func intercept(_ input: Input, in context: CallContext, next: some Node<Input, Output>) async throws -> Output {
        context.note("in \(description)")
        defer { context.note("out \(description)") }
        return try await next.process(input, in: context)
    }
}

@Suite("Node")
struct NodeTests {
    @Test func aChainRunsItsStagesInOrder() async throws {
        let chain = Add(amount: 1).then(Add(amount: 10)).then(Spell())
        #expect(try await chain.process(1) == "12")
    }

    @Test func aClosureIsANode() async throws {
        let chain = AnyNode<Int, Int> { input, _ in input * 2 }.then { input, _ in "\(input)!" }
        #expect(try await chain.process(4) == "8!")
    }

    @Test func aChainThatNeedsNoInputRunsWithoutOne() async throws {
        let chain = AnyNode<Void, Int> { _, _ in 7 }.then(Spell())
        #expect(try await chain.process() == "7")
    }

    @Test func anErasedChainDoesTheSame() async throws {
        let chain: AnyNode<Int, String> = Add(amount: 1).then(Spell()).erased()
        #expect(try await chain.process(1) == "2")
        #expect("\(chain)" == "Add(1) → Spell")
    }

    @Test func aCheckpointChangesNothing() async throws {
        let chain = Add(amount: 1).checkpoint(Int.self, Int.self).then(Spell())
        #expect(try await chain.process(1) == "2")
    }

    @Test func theLastMiddlewareAddedIsTheOutermost() async throws {
        let context = CallContext()
        let node = Add(amount: 1).wrapped(by: Logged(description: "a")).wrapped(by: Logged(description: "b"))
        #expect(try await node.process(1, in: context) == 2)
        #expect(context.events.map(\.text) == ["in b", "in a", "out a", "out b"])
    }

    @Test func aMiddlewareMayRunTheRestAgain() async throws {
        let context = CallContext()
        let node = Add(amount: 1).wrapped(by: Logged(description: "x")).wrapped(by: Twice())
        #expect(try await node.process(1, in: context) == 2)
        #expect(context.events.count == 4)
    }

    @Test func aMiddlewareMayRaceTheRest() async throws {
        struct FirstOf<Input: Sendable, Output: Sendable>: Middleware {
            func intercept(
                _ input: Input,
                in context: CallContext,
                next: some Node<Input, Output>
            ) async throws -> Output {
                try await withThrowingTaskGroup(of: Output.self) { group in
                    for _ in 0..<3 { group.addTask { try await next.process(input, in: context) } }
                    defer { group.cancelAll() }
                    guard let first = try await group.next() else { throw CancellationError() }
                    return first
                }
            }
        }
        #expect(try await Add(amount: 1).wrapped(by: FirstOf()).process(1) == 2)
    }

    @Test func aChainPrintsAsOneFlatLine() {
        let inner = Add(amount: 2).then(Add(amount: 3)).wrapped(by: Logged(description: "Log"))
        let chain = Add(amount: 1).then(inner).then(AnyNode(named: "Spell") { input, _ in "\(input)" })
        #expect("\(chain)" == "Add(1) → Log(Add(2) → Add(3)) → Spell")
        #expect("\(Spell().wrapped(by: Twice()))" == "Twice<Int, String>(Spell)")
    }

    @Test func errorsPassUnchanged() async {
        struct Odd: Error, Equatable {}
        let chain = AnyNode<Int, Int> { _, _ in throw Odd() }.then(Spell())
        await #expect(throws: Odd()) { try await chain.process(1) }
    }
}

@Suite("CallContext")
struct CallContextTests {
    @Test func copiesShareTheirNotes() async {
        let context = CallContext()
        await Task.detached { [context] in context.note("from another task") }.value
        #expect(context.events.map(\.text) == ["from another task"])
    }

    @Test func onlyTheLastNotesOfVeryManyAreKept() {
        let context = CallContext()
        for number in 0..<1_000 { context.note("\(number)") }
        #expect(context.events.count == 256)
        #expect(context.events.last?.text == "999")
    }

    @Test func manyTasksMayNoteAtOnce() async {
        let context = CallContext()
        await withTaskGroup { group in
            for _ in 0..<200 { group.addTask { context.note("x") } }
        }
        #expect(context.events.count == 200)
    }
}
