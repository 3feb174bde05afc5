/// A request as a value of the app, that says its route: an enum whose cases have one type of response.
///
/// Choose it where an app keeps requests as values: to compare them, to put them into a queue, to switch on them.
///
/// ```swift
/// enum PhotoRequest: RouteProviding, Hashable {
///     case photo(String)
///     case latest(of: String?)
///
///     var route: Route<Photo> {
///         switch self {
///         case .photo(let id): .get("photos/{id}", ["id": id])
///         case .latest(let user): .get("photos/latest", query: ["user": user])
///         }
///     }
/// }
/// let photo = try await client.fetch(PhotoRequest.photo("p1"))            // Photo, by inference
/// ```
/// The route may be any route: of two layers, of one, of GraphQL. Requests with other responses are other types. Calls
/// that take no request take its route: `client.pages(of: request.route, by: .pageNumber())`.
public protocol RouteProviding<Response>: Sendable {
    /// The type of the response.
    associatedtype Response: Sendable

    /// The route of this request.
    var route: Route<Response> { get }
}

// Disfavored, because the error for a route of another type would be that it is no request.

extension Client {
    /// Makes the call of a request.
    /// - Parameters:
    ///   - request: The request.
    ///   - reporter: Receives this call's mapping issues, instead of the client's ``reporter``.
    ///   - mapping: How strict this call's mapping is, instead of the route's and the client's policy.
    /// - Returns: The response of the request's route.
    /// - Throws: ``CallError``, or `CancellationError` when the calling task was cancelled.
    @_disfavoredOverload
    @concurrent
    public func fetch<Request: RouteProviding>(
        _ request: Request,
        reporter: (any MappingReporter)? = nil,
        mapping: MappingPolicy? = nil
    ) async throws -> Request.Response {
        try await fetch(request.route, reporter: reporter, mapping: mapping)
    }

    /// Makes the call of a request and returns the value with the HTTP response's status and headers.
    /// - Parameters:
    ///   - request: The request.
    ///   - reporter: Receives this call's mapping issues, instead of the client's ``reporter``.
    ///   - mapping: How strict this call's mapping is, instead of the route's and the client's policy.
    /// - Returns: The response of the request's route, and the HTTP response.
    /// - Throws: ``CallError``, or `CancellationError` when the calling task was cancelled.
    @_disfavoredOverload
    @discardableResult
    @concurrent
    public func send<Request: RouteProviding>(
        _ request: Request,
        reporter: (any MappingReporter)? = nil,
        mapping: MappingPolicy? = nil
    ) async throws -> Answer<Request.Response> {
        try await send(request.route, reporter: reporter, mapping: mapping)
    }
}
