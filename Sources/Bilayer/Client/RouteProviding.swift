/// A request that is a value of the app and has a route, such as an enum whose cases have one response type.
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
/// The route may be of any kind: two layers, one layer, GraphQL. Requests with another response type need a type of
/// their own. Some methods take only a route. Pass the request's route to them:
/// `client.pages(of: request.route, by: .pageNumber())`.
public protocol RouteProviding<Response>: Sendable {
    /// The type of the response.
    associatedtype Response: Sendable

    /// The route of this request. A client reads it on the caller's actor.
    var route: Route<Response> { get }
}

// These methods are disfavored. Otherwise the compiler's error for a route of the wrong response type would say only
// that a route is not a `RouteProviding` request.

extension Client {
    /// Makes the call of a request.
    /// - Parameters:
    ///   - request: The request.
    ///   - reporter: Receives this call's mapping issues, instead of the client's ``reporter``.
    ///   - mapping: How strict this call's mapping is, instead of the route's and the client's policy.
    /// - Returns: The response of the request's route.
    /// - Throws: ``CallError``, or `CancellationError` if the calling task was cancelled or a stage threw one.
    @_disfavoredOverload
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
    /// - Throws: ``CallError``, or `CancellationError` if the calling task was cancelled or a stage threw one.
    @_disfavoredOverload
    @discardableResult
    public func send<Request: RouteProviding>(
        _ request: Request,
        reporter: (any MappingReporter)? = nil,
        mapping: MappingPolicy? = nil
    ) async throws -> Answer<Request.Response> {
        try await send(request.route, reporter: reporter, mapping: mapping)
    }
}
