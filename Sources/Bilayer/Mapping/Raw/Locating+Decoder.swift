extension Decoder {
    /// Maps the decoder's value. Issues get paths from the decoder's root, as all issues from a `Decoder` do. A thrown
    /// error, except for a `CancellationError`, becomes a `DecodingError`, which all decoding code can salvage, collect
    /// and unwrap. If the app made the decoder, or uses it after its mapping has ended, its settings also apply to
    /// entries inside the value.
    func mapping<Value>(_ body: (Json) throws -> Value) throws -> Value {
        let raw = try Json(from: self)
        guard let settings = settingsOfEntries else {
            do {
                return try Bilayer.mapping(raw, at: codingPath, body)
            } catch {
                if let mapping = MappingSession.inProgress, mapping.isTrial {
                    mapping.record(error, inTrialOf: raw, as: Value.self)
                }
                throw error
            }
        }
        return try MappingSession(decoder: settings).run { try Bilayer.mapping(raw, at: codingPath, body) }
    }

    /// The settings for entries inside the decoder's value; `nil` if the settings of the mapping in progress apply.
    private var settingsOfEntries: JsonDecoder? {
        guard let context = (self as? ValueDecoder ?? unwrapped as? ValueDecoder)?.state.context else { return nil }
        if context.isOfMapping {
            // Without a log, the mapping of the decoder has ended, and code has stored the decoder. Plain settings are
            // tested first, because most mappings have them.
            return !context.hasPlainSettings && IssueLog.current == nil ? context.settings : nil
        }
        let isMappedPlainly = MappingSession.inProgress?.decoder.isPlain ?? true
        return isMappedPlainly && context.settings.isPlain ? nil : context.settings
    }
}

extension Encoder {
    /// Writes a value's raw form into this encoder. Issues and errors get paths from the encoder's root. If the app
    /// made the encoder, its settings also apply to entries inside the value.
    /// - Throws: What the encoder throws; ``MappingError`` for an error of `makeRaw` other than a `CancellationError`,
    ///   or if the thread's stack is too small for another value that is written by hand. The stack is checked here,
    ///   because each such value begins a new call of the encoder. A call does not count the levels of the calls around
    ///   it.
    func write(_ makeRaw: () throws -> Json) throws {
        do { try StackSpace.check() } catch { throw MappingError.located(error, at: JsonPath(codingPath)) }
        func raw() throws -> Json { try locatingJson(at: JsonPath(codingPath), makeRaw) }
        guard let settings = (self as? ValueEncoder)?.settingsOfApp,
            !settings.isPlain || MappingSession.inProgress?.encoder.isPlain == false
        else { return try raw().encode(to: self) }
        try MappingSession(encoder: settings).run(raw).encode(to: self)
    }

    /// Writes a value in a format into this encoder.
    func write<Value>(_ value: Value, as format: ValueFormat<Value>) throws {
        let raw: Json
        do {
            raw = try format.write(value)
        } catch {
            throw MappingError.located(error, at: JsonPath(codingPath))
        }
        try raw.encode(to: self)
    }
}
