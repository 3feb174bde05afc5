/// A GraphQL response with data and errors: ``Route/keepingErrors()``.
public struct GraphQLResponse<Value> {
    /// The data.
    public var value: Value
    /// The errors; empty for a complete response.
    public var errors: [GraphQLError]
    /// The response's `extensions`; an empty object if there are none.
    public var extensions: Json

    /// Makes a response, for tests.
    public init(_ value: Value, errors: [GraphQLError] = [], extensions: Json = [:]) {
        self.value = value
        self.errors = errors
        self.extensions = extensions
    }

    /// Why there is no value at a path of `data`: the first error of this field, or of a field inside of it that may
    /// not be null.
    ///
    /// ```swift
    /// let response = try await client.fetch(Route.trip("7").keepingErrors())
    /// if response.value == nil { print(response.reason(at: "trip")?.code ?? "no trip has this id") }
    /// ```
    /// - Parameter path: The path in `data`: `trip.days[2].hotel`.
    /// - Returns: The error; `nil` if the server reported none for this path.
    public func reason(at path: String) -> GraphQLError? {
        JsonPath(path).flatMap { path in errors.first { $0.explains(path) } }
    }
}

extension GraphQLResponse: Sendable where Value: Sendable {}
extension GraphQLResponse: Equatable where Value: Equatable {}
extension GraphQLResponse: Hashable where Value: Hashable {}
