/// A `Link` header field: targets and their relations (RFC 8288 §3).
struct LinkField {
    /// One link.
    struct Link {
        let target: String
        let relations: [String]
    }

    private(set) var links: [Link] = []

    /// Reads the links of all `Link` fields. In each field value, reading stops at the first text that is not a link.
    init(_ values: [String]) {
        for value in values {
            var reader = Reader(rest: value.unicodeScalars[...])
            while let link = reader.readLink() { links.append(link) }
        }
    }

    /// Returns the target of the first link that has the relation. Relations are compared without case (RFC 8288 §2.1).
    func target(of relation: String) -> String? {
        links.first { $0.relations.contains(relation.lowercased()) }?.target
    }
}

private struct Reader {
    var rest: Substring.UnicodeScalarView

    /// Reads one link: `<target>; name=value; …`. Skips commas before the link. Returns `nil` if no link follows.
    mutating func readLink() -> LinkField.Link? {
        skip { $0 == "," || $0.isBlank }
        guard take("<") else { return nil }
        let target = read { $0 != ">" }
        guard take(">") else { return nil }
        var relations: [String]?
        var hasContext = false
        skip(while: \.isBlank)
        while take(";") {
            skip(while: \.isBlank)
            let name = read { $0 != "=" && $0 != ";" && $0 != "," && !$0.isBlank }.lowercased()
            skip(while: \.isBlank)
            let value = take("=") ? readValue() : ""
            // Only the first `rel` counts (RFC 8288 §3.3). A link with `anchor` belongs to another resource (§3.2).
            if name == "rel", relations == nil { relations = value.lowercased().split(separator: " ").map(String.init) }
            if name == "anchor" { hasContext = true }
            skip(while: \.isBlank)
        }
        return LinkField.Link(target: target, relations: hasContext ? [] : relations ?? [])
    }

    private mutating func readValue() -> String {
        skip(while: \.isBlank)
        guard take("\"") else { return read { $0 != ";" && $0 != "," && !$0.isBlank } }
        return String(String.UnicodeScalarView(rest.popQuotedContent()))
    }

    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard rest.first == scalar else { return false }
        rest.removeFirst()
        return true
    }

    private mutating func read(while matches: (Unicode.Scalar) -> Bool) -> String {
        let text = rest.prefix(while: matches)
        rest = rest[text.endIndex...]
        return String(text)
    }

    private mutating func skip(while matches: (Unicode.Scalar) -> Bool) {
        rest = rest.drop(while: matches)
    }
}
