import Bilayer
import Foundation
import Testing

/// A stage that signals when it has begun and then waits until it is cancelled.
private struct Stuck<Input, Output>: Node {
    let begun: AsyncStream<Void>.Continuation

    func process(_ input: Input, in context: CallContext) async throws -> Output {
        begun.yield()
        try await Task.sleep(for: .seconds(3_600))
        throw CancellationError()
    }
}

private let request = HTTPRequest(method: .get, url: URL("https://example.com/x"))

private func pipeline(stuckIn stage: CallError.Stage, begun: AsyncStream<Void>.Continuation) -> some Node<Void, String>
{
    func node<Input, Output>(
        _ name: CallError.Stage,
        _ work: @escaping @Sendable (Input, CallContext) async throws -> Output
    ) -> AnyNode<Input, Output> {
        name == stage ? AnyNode(Stuck<Input, Output>(begun: begun)) : AnyNode(work)
    }
    return Pipeline(
        requestEncoding: node(.requestEncoding) { (_: Void, _) in request },
        transport: node(.transport) { _, _ in HTTPResponse(status: 200, body: Data("{}".utf8)) },
        rawMapping: node(.rawMapping) { _, _ in 1 },
        dtoConversion: node(.dtoConversion) { dto, _ in "\(dto)" }
    )
}

@Suite("Cancellation")
struct CancellationTests {
    @Test(arguments: [CallError.Stage.requestEncoding, .transport, .rawMapping, .dtoConversion])
    func aCancelledCallEndsWithCancellationErrorWhateverStageItIsIn(stage: CallError.Stage) async {
        let (begun, continuation) = AsyncStream<Void>.makeStream()
        let chain = pipeline(stuckIn: stage, begun: continuation)
        let task = Task { try await chain.process() }
        for await _ in begun { break }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func aCallThatIsCancelledBeforeItBeginsRunsNoStage() async {
        let context = CallContext()
        let chain = Pipeline(
            requestEncoding: AnyNode<Void, HTTPRequest> { _, context in
                context.note("encoded")
                return request
            },
            transport: AnyNode { _, _ in HTTPResponse(status: 200) },
            rawMapping: AnyNode { _, _ in 1 },
            dtoConversion: AnyNode { dto, _ in dto }
        )
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            return try await chain.process(in: context)
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(context.events.isEmpty)
    }

    @Test func whatAStageSaysOnItsWayOutOfACancelledCallIsTheCancellation() async {
        struct Fault: Error {}
        let (begun, continuation) = AsyncStream<Void>.makeStream()
        let chain = Pipeline(
            requestEncoding: AnyNode<Void, HTTPRequest> { _, _ in request },
            transport: AnyNode<HTTPRequest, HTTPResponse> { _, _ in
                continuation.yield()
                while !Task.isCancelled { await Task.yield() }
                throw Fault()
            },
            rawMapping: AnyNode { _, _ in 1 },
            dtoConversion: AnyNode { dto, _ in dto }
        )
        let task = Task { try await chain.process() }
        for await _ in begun { break }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func aMappingInProgressEndsBeforeItsCallDoes() async {
        let (begun, continuation) = AsyncStream<Void>.makeStream()
        let context = CallContext()
        let chain = Pipeline(
            requestEncoding: AnyNode<Void, HTTPRequest> { _, _ in request },
            transport: AnyNode { _, _ in HTTPResponse(status: 200, body: Data(#"["Kyoto"]"#.utf8)) },
            rawMapping: ParseJson()
                .then { json, context in
                    continuation.yield()
                    while !Task.isCancelled { await Task.yield() }
                    let places = try context.mapping { try [String].from(raw: json) }
                    context.note("mapped \(places)")
                    return places
                },
            dtoConversion: AnyNode { places, context in
                context.note("converted")
                return places
            }
        )
        let task = Task { try await chain.process(in: context) }
        for await _ in begun { break }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(context.events.map(\.text) == ["mapped [\"Kyoto\"]"])
    }

    @Test func aMappingThatFailsInACancelledCallIsTheCancellation() async {
        let (begun, continuation) = AsyncStream<Void>.makeStream()
        let context = CallContext()
        let chain = Pipeline(
            requestEncoding: AnyNode<Void, HTTPRequest> { _, _ in request },
            transport: AnyNode { _, _ in HTTPResponse(status: 200, body: Data("{}".utf8)) },
            rawMapping: ParseJson()
                .then { json, context in
                    continuation.yield()
                    while !Task.isCancelled { await Task.yield() }
                    let mapped = Result { try context.mapping { try [String].from(raw: json) } }
                    #expect(throws: MappingError.self) { try mapped.get() }
                    context.note("failed")
                    return try mapped.get()
                },
            dtoConversion: AnyNode { places, _ in places }
        )
        let task = Task { try await chain.process(in: context) }
        for await _ in begun { break }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(context.events.map(\.text) == ["failed"])
    }

    @Test func aMappingOutsideACallDoesNotLookAtItsTask() async throws {
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            let reporter = CollectingReporter()
            let values = try reporter.mapping { try [String].from(raw: Json(parsing: #"["Kyoto"]"#)) }
            let error = #expect(throws: MappingError.self) {
                try reporter.mapping { try [String].from(raw: Json(parsing: "[7]")) }
            }
            return (values, error?.path.description, reporter.reports.map(\.side))
        }
        task.cancel()
        let (values, path, sides) = try await task.value
        #expect(values == ["Kyoto"])
        #expect(path == "$[0]")
        #expect(sides == [.response])
    }

    @Test func theResultOfTheLastStageStands() async throws {
        let (begun, continuation) = AsyncStream<Void>.makeStream()
        let chain = Pipeline(
            requestEncoding: AnyNode<Void, HTTPRequest> { _, _ in request },
            transport: AnyNode { _, _ in HTTPResponse(status: 200) },
            rawMapping: AnyNode { _, _ in 1 },
            dtoConversion: AnyNode { dto, _ in
                continuation.yield()
                while !Task.isCancelled { await Task.yield() }
                return dto
            }
        )
        let task = Task { try await chain.process() }
        for await _ in begun { break }
        task.cancel()
        #expect(try await task.value == 1)
    }

    @Test func fourHundredRacesEndInOneOfTwoWays() async {
        let chain = Pipeline(
            requestEncoding: AnyNode<Void, HTTPRequest> { _, _ in request },
            transport: AnyNode { _, _ in
                await Task.yield()
                return HTTPResponse(status: 200)
            },
            rawMapping: AnyNode { _, _ in
                await Task.yield()
                return 1
            },
            dtoConversion: AnyNode { dto, _ in dto }
        )
        var random = SplitMix64(seed: 1)
        for round in 0..<400 {
            let task = Task { try await chain.process() }
            for _ in 0..<random.next(below: 6) { await Task.yield() }
            task.cancel()
            switch await task.result {
            case .success(let value): #expect(value == 1, "round \(round)")
            case .failure(let error): #expect(error is CancellationError, "round \(round)")
            }
        }
    }
}
