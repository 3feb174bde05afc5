/// Booleans that a server sometimes sends as `1`, `"true"` or `"yes"`: `@Formatted<FlexibleBool> var isOpen: Bool`.
/// A number or a text that is read as a Boolean is reported as a `coerced` issue.
public enum FlexibleBool: NamedFormat {
    /// A Boolean, or a number or text that means a Boolean.
    public static var format: ValueFormat<Bool> { .flexible }
}

extension ValueFormat where Value == Bool {
    /// `true` and `false`, the numbers 1 and 0, and the texts `true`, `yes`, `1`, `false`, `no`, `0`. The case of
    /// letters is ignored. Numbers and texts are reported as ``MappingIssue/Kind/coerced``. The format writes `true`
    /// and `false`.
    public static var flexible: Self {
        // Without an issue log nothing is reported, so a number is read directly from the index.
        .firstOf(.plain, .zeroOrOne, .yesOrNo)
            .reading { nodes, position in
                if let value = nodes.bool(at: position) { return value }
                guard IssueLog.current == nil, let number = Int.read(nodes, at: position) else { return nil }
                return number == 0 ? false : number == 1 ? true : nil
            }
    }

    /// The numbers 1 and 0, for reading and writing.
    public static var zeroOrOne: Self {
        Self("0 or 1", kind: .number) { raw in
            switch raw.int {
            case 0: false
            case 1: true
            default: nil
            }
        } write: {
            Json($0 ? 1 : 0)
        }
    }

    /// The texts `true`, `yes`, `1`, `false`, `no` and `0`. The case of letters is ignored. The format writes `true`
    /// and `false`.
    public static var yesOrNo: Self {
        Self(text: "\"true\" or \"false\"") { text in
            switch text.lowercased() {
            case "true", "yes", "1": true
            case "false", "no", "0": false
            default: nil
            }
        } write: {
            String($0)
        }
    }
}
