/// The error of the two mapping steps: one or more ``MappingIssue``s, each with its path in the document.
///
/// Code that converts a part of a document throws an error with a path relative to that part. The calling code prepends
/// its own path component (``located(_:at:)-(_,JsonPath.Component)``). So a path is built only for an error or an
/// issue, and an error is not wrapped again at each level.
///
/// ```swift
/// do {
///     let order = try Order.from(dto: orderEntry)
/// } catch let error as MappingError {
///     print(error.path)            // $.items[1].sku
///     print(error)
///     // $.items[1].sku: missing: expected String, required by ItemEntry -> Item at Item.swift:12 from(dto:)
/// }
/// ```
public struct MappingError: Error, Sendable {
    /// The issues, in the order in which the mapping found them; never empty.
    public private(set) var issues: [MappingIssue]

    /// Makes an error of one issue.
    public init(_ issue: MappingIssue) {
        issues = [issue]
    }

    /// Makes an error of several issues.
    /// - Parameters:
    ///   - first: The first issue.
    ///   - rest: The other issues, in their order.
    public init(_ first: MappingIssue, _ rest: [MappingIssue]) {
        issues = [first] + rest
    }

    /// The path of the first issue.
    public var path: JsonPath { issues.first?.path ?? .root }

    /// Returns this error with `component` prepended to its paths.
    public func prefixed(by component: JsonPath.Component) -> MappingError {
        prefixed(by: JsonPath([component]))
    }

    /// Returns this error with `path` prepended to its paths.
    public func prefixed(by path: JsonPath) -> MappingError {
        updatingIssues { $0.prefix(by: path) }
    }

    /// Returns this error with every issue changed by a closure.
    public func updatingIssues(_ change: (inout MappingIssue) -> Void) -> MappingError {
        var copy = self
        for position in copy.issues.indices { change(&copy.issues[position]) }
        return copy
    }
}

extension MappingError {
    /// Makes the error of warnings that a policy treats as errors; `nil` if there are none.
    init?(refusing warnings: [MappingIssue]) {
        let errors = warnings.map { warning in
            var error = warning
            error.severity = .error
            return error
        }
        guard let first = errors.first else { return nil }
        self.init(first, Array(errors.dropFirst()))
    }

    /// Returns the error that a container throws if the value at `component` failed with `error`.
    ///
    /// For a ``MappingError`` the component is prepended to its paths. Any other error is converted as by
    /// ``init(wrapping:)``, and its paths begin with `component`. A `CancellationError` is returned unchanged.
    /// - Parameters:
    ///   - error: The error of the value's conversion.
    ///   - component: The value's key or index in the container.
    /// - Returns: The error to throw.
    public static func located(_ error: any Error, at component: JsonPath.Component) -> any Error {
        located(error, at: JsonPath([component]))
    }

    /// Returns the error to throw if the value at `path` failed with `error`. The components of `path` are prepended.
    /// ``located(_:at:)-(_,JsonPath.Component)`` does this for one component.
    public static func located(_ error: any Error, at path: JsonPath) -> any Error {
        if error is CancellationError { return error }
        return MappingError(wrapping: error).prefixed(by: path)
    }

    /// Returns the error to throw if the `init(from:)` or `encode(to:)` of the value at `path` failed with `error`.
    ///
    /// The paths of a ``MappingError`` that an app's code throws begin at the value, for example after
    /// `require(that:)`. The paths of one that a tool of this library throws begin at the coder's root, so their first
    /// components are `path`. The paths of a part that is read by hand are completed later (``MappingIssue/origin``).
    static func located(_ error: any Error, inValueAt path: @autoclosure () -> JsonPath) -> any Error {
        // The types are compared first, because a cast takes much longer.
        guard type(of: error) == MappingError.self, let error = error as? MappingError else { return error }
        let path = path()
        return error.updatingIssues { issue in
            if issue.origin == nil, !issue.localPath.components.starts(with: path.components) { issue.prefix(by: path) }
        }
    }

    /// Returns the error to throw if reading `value` failed with `error`. If it is not known yet at which value the
    /// path of an issue begins (``MappingIssue/origin``), the path begins at `value`.
    @usableFromInline
    static func settingOrigin(of error: any Error, to value: Json?) -> any Error {
        guard let value, let error = error as? MappingError else { return error }
        return error.updatingIssues { $0.setOrigin(value) }
    }

    /// Returns the error to throw if reading `value` by hand failed with `error`: see
    /// ``MappingIssue/setContainer(_:)``.
    @usableFromInline
    static func settingContainer(of error: any Error, to value: Json?) -> any Error {
        guard let value, let error = error as? MappingError else { return error }
        return error.updatingIssues { $0.setContainer(value) }
    }

    /// Makes the error of a value that was read by hand.
    init(_ issue: MappingIssue, in value: Json) {
        var issue = issue
        issue.setContainer(value)
        self.init(issue)
    }

    /// Returns the error to throw. Issues that name no type (``MappingIssue/owner``) get `owner`.
    @usableFromInline
    static func owned(_ error: any Error, by owner: @autoclosure () -> String?) -> any Error {
        if error is CancellationError { return error }
        guard let owner = owner() else { return error }
        return MappingError(wrapping: error).updatingIssues { $0.owner = $0.owner ?? owner }
    }

    /// Converts any error to a mapping error. A ``MappingError`` is unchanged. A `DecodingError` or `EncodingError`
    /// becomes issues at its coding path. A ``GraphQLFailure`` becomes one issue for each of its errors. Any other
    /// error becomes the ``MappingIssue/underlyingError`` of one issue at the root.
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
