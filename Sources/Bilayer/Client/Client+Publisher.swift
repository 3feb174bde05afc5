#if canImport(Combine)
public import Combine

extension Client {
    /// Returns a publisher that makes the call of a route for each subscriber.
    ///
    /// ```swift
    /// client.publisher(for: .users)
    ///     .receive(on: DispatchQueue.main)
    ///     .sink(receiveCompletion: { _ in }, receiveValue: { users in show(users) })
    ///     .store(in: &subscriptions)
    /// ```
    /// The call starts with the subscriber's first demand. Cancelling the subscription cancels the call and prevents
    /// every delivery that has not begun. A cancel from within `receive(_:)`, or while it runs on another thread,
    /// prevents `.finished`.
    /// - Parameters:
    ///   - route: The route to call.
    ///   - reporter: Receives the calls' mapping issues, instead of the client's ``reporter``.
    ///   - mapping: How strict the calls' mapping is, instead of the route's and the client's policy.
    /// - Returns: A publisher of one value, or of one error (``CallPublisher/Failure``).
    public func publisher<Response>(
        for route: Route<Response>,
        reporter: (any MappingReporter)? = nil,
        mapping: MappingPolicy? = nil
    ) -> CallPublisher<Response> {
        CallPublisher {
            let client = forUsersNow()
            return { try await client.fetch(route, reporter: reporter, mapping: mapping) }
        }
    }
}

/// A publisher that makes a call for each subscriber and publishes its result. Made by
/// ``Client/publisher(for:reporter:mapping:)``.
public struct CallPublisher<Output: Sendable>: Publisher {
    /// A ``CallError`` or a `CancellationError`.
    public typealias Failure = any Error

    /// Returns the call for a new subscriber, made for the user at the moment of the subscription.
    private let begin: @Sendable () -> @Sendable () async throws -> Output

    init(_ begin: @escaping @Sendable () -> @Sendable () async throws -> Output) {
        self.begin = begin
    }

    /// Passes a new subscription to the subscriber. The call is made for the user at this moment. The call starts with
    /// the first demand.
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
        subscriber.receive(subscription: CallSubscription(begin(), subscriber))
    }
}

/// One subscriber's call.
private final class CallSubscription<Downstream: Subscriber>: Subscription, Sendable
where Downstream.Input: Sendable, Downstream.Failure == any Error {
    private let delivery: OneShotDelivery<Downstream.Input>

    init(_ call: @escaping @Sendable () async throws -> Downstream.Input, _ downstream: Downstream) {
        delivery = OneShotDelivery(
            call: call,
            receiver: OneShotDelivery.Receiver(
                value: { _ = downstream.receive($0) },
                completion: { downstream.receive(completion: $0.map { .failure($0) } ?? .finished) }
            )
        )
    }

    func request(_ demand: Subscribers.Demand) {
        delivery.request(demand > .none ? 1 : 0)
    }

    func cancel() {
        delivery.cancel()
    }
}

extension CallPublisher: Redacted {
    /// The name of the type, with its output type.
    public var description: String { typeName(Self.self) }
}
#endif
