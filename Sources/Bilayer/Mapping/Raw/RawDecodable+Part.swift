extension RawDecodable where Raw == Json {
    /// Reads an element or a member of a container. The code of the type may keep a part of `raw` and read this part
    /// later. The paths of such issues then begin at `raw`, too.
    static func from(part raw: Json) throws -> Self { try locating(at: nil, of: raw) { try Self.from(raw: raw) } }
}
