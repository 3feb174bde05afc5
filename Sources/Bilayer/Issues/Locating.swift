/// Runs the conversion of a nested value. Adds the value's path component and the names of the types to errors and to
/// reported issues.
/// - Parameters:
///   - step: The component.
///   - container: The enclosing value, if it is read by hand.
///   - owner: The names of the types.
///   - body: The conversion.
/// - Returns: The value.
/// - Throws: The error of the conversion, with the component and the names added.
@inlinable
func locating<Value>(
    at step: @autoclosure () -> JsonPath.Component?,
    in container: @autoclosure () -> Json? = nil,
    owner: @autoclosure () -> String? = nil,
    _ body: () throws -> Value
) throws -> Value {
    try placing(body) { log, mark in
        log.prefix(since: mark, by: step(), owner: owner())
        log.setContainer(container(), since: mark)
    } error: { error in
        let owned = MappingError.owned(error, by: owner())
        return MappingError.settingContainer(
            of: step().map { MappingError.located(owned, at: $0) } ?? owned,
            to: container()
        )
    }
}

/// Reads a nested value that is JSON, as ``locating(at:in:owner:_:)`` does. The app's code may keep a part of `value`
/// and read this part later, so issues that begin at such a part get its path in `value` first. It is a function of its
/// own, because a conversion of models, which has no such part, would otherwise take 1 % longer.
@inlinable
func locating<Value>(
    at step: @autoclosure () -> JsonPath.Component?,
    in container: @autoclosure () -> Json? = nil,
    of value: @autoclosure () -> Json?,
    owner: @autoclosure () -> String? = nil,
    _ body: () throws -> Value
) throws -> Value {
    try placing(body) { log, mark in
        log.setOrigin(value(), since: mark)
        log.prefix(since: mark, by: step(), owner: owner())
        log.setContainer(container(), since: mark)
    } error: { error in
        let owned = MappingError.owned(MappingError.settingOrigin(of: error, to: value()), by: owner())
        return MappingError.settingContainer(
            of: step().map { MappingError.located(owned, at: $0) } ?? owned,
            to: container()
        )
    }
}

/// Runs the conversion of a value that is several path components deep. ``locating(at:in:owner:_:)`` does this for one
/// component.
func locating<Value>(
    at path: @autoclosure () -> JsonPath,
    in container: Json? = nil,
    of value: Json? = nil,
    _ body: () throws -> Value
) throws -> Value {
    try placing(body) { log, mark in
        log.setOrigin(value, since: mark)
        log.prefix(since: mark, byPath: path())
        log.setContainer(container, since: mark)
    } error: { error in
        let error = MappingError.settingOrigin(of: error, to: value)
        return MappingError.settingContainer(of: MappingError.located(error, at: path()), to: container)
    }
}

/// Makes the JSON of a value that is several path components deep and is written by hand. The keys in the paths of its
/// issues are keys of the JSON, so no ``KeyNaming`` applies to them. The components of `path` may be property names.
func locatingJson(at path: @autoclosure () -> JsonPath, _ makeJson: () throws -> Json) throws -> Json {
    try placing(makeJson) { log, mark in
        log.keepKeys(since: mark)
        log.prefix(since: mark, byPath: path())
    } error: { error in
        if error is CancellationError { return error }
        return MappingError(wrapping: error).updatingIssues { $0.keepKeys() }.prefixed(by: path())
    }
}

/// Maps the value at a decoder's coding path. Issues get this path. A thrown error becomes a `DecodingError` with this
/// path, except for a `CancellationError`.
func mapping<Value>(
    _ raw: Json,
    at path: @autoclosure () -> [any CodingKey],
    _ body: (Json) throws -> Value
) throws -> Value {
    try placing {
        try body(raw)
    } issues: { log, mark in
        log.setOrigin(raw, since: mark)
        log.prefix(since: mark, byPath: JsonPath(path()))
    } error: { error in
        if error is CancellationError { return error }
        let error = MappingError(wrapping: error).updatingIssues { $0.setOrigin(raw) }
        // The paths in the text begin at the value. To compute a path in the document takes a step for each preceding
        // sibling. In a list with an error for each element, the time would be quadratic, and the text is rarely read.
        let text = error.updatingIssues { $0.forgetOrigin() }.description
        return DecodingError.dataCorrupted(.init(codingPath: path(), debugDescription: text, underlyingError: error))
    }
}

/// Runs a conversion, and passes its issues and its error to closures that add the path in the enclosing value. The
/// issues of a conversion that fails are set aside, because code may catch the error and continue.
@inlinable
func placing<Value>(
    _ body: () throws -> Value,
    issues place: (IssueLog, IssueLog.Mark) -> Void,
    error placed: (any Error) -> any Error
) throws -> Value {
    let log = IssueLog.current
    let mark = log?.mark ?? .start
    do {
        let value = try body()
        if let log, log.hasAdditions(since: mark) {
            log.settleAside(since: mark)
            place(log, mark)
        }
        return value
    } catch {
        if let log {
            // `setAside` compares this error with the errors of inner values. So it is called before `placed(error)`
            // changes the path.
            log.setAside(since: mark, failedBy: error)
            if log.hasAdditions(since: mark) { place(log, mark) }
        }
        throw placed(error)
    }
}

/// Runs a conversion whose issues and errors already have their paths. If it fails, the issues that it has reported are
/// set aside.
func settingAsideOnFailure<Value>(_ body: () throws -> Value) throws -> Value {
    try placing(body, issues: { _, _ in }, error: { $0 })
}

extension IssueLog {
    /// Prepends several path components, as ``prefix(since:by:owner:)`` does with one.
    fileprivate func prefix(since mark: Mark, byPath path: JsonPath) {
        guard hasAdditions(since: mark) else { return }
        rewrite(since: mark) { $0.prefix(by: path) }
        rewriteLosses(since: mark) { $0.prefix(by: path) }
    }

    /// Marks the keys in the paths of the issues since a mark as keys of the JSON.
    fileprivate func keepKeys(since mark: Mark) {
        if hasAdditions(since: mark) { rewrite(since: mark) { $0.keepKeys() } }
    }
}
