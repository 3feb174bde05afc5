extension MappingIssue {
    /// Makes the issue of an `EncodingError`, with the error's coding path. An unknown description is left out, because
    /// it may contain the value.
    init(_ error: EncodingError) {
        guard case .invalidValue(let value, let context) = error else {
            self.init(.foreign, underlyingError: error)
            return
        }
        let isNonfinite = nonfinite.contains(context.debugDescription)
        self.init(
            .invalidValue,
            path: JsonPath(context.codingPath),
            expected: isNonfinite ? "a finite number" : nil,
            found: isNonfinite ? .init(type: typeName(type(of: value))) : nil,
            detail: !isNonfinite && isKnown(context.debugDescription) ? context.debugDescription : nil,
            underlyingError: error
        )
    }
}

/// The descriptions of numbers that JSON does not have.
private let nonfinite: Set<String> = ["JSON has no infinities and no NaN.", "JSON has no NaN."]

/// Whether a description is a text of this library, which never contains the value.
private func isKnown(_ description: String) -> Bool {
    // A limit of the library is the only number in such a text. The name of a type is no value.
    descriptions.contains(description.filter { !$0.isNumber }) || description.hasSuffix(" did not encode anything.")
}

private let descriptions: Set<String> = [
    "RFC  has only the years  to .",
    "Expected one value at this coding path, found a second one.", "A second value of another form at one place.",
    "A nested container for a key that has a value.", "The path goes through the value of another key.",
    "Only a member of an object can be absent.", "Expected fewer nested values on this thread's stack.",
    "Expected at most  nested arrays and objects, found more.",
    "Expected at most  values inside each other, found more.",
    "Expected at most  levels of nesting.", "The encoding has ended.",
    "The encoding that this container belongs to has ended.",
]
