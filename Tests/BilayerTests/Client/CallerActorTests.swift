import Bilayer
import Foundation
import Testing

/// Records the places of a call that computed something, and whether they did so on the caller's actor.
private final class Places: Sendable {
    private let names = Names()
    private let isCallersActor: @Sendable () -> Bool

    /// The recorder of the call in progress.
    @TaskLocal static var current: Places?

    init(isCallersActor: @escaping @Sendable () -> Bool) {
        self.isCallersActor = isCallersActor
    }

    /// Notes that a place of the call computes, and where.
    static func note(_ name: String) {
        guard let current else { return }
        current.names.append(name, isCallersActor: current.isCallersActor())
    }

    var all: [String] { names.all }
    var onTheCallersActor: [String] { names.onTheCallersActor }
}

// Sendable: every access to the variables happens under `lock`.
private final class Names: @unchecked Sendable {
    private let lock = NSLock()
    private var noted: [(name: String, isCallersActor: Bool)] = []

    func append(_ name: String, isCallersActor: Bool) {
        lock.withLock { noted.append((name, isCallersActor)) }
    }

    var all: [String] { lock.withLock { noted.map(\.name) } }
    var onTheCallersActor: [String] { lock.withLock { noted.filter(\.isCallersActor).map(\.name) } }
}

private struct StayEntry: RawMappable, Sendable {
    let nights: Int

    static func from(raw: Json) throws -> StayEntry {
        Places.note("from(raw:)")
        return try StayEntry(nights: raw.decode("nights"))
    }

    func toRaw() throws -> Json {
        Places.note("toRaw()")
        return ["nights": .init(nights)]
    }
}

private struct Stay: DTOConvertible, Sendable {
    let nights: Int

    static func from(dto: StayEntry) throws -> Stay {
        Places.note("from(dto:)")
        return Stay(nights: dto.nights)
    }

    func toDTO() throws -> StayEntry {
        Places.note("toDTO()")
        return StayEntry(nights: nights)
    }
}

private struct NotingNode: PassthroughNode {
    let name: String

    func process<Value: Sendable>(_ value: Value, in context: CallContext) async throws -> Value {
        Places.note(name)
        return value
    }
}

private struct NotingReporter: MappingReporter {
    func report(_ report: MappingReport) { Places.note("report") }
}

private let mappings = ["toDTO()", "toRaw()", "from(raw:)", "from(dto:)"]
private let nodes = ["request node", "transport", "raw node", "entry node", "model node"]

private func client() -> Client {
    let transport = AnyNode<HTTPRequest, HTTPResponse> { request, _ in
        Places.note("transport")
        return HTTPResponse(status: 200, body: request.body?.data ?? Data())
    }
    var client = Client(baseURL: URL("https://api.example.com"), transport: transport)
    client.request.append { request, _ in
        Places.note("request node")
        return request
    }
    client.raw.append { json, _ in
        Places.note("raw node")
        return json
    }
    client.entry.append(NotingNode(name: "entry node"))
    client.model.append(NotingNode(name: "model node"))
    client.reporter = NotingReporter()
    return client
}

private let route = Route<Stay>.post("stays", body: Stay(nights: 3))

/// The ways to make a call.
private enum Form: CaseIterable, CustomTestStringConvertible {
    case fetch, send, pipeline

    var testDescription: String { "\(self)" }

    /// Makes the call where the caller runs: the function is `nonisolated(nonsending)`.
    func run() async throws -> Int {
        switch self {
        case .fetch: try await client().fetch(route).nights
        case .send: try await client().send(route).value.nights
        case .pipeline: try await client().pipeline(for: route).process(in: CallContext()).nights
        }
    }

    /// The places that must not compute on the caller's actor. If the caller runs a pipeline itself, the nodes may,
    /// because they run on the caller's actor.
    var leaving: [String] { self == .pipeline ? mappings : mappings + nodes }
}

/// An actor whose executor is a queue, so that code can check whether it runs there.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
private actor QueueActor {
    private let executor = QueueExecutor()

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    func run(_ form: Form) async throws -> (nights: Int, places: Places, callerIsHere: Bool) {
        let places = Places { [executor] in executor.isCurrent }
        // A closure is only isolated to the actor where it captures `self`.
        let (nights, callerIsHere) = try await Places.$current.withValue(places) { try await self.runHere(form) }
        return (nights, places, callerIsHere)
    }

    private func runHere(_ form: Form) async throws -> (nights: Int, callerIsHere: Bool) {
        let isHereBefore = executor.isCurrent
        let nights = try await form.run()
        return (nights, isHereBefore && executor.isCurrent)
    }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
private final class QueueExecutor: SerialExecutor {
    private let queue = DispatchQueue(label: "caller")
    private let key = DispatchSpecificKey<Bool>()

    init() { queue.setSpecific(key: key, value: true) }

    var isCurrent: Bool { DispatchQueue.getSpecific(key: key) == true }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { unsafe job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}

/// Whether the code runs on the main actor, judged by its queue: on Linux the main queue is not bound to the main
/// thread.
private func isMainActor() -> Bool { DispatchQueue.getSpecific(key: mainKey) == true }

private let mainKey: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
}()

@Suite("A call from an actor")
struct CallerActorTests {
    @Test(arguments: Form.allCases)
    @MainActor fileprivate func noMappingRunsOnTheMainActor(form: Form) async throws {
        let places = Places(isCallersActor: isMainActor)
        #expect(isMainActor())
        let nights = try await Places.$current.withValue(places) { try await form.run() }
        #expect(isMainActor())
        #expect(nights == 3)
        #expect(places.onTheCallersActor.filter(form.leaving.contains) == [])
        #expect(Set(places.all).isSuperset(of: form.leaving))
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
    @Test(arguments: Form.allCases)
    fileprivate func noMappingRunsOnAnotherActor(form: Form) async throws {
        let (nights, places, callerIsHere) = try await QueueActor().run(form)
        #expect(callerIsHere)
        #expect(nights == 3)
        #expect(places.onTheCallersActor.filter(form.leaving.contains) == [])
        #expect(Set(places.all).isSuperset(of: form.leaving))
    }

    @Test @MainActor func aFailedMappingIsReportedAwayFromTheMainActor() async throws {
        let places = Places(isCallersActor: isMainActor)
        await Places.$current.withValue(places) {
            await #expect(throws: CallError.self) {
                try await client().fetch(Route<Stay>.post("stays", body: ["nights": "three"] as Json))
            }
        }
        #expect(places.all.contains("report") && places.onTheCallersActor == [])
    }

    @Test @MainActor func theDescriptionOfAFailureIsReadAwayFromTheMainActor() async throws {
        let places = Places(isCallersActor: isMainActor)
        var client = client()
        client.transport = AnyNode { request, _ in HTTPResponse(status: 422, body: request.body?.data ?? Data()) }
        let error = await Places.$current.withValue(places) {
            await #expect(throws: CallError.self) { try await client.fetch(route.failing(with: Stay.self)) }
        }
        #expect(error?.failure(as: Stay.self)?.nights == 3)
        #expect(places.onTheCallersActor == [])
    }

    @Test @MainActor func theCallbackFormLeavesTheMainActorForTheCallAlone() async throws {
        let places = Places(isCallersActor: isMainActor)
        let (outcomes, continuation) = AsyncStream<Bool>.makeStream()
        Places.$current.withValue(places) {
            _ = client().fetch(route) { @MainActor _ in continuation.yield(isMainActor()) }
        }
        for await isMain in outcomes {
            #expect(isMain)
            break
        }
        #expect(places.onTheCallersActor == [] && places.all.contains("from(dto:)"))
    }
}
