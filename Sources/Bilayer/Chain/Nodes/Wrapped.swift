extension Node {
    /// Wraps this node in a middleware. The last one added is the outermost.
    @inlinable
    public func wrapped<Wrapper: Middleware>(by middleware: Wrapper) -> Wrapped<Wrapper, Self>
    where Wrapper.Input == Input, Wrapper.Output == Output {
        Wrapped(middleware, around: self)
    }
}

/// A node with a middleware around it. Made by ``Node/wrapped(by:)``.
public struct Wrapped<Wrapper: Middleware, Inner: Node>: Node
where Wrapper.Input == Inner.Input, Wrapper.Output == Inner.Output {
    @usableFromInline let middleware: Wrapper
    @usableFromInline let inner: Inner

    @inlinable
    init(_ middleware: Wrapper, around inner: Inner) {
        self.middleware = middleware
        self.inner = inner
    }

    /// Calls the middleware with the input and the node inside.
    /// - Throws: The error of the middleware.
    @inlinable
    public func process(_ input: Inner.Input, in context: CallContext) async throws -> Inner.Output {
        guard Attempting<Inner>.isNeeded else {
            return try await middleware.intercept(input, in: context, next: inner)
        }
        return try await middleware.intercept(input, in: context, next: Attempting(inner))
    }
}

extension Wrapped: NodeDescribing {
    var stageNames: [String] {
        let name = (middleware as? any CustomStringConvertible)?.description ?? typeName(Wrapper.self)
        return ["\(name)(\(names(of: inner).joined(separator: " → ")))"]
    }

    var streamsResponses: Bool? { Bilayer.streamsResponses(of: inner) }

    var hasStore: Bool { middleware is any UsesStoredResponses || Bilayer.hasStore(inner) }

    var userMarks: Set<UserMark> {
        let marks = Bilayer.userMarks(of: inner)
        return (middleware as? any SendsForUser).map { marks.union([UserMark(now: $0.userSource)]) } ?? marks
    }
}
