/// A setting of one call for its nodes and middlewares: a cache policy, a retry policy, a priority.
///
/// The type is the key: a call has at most one value of each type. Conform a type of your own, and read it in your
/// middleware:
///
/// ```swift
/// enum Screen: String, CallOption { case launch, background }
///
/// struct SayScreen: Middleware {
///     func intercept(
///         _ request: HTTPRequest, in context: CallContext, next: some Node<HTTPRequest, HTTPResponse>
///     ) async throws -> HTTPResponse {
///         var request = request
///         request.headers["X-Screen"] = context.options[Screen.self]?.rawValue
///         return try await next.process(request, in: context)
///     }
/// }
/// let users = try await client.fetch(Route.users.with(option: Screen.launch))
/// ```
public protocol CallOption: Sendable {}

/// The options of a client, a route or a call, by their types. A route's options replace its client's options of the
/// same types.
public struct CallOptions: Sendable {
    private var values: [ObjectIdentifier: Entry] = [:]

    /// A value, with an identity that is new each time a value is set.
    private struct Entry {
        let option: any CallOption
        let identity = AttemptIdentity()
    }

    /// Makes options without values.
    public init() {}

    /// The value of this type, if there is one.
    public subscript<Option: CallOption>(type: Option.Type) -> Option? {
        get { values[ObjectIdentifier(type)]?.option as? Option }
        set { values[ObjectIdentifier(type)] = newValue.map { Entry(option: $0) } }
    }

    /// All values, in no order.
    var all: [any CallOption] { values.values.map(\.option) }

    /// Sets a value, which replaces the value of the same type.
    mutating func set<Option: CallOption>(_ option: Option) { self[Option.self] = option }

    /// Returns these options with the values of `other`, which replace values of the same type.
    func replacing(with other: CallOptions) -> CallOptions {
        if other.values.isEmpty { return self }
        var options = self
        options.values.merge(other.values) { $1 }
        return options
    }
}

extension CallOptions {
    /// Identifies these options: by the values that are `Hashable`, and by the identity of the entry for other values.
    var identity: [ObjectIdentifier: AnyHashable] {
        values.mapValues {
            ($0.option as? any Hashable).map { AnyHashable($0) } ?? AnyHashable(Identity(identity: $0.identity))
        }
    }

    private struct Identity: Hashable {
        let identity: AttemptIdentity

        static func == (left: Identity, right: Identity) -> Bool { left.identity === right.identity }
        func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(identity)) }
    }
}

extension CallOptions: Redacted {
    /// The number of the options; their values can be secrets.
    public var description: String { "CallOptions(\(values.count))" }
}
