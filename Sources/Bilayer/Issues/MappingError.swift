/// What the two mapping steps throw: one or more ``MappingIssue``s, each with its place in the document.
///
/// Code that converts a part of a document throws with a path relative to that part; the code that holds the part puts
/// its own step in front (``located(_:at:)-(_,JsonPath.Component)``). So a path is built only when something failed,
/// and each error is wrapped exactly once, however deep it started.
///
/// ```swift
/// do {
///     let order = try Order.from(dto: orderEntry)
/// } catch let error as MappingError {
///     print(error.path)            // $.items[1].sku
///     print(error)                 // $.items[1].sku: missing, required by ItemEntry -> Item at Item.swift:12 from(dto:)
/// }
/// ```
public struct MappingError: Error, Sendable {
    /// The problems, in document order; the first is never missing.
    public private(set) var issues: [MappingIssue]

    /// Makes an error of one problem.
    public init(_ issue: MappingIssue) {
        issues = [issue]
    }

    /// Makes an error of several problems.
    /// - Parameters:
    ///   - first: The first problem.
    ///   - rest: The others, in document order.
    public init(_ first: MappingIssue, _ rest: [MappingIssue]) {
        issues = [first] + rest
    }

    /// The place of the first problem.
    public var path: JsonPath { issues.first?.path ?? .root }

    /// This error as seen from the container that holds the value at `component`.
    public func prefixed(by component: JsonPath.Component) -> MappingError {
        prefixed(by: JsonPath([component]))
    }

    /// This error as seen from the document that holds the value at `path`.
    public func prefixed(by path: JsonPath) -> MappingError {
        updatingIssues { $0.prefix(by: path) }
    }

    /// This error with every issue changed.
    public func updatingIssues(_ change: (inout MappingIssue) -> Void) -> MappingError {
        var copy = self
        for position in copy.issues.indices { change(&copy.issues[position]) }
        return copy
    }
}

extension MappingError {
    /// The error to throw on from a container, when `error` came out of the value at `component`.
    ///
    /// A ``MappingError`` gets the step put in front of its paths, any other error becomes one issue there that keeps
    /// it as ``MappingIssue/underlyingError``. A `CancellationError` comes back as it is.
    /// - Parameters:
    ///   - error: What the value's conversion threw.
    ///   - component: The value's place in the container.
    /// - Returns: What to throw.
    public static func located(_ error: any Error, at component: JsonPath.Component) -> any Error {
        located(error, at: JsonPath([component]))
    }

    /// The error to throw on, when `error` came out of the value at `path`.
    public static func located(_ error: any Error, at path: JsonPath) -> any Error {
        if error is CancellationError { return error }
        return MappingError(wrapping: error).prefixed(by: path)
    }

    /// The error to throw on, with the types at work put into every issue that does not name them yet.
    @usableFromInline
    static func owned(_ error: any Error, by owner: @autoclosure () -> String?) -> any Error {
        if error is CancellationError { return error }
        guard let owner = owner() else { return error }
        return MappingError(wrapping: error).updatingIssues { $0.owner = $0.owner ?? owner }
    }

    /// Any error as a mapping error: as it is if it is one, else as the cause of one issue at the root.
    public init(wrapping error: any Error) {
        switch error {
        case let error as MappingError: self = error
        case let error as DecodingError: self.init(error)
        case let error as EncodingError: self.init(MappingIssue(error))
        case let error as any Headlined:
            self.init(MappingIssue(.foreign, detail: error.headline, underlyingError: error))
        default: self.init(MappingIssue(.foreign, detail: describeForeign(error), underlyingError: error))
        }
    }
}

extension MappingError: Redacted {
    /// The problems, one a line.
    public var description: String {
        issues.map(\.description).joined(separator: "\n")
    }
}
