/// The kind, the name and the variables of a document's first operation.
struct OperationHead: Hashable {
    private(set) var kind = GraphQLOperationKind.query
    private(set) var name: String?
    /// The names of the variables, in the order of their definitions.
    private(set) var variables: [String] = []

    /// Reads the words outside braces and parentheses, up to the first operation. Skips comments and strings (GraphQL
    /// §2.1).
    init(of document: String) {
        var rest = Substring(document).utf8
        var depth = 0
        var isFragment = false
        while let byte = rest.first {
            switch byte {
            case UInt8(ascii: "#"): rest = rest.afterComment
            case UInt8(ascii: "\""): rest = rest.afterString
            case UInt8(ascii: "{"), UInt8(ascii: "("):
                // The short form of a query is a selection without the keyword `query`.
                if depth == 0, byte == UInt8(ascii: "{"), !isFragment { return }
                depth += 1
                rest = rest.dropFirst()
            case UInt8(ascii: "}"), UInt8(ascii: ")"):
                depth -= 1
                if depth == 0, byte == UInt8(ascii: "}") { isFragment = false }
                rest = rest.dropFirst()
            case _ where byte.isNameByte:
                let word = Substring(rest.prefix { $0.isNameByte })
                rest = rest.dropFirst(word.utf8.count)
                guard depth == 0, !isFragment else { continue }
                if let kind = GraphQLOperationKind(rawValue: String(word)) {
                    self.kind = kind
                    name = rest.nextName
                    variables = rest.variableNames
                    return
                }
                isFragment = word == "fragment"
            default: rest = rest.dropFirst()
            }
        }
    }
}

extension Substring.UTF8View {
    /// Returns the text after the string or block string at the beginning of this text.
    fileprivate var afterString: Self {
        let block = "\"\"\"".utf8
        if starts(with: block) {
            var rest = dropFirst(3)
            while !rest.isEmpty, !rest.starts(with: block) {
                rest = rest.starts(with: "\\\"\"\"".utf8) ? rest.dropFirst(4) : rest.dropFirst()
            }
            return rest.dropFirst(3)
        }
        var rest = dropFirst()
        while let byte = rest.first, byte != UInt8(ascii: "\"") {
            rest = rest.dropFirst(byte == UInt8(ascii: "\\") ? 2 : 1)
        }
        return rest.dropFirst()
    }

    /// Returns the text after the comment at the beginning of this text.
    fileprivate var afterComment: Self { drop { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") } }

    /// The names of the variable definitions that follow; empty if the selection begins first (GraphQL §2.10).
    fileprivate var variableNames: [String] {
        var names: [String] = []
        var rest = self
        var depth = 0
        while let byte = rest.first {
            switch byte {
            case UInt8(ascii: "#"):
                rest = rest.afterComment
                continue
            case UInt8(ascii: "\""):
                rest = rest.afterString
                continue
            case UInt8(ascii: "{") where depth == 0: return names
            case UInt8(ascii: "("), UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: ")"), UInt8(ascii: "}"):
                depth -= 1
                if depth <= 0 { return names }
            case UInt8(ascii: "$"):
                if let name = rest.dropFirst().nextName { names.append(name) }
            default: break
            }
            rest = rest.dropFirst()
        }
        return names
    }

    /// The name that follows white space, commas and comments; `nil` if no name follows.
    fileprivate var nextName: String? {
        var rest = self
        while let byte = rest.first, byte <= 0x20 || byte == UInt8(ascii: ",") || byte == UInt8(ascii: "#") {
            rest = byte == UInt8(ascii: "#") ? rest.afterComment : rest.dropFirst()
        }
        let name = rest.prefix { $0.isNameByte }
        return name.isEmpty ? nil : String(Substring(name))
    }
}

extension UInt8 {
    /// Whether the byte is a letter, a digit or an underscore (GraphQL §2.1.9).
    fileprivate var isNameByte: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"): true
        default: false
        }
    }
}
