/// Replaces the secrets in requests and responses, so that a recording can be committed.
///
/// There is one method for each kind of content. Content inside of other content is passed to the method for its own
/// kind:
///
/// | Content | Method | Rule |
/// |---|---|---|
/// | the body of a message or part | `body` | by its media type: parts, a message, a form, or a text |
/// | a header field of a message or part | `field` | by its name; a value that is not secret is a text |
/// | an item of a query or form | `form` | by its name; a value that is not secret is a text |
/// | a text, or a string in JSON | `text` | JSON, GraphQL, or text with members, elements and addresses |
struct RecordingRedaction {
    /// A secret value.
    struct Secret: Equatable {
        let text: String
        /// The name that shows that the value is secret.
        let name: String
        var isNumber = false
    }

    let names: SecretNames
    /// Returns the text that replaces a secret. For a number, the text has only digits.
    let replace: (Secret) -> String
    /// Whether bodies are written for a ``Recording/RequestKey``. In this form, equal bodies have equal texts, and
    /// every body is text.
    private(set) var isKey = false
    private var depth = 0

    /// The text that replaces content that cannot be written without secrets.
    static let replacement = "redacted"
    /// The maximum nesting of texts and bodies that are searched. Deeper content is replaced as a whole, because each
    /// level uses the stack.
    private static let maximumDepth = 16

    init(_ names: SecretNames, replacingBy replace: @escaping (Secret) -> String) {
        self.names = names
        self.replace = replace
    }

    /// The redaction for the body of a ``Recording/RequestKey`` (``isKey``).
    var ofKey: RecordingRedaction {
        var redaction = self
        redaction.isKey = true
        return redaction
    }

    /// The redaction for the content of a text or a body; `nil` if the content is nested too deeply.
    var inside: RecordingRedaction? {
        guard depth < Self.maximumDepth else { return nil }
        var inside = self
        inside.depth += 1
        return inside
    }
}
