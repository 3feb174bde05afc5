/// The kind, the name and the variables of an operation in a document.
struct OperationHead: Hashable {
    fileprivate(set) var kind = GraphQLOperationKind.query
    fileprivate(set) var name: String?
    /// The names of the variables, in the order of their definitions.
    fileprivate(set) var variables: [String] = []

    /// Reads the operation with a name (GraphQL §6.1). Reads the first operation if `name` is `nil` or no operation has
    /// the name.
    init(of document: String, named name: String? = nil) {
        let heads = OperationHeads(document)
        self = heads.first { name == nil || $0.name == name } ?? heads.first { _ in true } ?? OperationHead()
    }

    fileprivate init() {}
}

/// The operations of a document, in their order.
private struct OperationHeads: Sequence, IteratorProtocol {
    private var rest: Substring.UTF8View
    /// How many braces and parentheses are open.
    private var depth = 0
    /// Whether the position is inside an operation or a fragment, before the end of its selection.
    private var isInDefinition = false

    init(_ document: String) { rest = Substring(document).utf8 }

    /// Reads the words outside braces and parentheses, up to the next operation. Skips comments and strings (GraphQL
    /// §2.1).
    mutating func next() -> OperationHead? {
        while let byte = rest.first {
            switch byte {
            case UInt8(ascii: "#"): rest = rest.afterComment
            case UInt8(ascii: "\""): rest = rest.afterString
            case UInt8(ascii: "{"), UInt8(ascii: "("):
                rest = rest.dropFirst()
                depth += 1
                // The short form of a query is a selection without the keyword `query`.
                guard depth == 1, byte == UInt8(ascii: "{"), !isInDefinition else { continue }
                isInDefinition = true
                return OperationHead()
            case UInt8(ascii: "}"), UInt8(ascii: ")"):
                rest = rest.dropFirst()
                depth -= 1
                if depth == 0, byte == UInt8(ascii: "}") { isInDefinition = false }
            case _ where byte.isNameByte:
                let word = Substring(rest.prefix { $0.isNameByte })
                rest = rest.dropFirst(word.utf8.count)
                guard depth == 0, !isInDefinition else { continue }
                let kind = GraphQLOperationKind(rawValue: String(word))
                isInDefinition = kind != nil || word == "fragment"
                guard let kind else { continue }
                var head = OperationHead()
                head.kind = kind
                head.name = rest.nextName
                head.variables = rest.variableNames
                return head
            default: rest = rest.dropFirst()
            }
        }
        return nil
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
