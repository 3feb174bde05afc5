extension MappingIssue {
    /// Makes the issue of an `EncodingError`, with the error's coding path. An unknown description is left out, because
    /// it may contain the value.
    init(_ error: EncodingError) {
        guard case .invalidValue(_, let context) = error else {
            self.init(.foreign, underlyingError: error)
            return
        }
        let isKnown = textsWithoutValues.contains(context.debugDescription)
        self.init(
            .invalidValue,
            path: JsonPath(context.codingPath),
            detail: isKnown ? context.debugDescription : nil,
            underlyingError: error
        )
    }
}

private let textsWithoutValues: Set<String> = [
    "JSON has no infinities and no NaN.", "JSON has no NaN.", "RFC 3339 has only the years 0 to 9999.",
    "Expected fewer nested values on this thread's stack.",
    "Expected one value at this coding path, found a second one.",
]
