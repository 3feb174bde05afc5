/// Says which type of an ``Either`` was chosen, after both types had to be read.
enum EitherChoice {
    /// The first type: its value or error is the result.
    case first
    case second
    /// Neither type: the error names both.
    case neither
}

/// The choices for values inside an ``Either`` that is being read.
///
/// If the first type of the outer ``Either`` fails, the second type reads the same inner values again. With an
/// ``Either`` inside an ``Either``, the number of readings would double with each level. So a choice is made once, and
/// only the chosen type is read again. A value is then read at most twice for each level around it.
///
/// Choices are kept until the outermost ``Either`` is read. This applies only to values of this library's parsed text
/// and decoder. With other decoders, and for a ``Json`` made in code, each choice is made again.
final class EitherChoices: Sendable {
    @TaskLocal private static var bound: EitherChoices?

    /// The choices of the mapping in progress.
    static var current: EitherChoices? {
        guard let bound, bound.log === IssueLog.current else { return nil }
        return bound
    }

    private let log = IssueLog.current
    /// The decoding call that reads the outermost value.
    private let call: Int?
    private let state = Locked(State())

    private struct State {
        var choices: [Place: EitherChoice] = [:]
        /// The errors of trials. Their paths begin at the root of a decoding call, or at the value if it is no decoder's.
        var errors: [Place: (error: any Error, call: Int?)] = [:]
    }

    private init(_ source: EitherSource) { call = source.decoder?.state.context.call }

    /// Runs a reading. Its choices are kept until it ends.
    static func keeping<Value>(_ source: @autoclosure () -> EitherSource, _ read: () throws -> Value) rethrows -> Value
    {
        if current != nil { return try read() }
        return try $bound.withValue(EitherChoices(source()), operation: read)
    }

    /// Returns the choice for a value that was read before. In a trial, also returns the error of a value that failed,
    /// so that it need not be read again. Only the first errors are kept, because each has a path.
    func known(_ place: Place) -> (choice: EitherChoice, error: (any Error)?)? {
        state.withLock { state in
            let failed = state.errors[place].flatMap { $0.call == place.call ? $0.error : nil }
            return state.choices[place].map { ($0, failed) }
        }
    }

    func record(_ choice: EitherChoice, failedBy error: (any Error)?, at place: Place) {
        state.withLock { state in
            state.choices[place] = choice
            if let error, place.isTrial, state.errors.count < mostErrors { state.errors[place] = (error, place.call) }
        }
    }

    /// A value and the way to read it, which together determine the choice.
    struct Place: Hashable {
        // Retained, so that no other document gets its address.
        private let document: JsonDocument
        private let position: Int
        private let type: ObjectIdentifier
        private let decoder: ObjectIdentifier?
        private let isTolerant: Bool
        /// The decoding call; `nil` if the value is not read by a decoder. It is not a part of the identity.
        fileprivate let call: Int?
        fileprivate let isTrial = MappingSession.inProgress?.isTrial == true

        static func == (one: Place, other: Place) -> Bool {
            one.document === other.document && one.position == other.position && one.type == other.type
                && one.decoder == other.decoder && one.isTolerant == other.isTolerant && one.isTrial == other.isTrial
        }

        func hash(into hasher: inout Hasher) {
            hasher.combine(position)
            hasher.combine(type)
        }

        /// Identifies a value; returns `nil` if that is not possible.
        fileprivate init?(_ source: EitherSource, _ type: Any.Type, outermost: Int?) {
            self.type = ObjectIdentifier(type)
            call = source.decoder?.state.context.call
            switch source {
            case .json(let json):
                guard case .view(let document, let position) = json.storage else { return nil }
                (self.document, self.position) = (document, position)
                (decoder, isTolerant) = (nil, false)
            case .decoder(let decoder):
                // A decoding call that the app makes may have other settings, under which another type fits.
                guard let context = source.decoder?.state.context, let position = source.decoder?.state.position,
                    !context.isDetached, let document = context.document,
                    context.isOfMapping || context.call == outermost
                else { return nil }
                (self.document, self.position) = (document, position)
                (self.decoder, isTolerant) = (ObjectIdentifier(Swift.type(of: decoder)), context.isTolerant)
            }
        }
    }

    /// Returns the place of a value, or `nil` if it cannot be identified.
    func place(of source: EitherSource, as type: Any.Type) -> Place? { Place(source, type, outermost: call) }
}

/// The maximum number of errors that are kept. A chain of values inside each other is not longer.
private let mostErrors = 1_024

/// The source that an ``Either`` is read from.
enum EitherSource {
    case decoder(any Decoder)
    case json(Json)

    /// The value's decoder if it is this library's; otherwise `nil`.
    fileprivate var decoder: ValueDecoder? {
        guard case .decoder(let decoder) = self else { return nil }
        return decoder as? ValueDecoder ?? decoder.unwrapped as? ValueDecoder
    }

    /// Whether the value has inner containers, which may be of an ``Either``, too. Always false for another library's
    /// decoder, and true for a ``Json`` made in code.
    var isNested: Bool {
        switch self {
        case .decoder:
            guard let state = decoder?.state else { return false }
            return state.context.nodes.hasContainers(in: state.position)
        case .json(let json):
            guard case .view(let document, let position) = json.storage else { return true }
            return document.withNodes { $0.hasContainers(in: position) }
        }
    }
}

extension JsonNodes {
    /// Whether the value at a position is a container that has containers in it.
    fileprivate func hasContainers(in position: Int) -> Bool {
        guard tag(at: position).isContainer else { return false }
        let count = words.memberCount(at: position)
        let scalars = tag(at: position) == .object ? 2 * count : count
        return words.size(of: position) > IndexWord.wordsOfContainer + scalars
    }
}
