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
    let mark = log?.mark ?? 0
    do {
        let value = try body()
        if let log, log.mark > mark {
            log.relocate(since: mark, to: step(), owner: owner())
            log.place(since: mark, in: container())
        }
        return value
    } catch {
        if let log {
            log.relocate(since: mark, to: step(), owner: owner())
            log.place(since: mark, in: container())
            log.discard(since: mark)
        }
        let owned = MappingError.owned(error, by: owner())
        throw MappingError.placed(step().map { MappingError.located(owned, at: $0) } ?? owned, in: container())
    }
}

/// Maps the value at a coding path of a decoder.
func mapping<Value>(
    _ raw: Json,
    at path: @autoclosure () -> [any CodingKey],
    _ body: (Json) throws -> Value
) throws -> Value {
    let log = IssueLog.current
    let mark = log?.mark ?? 0
    defer { log?.relocate(since: mark, along: JsonPath(path())) }
    do {
        return try body(raw)
    } catch let error where !(error is CancellationError) {
        log?.discard(since: mark)
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
    let mark = log?.mark ?? 0
    defer {
        log?.relocate(since: mark, along: path())
        log?.place(since: mark, in: container)
    }
    do {
        return try body()
    } catch {
        log?.discard(since: mark)
        throw MappingError.placed(MappingError.located(error, at: path()), in: container)
    }
}

extension IssueLog {
    /// Prepends several path components, as ``relocate(since:to:owner:)`` does with one. The path is made only if there
    /// is an issue.
    fileprivate func relocate(since mark: Int, along path: @autoclosure () -> JsonPath) {
        guard self.mark > mark else { return }
        for step in path().components.reversed() { relocate(since: mark, to: step) }
    }
}
