/// Runs a conversion of a nested value. Adds its path component and the names of the types to errors and to reported
/// issues.
/// - Parameters:
///   - step: The component.
///   - container: The value that the component leads from, if it is read.
///   - owner: The names of the types.
///   - body: The conversion.
/// - Returns: The value.
/// - Throws: The error of the conversion, located.
@inlinable
func locating<Value>(
    at step: @autoclosure () -> JsonPath.Component?,
    in container: @autoclosure () -> Json? = nil,
    owner: @autoclosure () -> String? = nil,
    _ body: () throws -> Value
) throws -> Value {
    let log = IssueLog.current
    let mark = log?.mark ?? .start
    do {
        let value = try body()
        if let log, log.hasIssues(since: mark) {
            log.prefix(since: mark, by: step(), owner: owner())
            log.setOrigin(container(), since: mark)
        }
        return value
    } catch {
        if let log {
            log.prefix(since: mark, by: step(), owner: owner())
            log.setOrigin(container(), since: mark)
            log.markDiscarded(since: mark)
        }
        let owned = MappingError.owned(error, by: owner())
        throw MappingError.settingOrigin(
            of: step().map { MappingError.located(owned, at: $0) } ?? owned,
            to: container()
        )
    }
}

/// Maps the value at a coding path of a decoder.
func mapping<Value>(
    _ raw: Json,
    at path: @autoclosure () -> [any CodingKey],
    _ body: (Json) throws -> Value
) throws -> Value {
    let log = IssueLog.current
    let mark = log?.mark ?? .start
    defer { log?.prefix(since: mark, byPath: JsonPath(path())) }
    do {
        return try body(raw)
    } catch let error where !(error is CancellationError) {
        log?.markDiscarded(since: mark)
        let error = (error as? MappingError) ?? MappingError(wrapping: error)
        throw DecodingError.dataCorrupted(
            .init(codingPath: path(), debugDescription: error.description, underlyingError: error)
        )
    }
}

/// Runs a conversion of a value several path components deep, as ``locating(at:in:owner:_:)`` does for one component.
func locating<Value>(
    at path: @autoclosure () -> JsonPath,
    in container: Json? = nil,
    _ body: () throws -> Value
) throws -> Value {
    let log = IssueLog.current
    let mark = log?.mark ?? .start
    defer {
        log?.prefix(since: mark, byPath: path())
        log?.setOrigin(container, since: mark)
    }
    do {
        return try body()
    } catch {
        log?.markDiscarded(since: mark)
        throw MappingError.settingOrigin(of: MappingError.located(error, at: path()), to: container)
    }
}

extension IssueLog {
    /// Prepends several path components, as ``prefix(since:by:owner:)`` does with one. The path is made only if there
    /// is an issue.
    fileprivate func prefix(since mark: Mark, byPath path: @autoclosure () -> JsonPath) {
        guard hasIssues(since: mark) else { return }
        for step in path().components.reversed() { prefix(since: mark, by: step) }
    }
}
