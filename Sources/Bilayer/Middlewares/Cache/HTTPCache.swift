public import Foundation

/// A cache of HTTP responses around a transport, by RFC 9111.
///
/// ```swift
/// let cache = HTTPCache(.memory(maximumBytes: 20 << 20))
/// let client = Client(baseURL: url, transport: URLSessionTransport().wrapped(by: .cache(cache)))
/// let users = try await client.fetch(.users)                                   // as the server's directives say
/// let known = try await client.fetch(.users, cache: .cacheElseNetwork)         // as the app says
/// ```
///
/// Fresh responses to `GET` are used without a request. Stale ones are validated with `If-None-Match` and
/// `If-Modified-Since`, as far as they have an `ETag` or a `Last-Modified`. A `HEAD` uses the stored response to `GET`.
/// A request with a method that is not safe removes the stored responses of its address, unless it certainly changed
/// nothing: it was not sent, or the server answered it directly with an error status. Requests with `Range` or with
/// conditions of their own go to the server unchanged. ``HTTPResponse/cacheStatus`` says where a response came from,
/// and the call's notes say why.
///
/// Add the cache before authentication and retries. Both are then outside of the cache, so the cache can compare the
/// fields that they add (`Vary`). Add limits of rate and concurrency before the cache, so that they are inside of it. A
/// cache belongs to one user: use another store, or ``removeAll()``, when another user signs in. The cache can also
/// serve calls without a token: see ``Authentication``.
///
/// A response that came after a redirect to another address is not stored, because the target of the redirect may
/// change.
///
/// A stale response is used at once if its `stale-while-revalidate` (RFC 5861) still allows that. A task that the cache
/// owns then validates it; for each address and ``HTTPCacheEntry/variant`` at most one task runs. The task runs in a
/// separate call, with the clock and options of the call that used the response. Its time limit is the call's
/// ``Deadline`` option, or five minutes. ``settle()`` waits for these tasks; ``cancelRefreshes()``, ``removeAll()`` and
/// releasing the cache cancel them.
public final class HTTPCache: Middleware {
    let engine: CacheEngine
    /// The time limit of a background validation of a call without a ``Deadline`` option. While a validation runs, no
    /// other one begins for its address and variant. So one that hangs must end.
    private static let longestValidation = Duration.seconds(300)
    /// The background validations (`stale-while-revalidate`), one for each address and variant.
    private let refreshes = RunningTasks<String>()

    /// Makes a cache.
    /// - Parameters:
    ///   - store: The store of the responses.
    ///   - isShared: Whether the cache serves several users, for a proxy: `private`, `s-maxage`, `proxy-revalidate` and
    ///     requests with `Authorization` are treated as RFC 9111 says for shared caches.
    ///   - now: Returns the current date.
    public init(
        _ store: some HTTPCacheStore,
        isShared: Bool = false,
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        engine = CacheEngine(keeper: CacheKeeper(store: store, rules: CacheRules(isShared: isShared), now: now))
    }

    deinit { refreshes.cancelAll() }

    /// Returns a stored response, or the response of `next`.
    /// - Throws: The error of `next`, or ``CacheMissError``. ``AuthenticationError`` if the user has changed since the
    ///   call began. `CancellationError` if the calling task was cancelled.
    public func intercept(
        _ request: HTTPRequest,
        in context: CallContext,
        next: some Node<HTTPRequest, HTTPResponse>
    ) async throws -> HTTPResponse {
        let policy = context.options[CachePolicy.self] ?? .standard
        guard request.allowsStoredResponse, policy != .networkWithoutStoring else {
            if policy == .cacheOnly { throw CacheMissError() }
            return try await engine.pass(request, in: context, through: next)
        }
        var lookup = await engine.look(up: request)
        defer { engine.end(lookup) }
        try Task.checkCancellation()
        // If the user has changed since the call began, the stored responses may belong to the next user.
        if context.options[CredentialPolicy.self] != .omitted { try context.checkUsers() }
        switch policy {
        case .standard: return try await respond(to: lookup, in: context, through: next)
        case .revalidate: return try await engine.exchange(lookup, in: context, through: next)
        case .networkElseCache:
            return try await engine.exchange(lookup, in: context, through: next) { entry in
                engine.rules.isUsable(entry, at: engine.now())
            }
        case .networkOnly, .networkWithoutStoring:
            lookup.ignoresStored = true
            return try await engine.exchange(lookup, in: context, through: next)
        case .cacheOnly, .cacheElseNetwork:
            if let stored = engine.stored(for: lookup, in: context) { return stored }
            if policy == .cacheOnly { throw CacheMissError() }
            return try await engine.exchange(lookup, in: context, through: next)
        }
    }

    /// Waits until no background validation runs; for tests, and before an app ends. If the caller is cancelled, the
    /// validations are cancelled.
    public func settle() async { await refreshes.settle() }

    /// Cancels the background validations. The responses that were to be validated stay stale.
    public func cancelRefreshes() { refreshes.cancelAll() }

    /// Removes all stored responses, for example when the user signs out.
    ///
    /// Responses to requests that have reached the cache before the method returns are not stored. This applies to
    /// other caches over the same store, too. The background validations of this cache are cancelled. The method waits
    /// for a write of the store that is in progress, also in a cancelled task.
    public func removeAll() async {
        let keeper = engine.keeper
        await keeper.inProgress.invalidateAll {
            refreshes.cancelAll()
        } _: {
            await keeper.store.removeAll()
        }
    }

    /// Removes all stored responses of one address, for example when a push message says that the resource has changed.
    /// As with ``removeAll()``, responses to requests that have reached the cache before the method returns are not
    /// stored.
    ///
    /// ```swift
    /// let cache = HTTPCache(.memory(maximumBytes: 20 << 20))
    /// await cache.remove(url.appending(path: "users"))
    /// ```
    /// - Parameter url: The absolute address, with the query of the call. Escapes make no difference: `users/eva@home`
    ///   also names `users/eva%40home`, which a route writes for the argument `eva@home`.
    public func remove(_ url: URL) async { await engine.keeper.invalidate(HTTPCacheKey(url)) }

    /// Responds by the rules of RFC 9111 §4.
    private func respond(
        to lookup: CacheLookup,
        in context: CallContext,
        through next: some Node<HTTPRequest, HTTPResponse>
    ) async throws -> HTTPResponse {
        let use = lookup.selected.map { ($0, engine.rules.use(of: $0, for: lookup.request, at: engine.now())) }
        switch use {
        case (let entry, .fresh)?: return engine.serve(entry, to: lookup.request, as: .hit, context)
        case (let entry, .stale)?:
            return engine.serve(entry, to: lookup.request, as: .stale, because: "max-stale", context)
        case (let entry, .staleWhileRevalidating)?:
            refresh(lookup, entry, like: context, through: next)
            return engine.serve(entry, to: lookup.request, as: .stale, because: "stale-while-revalidate", context)
        case (_, .afterValidation)?, nil: break
        }
        if CacheControl(ofRequest: lookup.request.headers).has("only-if-cached") {
            context.note("cache: miss; only-if-cached")
            return HTTPResponse(status: 504).asStored(for: lookup.request, .miss)
        }
        return try await engine.exchange(lookup, in: context, through: next) { entry in
            engine.rules.mayReplaceError(entry, for: lookup.request, at: engine.now())
        }
    }

    /// Validates a response in the background, in a separate call. Its events are not reported to the call that started
    /// it.
    private func refresh(
        _ lookup: CacheLookup,
        _ entry: HTTPCacheEntry,
        like context: CallContext,
        through next: some Node<HTTPRequest, HTTPResponse>
    ) {
        let engine = engine
        let separate = context.ofAnotherCall()
        separate.recordUsers(context.knownUsers)
        let limit = separate.options[Deadline.self]?.limit ?? Self.longestValidation
        // The exchange begins here, before the task does. So an invalidation is noticed even if it happens before the
        // task reads the store.
        _ = engine.keeper.inProgress.begin(lookup.key)
        let task = refreshes.start("\(lookup.key.name) \(entry.variant)") {
            defer { engine.end(lookup) }
            // Another validation may have ended since the look-up.
            let lookup = await engine.reread(lookup)
            if engine.isInvalidated(lookup) { return }
            if let entry = lookup.selected,
                case .fresh = engine.rules.use(of: entry, for: lookup.request, at: engine.now())
            {
                return
            }
            // An error leaves the response stale: the next call tries again.
            _ = await withTimeLimit(limit, of: separate.clock) {
                try await engine.exchange(lookup, in: separate.limited(to: limit), through: next)
            }
        }
        if task == nil { engine.end(lookup) }
    }
}

extension Middleware where Self == HTTPCache {
    /// Returns the cache itself, for a chain of middlewares.
    /// - Parameter cache: The cache. Several transports may share a cache.
    /// - Returns: The cache.
    public static func cache(_ cache: HTTPCache) -> HTTPCache { cache }
}

extension HTTPCache: UsesStoredResponses {}

extension HTTPCache: Redacted {
    /// The name of the type.
    public var description: String { typeName(Self.self) }
}
