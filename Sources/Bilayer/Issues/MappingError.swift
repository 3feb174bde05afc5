/// The error of the two mapping steps: one or more ``MappingIssue``s, each with its path in the document.
///
/// Code that converts a part of a document throws an error with a path relative to that part. The calling code prepends
/// its own component (``located(_:at:)-(_,JsonPath.Component)``). So a path is built only for an error, and each error
/// is wrapped exactly once, at any depth.
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
    /// The issues, in document order; never empty.
    public private(set) var issues: [MappingIssue]

    /// Makes an error of one issue.
    public init(_ issue: MappingIssue) {
        issues = [issue]
    }

    /// Makes an error of several issues.
    /// - Parameters:
    ///   - first: The first issue.
    ///   - rest: The others, in document order.
    public init(_ first: MappingIssue, _ rest: [MappingIssue]) {
        issues = [first] + rest
    }

    /// The path of the first issue.
    public var path: JsonPath { issues.first?.path ?? .root }

    /// This error with `component` prepended to its paths.
    public func prefixed(by component: JsonPath.Component) -> MappingError {
        prefixed(by: JsonPath([component]))
    }

    /// This error with `path` prepended to its paths.
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
    /// The error that a container throws for an `error` of the value at `component`.
    ///
    /// For a ``MappingError`` the component is prepended to its paths. Any other error becomes one issue at `component`
    /// with the error as ``MappingIssue/underlyingError``. A `CancellationError` is returned unchanged.
    /// - Parameters:
    ///   - error: The error of the value's conversion.
    ///   - component: The value's key or index in the container.
    /// - Returns: The error to throw.
    public static func located(_ error: any Error, at component: JsonPath.Component) -> any Error {
        located(error, at: JsonPath([component]))
    }

    /// The error to throw for an `error` of the value at `path`.
    public static func located(_ error: any Error, at path: JsonPath) -> any Error {
        if error is CancellationError { return error }
        return MappingError(wrapping: error).prefixed(by: path)
    }

    /// The error to throw for an `error` of a value that was read: its paths begin at `value`, where no value is known.
    @usableFromInline
    static func settingOrigin(of error: any Error, to value: Json?) -> any Error {
        guard let value, let error = error as? MappingError else { return error }
        return error.updatingIssues { $0.setOrigin(value) }
    }

    /// The error to throw for an `error` of a value that was read by hand: its paths lead from `value`.
    @usableFromInline
    static func settingContainer(of error: any Error, to value: Json?) -> any Error {
        guard let value, let error = error as? MappingError else { return error }
        return error.updatingIssues { $0.setContainer(value) }
    }

    /// The error of a value that was read by hand.
    init(_ issue: MappingIssue, in value: Json) {
        var issue = issue
        issue.setContainer(value)
        self.init(issue)
    }

    /// The error to throw, with the names of the types added to every issue without them.
    @usableFromInline
    static func owned(_ error: any Error, by owner: @autoclosure () -> String?) -> any Error {
        if error is CancellationError { return error }
        guard let owner = owner() else { return error }
        return MappingError(wrapping: error).updatingIssues { $0.owner = $0.owner ?? owner }
    }

    /// Any error as a mapping error: unchanged if it is one, else as the cause of one issue at the root.
    public init(wrapping error: any Error) {
        switch error {
        case let error as MappingError: self = error
        case let error as DecodingError: self.init(error)
        case let error as EncodingError: self.init(MappingIssue(error))
        case let error as any IssueSource: self = error.mappingError
        case let error as any Headlined:
            self.init(MappingIssue(.foreign, detail: error.headline, underlyingError: error))
        default: self.init(MappingIssue(.foreign, detail: describeForeign(error), underlyingError: error))
        }
    }
}

extension MappingError: Redacted {
    /// The issues, one on each line.
    public var description: String {
        issues.map(\.description).joined(separator: "\n")
    }
}
