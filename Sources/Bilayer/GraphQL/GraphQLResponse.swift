/// A GraphQL response with its data and errors. It is the response of a route that ``Route/keepingErrors()`` has made.
public struct GraphQLResponse<Value> {
    /// The data.
    public var value: Value
    /// The errors; empty if the server reported none.
    public var errors: [GraphQLError]
    /// The response's `extensions`; an empty object if there are none.
    public var extensions: Json

    /// Makes a response, for tests.
    public init(_ value: Value, errors: [GraphQLError] = [], extensions: Json = [:]) {
        self.value = value
        self.errors = errors
        self.extensions = extensions
    }

    /// Returns the reason why `data` has no value at a path. The reason is the first error of this field, or of a
    /// non-null field inside the field. If `data` has a value at the path, the error can be that of any field inside
    /// the value.
    ///
    /// ```swift
    /// let response = try await client.fetch(Route.trip("7").keepingErrors())
    /// if response.value == nil { print(response.reason(at: "trip")?.code ?? "no trip has this id") }
    /// ```
    /// - Parameter path: The path in `data`: `trip.days[2].hotel`.
    /// - Returns: The error; `nil` if the server reported no error for this path, or if the path is not valid.
    public func reason(at path: String) -> GraphQLError? {
        JsonPath(path).flatMap { path in errors.first { $0.explains(path) } }
    }
}

extension GraphQLResponse: Sendable where Value: Sendable {}
extension GraphQLResponse: Equatable where Value: Equatable {}
extension GraphQLResponse: Hashable where Value: Hashable {}
