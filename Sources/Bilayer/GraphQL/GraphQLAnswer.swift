/// A GraphQL answer with data and errors: ``Route/keepingErrors()``.
public struct GraphQLAnswer<Value> {
    /// The data.
    public var value: Value
    /// The errors; empty for a complete answer.
    public var errors: [GraphQLError]
    /// The answer's `extensions`; an empty object if there are none.
    public var extensions: Json

    /// Makes an answer, for tests.
    public init(_ value: Value, errors: [GraphQLError] = [], extensions: Json = [:]) {
        self.value = value
        self.errors = errors
        self.extensions = extensions
    }

    /// Why there is no value at a path of `data`: the first error of this field, or of a field inside of it that may
    /// not be null.
    ///
    /// ```swift
    /// let answer = try await client.fetch(Route.trip("7").keepingErrors())
    /// if answer.value == nil { print(answer.reason(at: "trip")?.code ?? "no trip has this id") }
    /// ```
    /// - Parameter path: The path in `data`: `trip.days[2].hotel`.
    /// - Returns: The error; `nil` if the server reported none for this place.
    public func reason(at path: String) -> GraphQLError? {
        JsonPath(path).flatMap { place in errors.first { $0.explains(place) } }
    }
}

extension GraphQLAnswer: Sendable where Value: Sendable {}
extension GraphQLAnswer: Equatable where Value: Equatable {}
extension GraphQLAnswer: Hashable where Value: Hashable {}
