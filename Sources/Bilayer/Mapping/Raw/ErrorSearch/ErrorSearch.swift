import Foundation

/// Finds all errors of a `Codable` entry, after a reading that ended at the first error.
///
/// A synthesized `init(from:)` ends at the first bad field. The entry is read once more, object by object, and each
/// object continues after a failure (``runsAgain(after:_:)``):
///
/// - If other values of the mapping have shown which fields the object's type reads (``ReadShape``), the other fields
///   are read one by one. Of the app's code, only the code of the fields' types runs.
/// - Otherwise, or if the type around the object cannot continue without the object, a placeholder replaces the value
///   that failed (``PlaceholderValue``). The `init(from:)` of the object's type then runs again. All other values are
///   read from the JSON, each once. If the value that failed has no placeholder, no further run follows.
///
/// Errors that may follow from a placeholder are not reported. There are three kinds, all found after a placeholder was
/// used:
///
/// - errors that a type throws by itself;
/// - errors that do not occur with another placeholder;
/// - errors of a type whose `init(from:)` does not read like a synthesized one (``ReadShape``). Such a type may choose
///   its fields by a value that is a placeholder.
///
/// The values that this reading makes are discarded.
///
/// A decoding call runs on one thread, but a decoder that user code retains may be used on another.
final class ErrorSearch: Sendable {
    static let userInfoKey = CodingUserInfoKey(rawValue: "Bilayer.ErrorSearch")

    /// The JSON of the entry.
    private let entry: Json
    private let settings: JsonDecoder
    private let limit: Int
    let shapes: ReadShapes
    /// Which placeholders the reading uses.
    let choice: PlaceholderValue.Choice
    /// The numbers of errors and of placeholders so far.
    private let counts = Locked((found: 0, placeholders: 0))

    init(_ entry: Json, in mapping: MappingSession, _ choice: PlaceholderValue.Choice) {
        self.entry = entry
        settings = mapping.decoder
        limit = mapping.policy.issueLimit
        shapes = mapping.shapes
        self.choice = choice
    }

    /// Whether placeholders were used.
    var usedPlaceholders: Bool { counts.withLock { $0.placeholders > 0 } }

    /// Subtracts errors of a value that a default has replaced, or whose error the type has caught.
    func discount(_ count: Int) { counts.withLock { $0.found -= count } }

    /// Whether as many errors were found as the policy keeps.
    var isFull: Bool { counts.withLock { $0.found >= limit } }
}

/// The result of reading a part of an entry for its errors.
enum SearchResult<Value> {
    case value(Value)
    case failure(Failure)
    /// The part was not read, because the limit of errors is reached.
    case skipped
}

/// The errors of a part, and the value that is used in its place.
struct Failure {
    /// The error that ended the reading of the part.
    let error: any Error
    var issues: [MappingIssue] = []
    var placeholder: Any?
    /// What the part has reported before it failed. `nil` if it has reported nothing, or if its reports are still in
    /// the log.
    var reported: IssueLog.Part?
    /// What the part has recorded before it failed; `nil` if no keys are recorded.
    var keys: KeyRecord.Part?
    /// The number of its errors that the search has counted.
    var counted = 0
}

// MARK: - Reading

extension ErrorSearch {
    /// Reads the decoder's value.
    /// - Parameters:
    ///   - type: The type to read.
    ///   - decoder: The decoder of the value.
    ///   - needsValue: Whether the enclosing type cannot continue without a value.
    /// - Returns: The value, or its errors.
    /// - Throws: Only a `CancellationError`.
    func read<Value: Decodable>(
        _ type: Value.Type,
        of decoder: any Decoder,
        needingValue needsValue: Bool = false
    ) throws -> SearchResult<Value> {
        if isFull { return .skipped }
        let before = counts.withLock { $0.found }
        let result = try readCounting(type, of: decoder, needingValue: needsValue)
        guard case .failure(var failure) = result else { return result }
        failure.counted = counts.withLock { $0.found } - before
        return .failure(failure)
    }

    private func readCounting<Value: Decodable>(
        _ type: Value.Type,
        of decoder: any Decoder,
        needingValue needsValue: Bool
    ) throws -> SearchResult<Value> {
        let collection = type as? any ErrorSearchable.Type
        if let parts = try collection?.searched(from: decoder) { return parts.map { $0 as? Value } }
        // If `type` is a collection and the value is none, the value fails with the error of the type itself.
        if collection != nil || isLeaf(type) {
            return try leaf(type, at: decoder) { try decoder.singleValueContainer().decode(type) }
        }
        let before = counts.withLock { $0.found }
        let log = IssueLog.current
        let mark = log?.mark ?? .start
        let result = try frame(type, of: decoder, needingValue: needsValue)
        log?.setOwner(since: mark, inside: JsonPath(decoder.codingPath), by: ownerName(of: type))
        // Errors that the type has caught, to try an alternative or use a default, are not counted.
        counts.withLock { $0.found = before + result.issueCount }
        return result
    }

    /// Reads a value whose inner values are not searched: the decoder makes it by itself, or it is missing.
    func leaf<Value>(
        _ type: Value.Type,
        at parent: some Decoder,
        _ read: () throws -> Value
    ) throws -> SearchResult<Value> {
        let log = IssueLog.current
        let mark = log?.mark ?? .start
        do {
            return .value(try read())
        } catch {
            log?.settleAside(since: mark, after: error)
            return .failure(try failure(error, of: type, at: JsonPath(parent.codingPath)))
        }
    }

    /// Whether a value of the type is read as a whole, without a search inside the value.
    func isLeaf(_ type: Any.Type) -> Bool { settings.isLeaf(type) || type is any PlaceholderMaking.Type }

    /// Makes the failure of a part from its error. Throws the error if it is a `CancellationError`.
    func failure(_ error: any Error, of type: Any.Type, at path: JsonPath) throws -> Failure {
        if error is CancellationError { throw error }
        return Failure(error: error, issues: issues(of: error, at: path), placeholder: placeholder(for: type))
    }

    private func placeholder(for type: Any.Type) -> Any? { PlaceholderValue.value(of: type, choice) }

    private func issues(of error: any Error, at path: JsonPath) -> [MappingIssue] {
        switch error {
        case let error as MappingError: error.issues
        case let error as DecodingError: MappingError(error, in: entry, owner: nil).issues
        default: MappingError(wrapping: error).prefixed(by: path).issues
        }
    }

    /// Reads a value through its type's own `init(from:)`, repeatedly until no further error can be found.
    private func frame<Value: Decodable>(
        _ type: Value.Type,
        of decoder: any Decoder,
        needingValue needsValue: Bool
    ) throws -> SearchResult<Value> {
        let path = JsonPath(decoder.codingPath)
        do {
            try StackSpace.check()
        } catch {
            return .failure(try failure(MappingError.located(error, at: path), of: type, at: path))
        }
        let frame = SearchFrame(
            of: type,
            at: path,
            isKnown: shapes[type] != nil,
            needsValue: needsValue,
            choice,
            .inProgress(in: decoder)
        )
        let searching = SearchDecoder(decoder, frame, self)
        let log = IssueLog.current
        let mark = log?.mark ?? .start
        while true {
            frame.begin()
            do {
                let value = try searching.make(type)
                log?.settleAside(since: mark)
                if frame.hasPlaceholders, ReadShape(of: value, in: frame) == nil {
                    frame.removeUncertain()
                    searching.acceptUnknownKeys()
                }
                if let failure = frame.failure(placeholder: value) { return .failure(failure) }
                shapes.record(type, shape(of: value, in: searching))
                return .value(value)
            } catch {
                log?.settleAside(since: mark, after: error)
                frame.end(by: error)
                if try runsAgain(after: error, searching) { continue }
                if frame.hasPlaceholders, frame.isUnlikeSynthesized { frame.removeUncertain() }
                return .failure(frame.failure(placeholder: placeholder(for: type)) ?? Failure(error: error))
            }
        }
    }

    /// Returns the shape (``ReadShape``) that the reading of a value has shown; `nil` if the type has no shape. Before
    /// a new shape is accepted, each field is made to fail with each case of `DecodingError`. A type that continues
    /// after such a failure has no shape, unless it replaces the field by a default.
    private func shape<Value: Decodable>(of value: Value, in decoder: SearchDecoder) -> ReadShape? {
        let frame = decoder.frame
        guard var shape = ReadShape(of: value, in: frame) else { return nil }
        if let known = shapes.recorded(Value.self), known.covers(shape) { return shape }
        let log = IssueLog.current
        let mark = log?.mark ?? .start
        defer { log?.remove(since: mark) }
        let context = DecodingError.Context(codingPath: [], debugDescription: "")
        let (requests, lookedFor) = (frame.requests, frame.lookedFor)
        for request in requests {
            let failures: [DecodingError] = [
                .keyNotFound(PathKey(request.id.key), context), .typeMismatch(Value.self, context),
                .valueNotFound(Value.self, context), .dataCorrupted(context),
            ]
            for failure in failures where !frame.ends(at: request.id, failure, { _ = try decoder.make(Value.self) }) {
                guard frame.tolerated.contains(request.id.key) else { return nil }
                shape.record(tolerated: request.id.key)
            }
        }
        for key in lookedFor {
            for absence in [false, true].map({ SearchFrame.Absence(key: key, isNull: $0) })
            where !frame.fails(without: absence, { _ = try decoder.make(Value.self) }) {
                shape.record(dispensable: absence)
            }
        }
        return shape
    }

    /// Handles a run of an `init(from:)` that ended with `error`. Adds this error and, if possible, the errors of the
    /// fields after it.
    /// - Returns: Whether another run may find more errors.
    private func runsAgain(after error: any Error, _ decoder: SearchDecoder) throws -> Bool {
        if error is CancellationError { throw error }
        let frame = decoder.frame
        guard let request = frame.failure(behind: error) else {
            if frame.presume(error, issues: { issues(of: error, at: frame.path) }) { return true }
            // An error that a type throws by itself may follow from a placeholder, and is then not reported.
            if !frame.hasPlaceholders { frame.add(count(issues(of: error, at: frame.path))) }
            decoder.acceptUnknownKeys()
            return false
        }
        frame.add(issues(of: request, in: frame))
        // At the limit, the reading goes on if placeholders are in use, because only at the end of a type is it known
        // whether the errors found after the first placeholder count.
        if frame.needsPlaceholder(for: request), !isFull || usedPlaceholders,
            let placeholder = request.failure.placeholder, frame.replace(request, by: placeholder)
        {
            counts.withLock { $0.placeholders += 1 }
            return true
        }
        guard let shape = shapes[frame.type], let rest = shape.rest(after: request.id, in: frame) else {
            decoder.acceptUnknownKeys()
            return false
        }
        for other in rest {
            if let absence = try other.absence(in: decoder) {
                if shape.isDispensable(absence) { continue }
            } else if shape.tolerates(other.id.key) {
                continue
            }
            frame.add(try issues(of: other, in: decoder))
        }
        return false
    }

    /// Reads a further field of an object that failed, and returns the field's errors.
    private func issues(of request: any FieldRequest, in decoder: SearchDecoder) throws -> [MappingIssue] {
        if isFull { return [] }
        do {
            try request.perform(in: decoder)
            return []
        } catch {
            if error is CancellationError { throw error }
            return decoder.frame.failure(behind: error).map { issues(of: $0, in: decoder.frame) } ?? []
        }
    }

    private func issues(of request: FailedFieldRequest, in frame: SearchFrame) -> [MappingIssue] {
        if let keys = request.failure.keys { frame.record?.add(keys) }
        if let reported = request.failure.reported { IssueLog.current?.add(reported) }
        return request.isNested ? request.failure.issues : count(request.failure.issues)
    }

    private func count(_ issues: [MappingIssue]) -> [MappingIssue] {
        counts.withLock { $0.found += issues.count }
        return issues
    }
}

extension SearchResult {
    fileprivate var issueCount: Int {
        if case .failure(let failure) = self { failure.issues.count } else { 0 }
    }

    /// Returns the result for an optional property. After a failure, the placeholder is `nil` in the first reading. In
    /// the second it is a value, if the type has a placeholder.
    func optional(_ search: ErrorSearch) -> SearchResult<Value?> {
        switch self {
        case .value(let value): return .value(value)
        case .skipped: return .skipped
        case .failure(var failure):
            let placeholder = search.choice == .first ? nil : failure.placeholder as? Value
            failure.placeholder = .some(placeholder as Any)
            return .failure(failure)
        }
    }

    /// Joins the results of a collection's parts. If parts failed, the result has all of their errors, and its
    /// placeholder is a collection of the other parts.
    init<Part>(joining parts: some Sequence<SearchResult<Part>>, _ make: ([Part]) -> some Any) where Value == Any {
        var values: [Part] = []
        var issues: [MappingIssue] = []
        var error: (any Error)?
        for part in parts {
            switch part {
            case .value(let value): values.append(value)
            case .failure(let failure):
                error = error ?? failure.error
                issues += failure.issues
            case .skipped: continue
            }
        }
        let joined = make(values)
        self = error.map { .failure(Failure(error: $0, issues: issues, placeholder: joined)) } ?? .value(joined)
    }

    func map<Other>(_ transform: (Value) -> Other?) -> SearchResult<Other> {
        switch self {
        case .value(let value): transform(value).map(SearchResult<Other>.value) ?? .skipped
        case .failure(let failure):
            .failure(
                Failure(
                    error: failure.error,
                    issues: failure.issues,
                    placeholder: (failure.placeholder as? Value).flatMap(transform)
                )
            )
        case .skipped: .skipped
        }
    }
}
