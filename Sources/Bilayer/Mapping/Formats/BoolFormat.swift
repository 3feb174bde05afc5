/// Truth values that a server sometimes spells as `1`, `"true"` or `"yes"`, with a report each time:
/// `@Formatted<FlexibleBool> var isOpen: Bool`.
public enum FlexibleBool: NamedFormat {
    /// A truth value, or what stands for one.
    public static var format: ValueFormat<Bool> { .flexible }
}

extension ValueFormat where Value == Bool {
    /// `true` and `false`, and what stands for them: the numbers 1 and 0, and the texts `true`, `yes`, `1`, `false`,
    /// `no`, `0` in letters of either case. The latter are reported as ``MappingIssue/Kind/coerced``. Written as `true`
    /// and `false`.
    public static var flexible: Self { .firstOf(.plain, .zeroOrOne, .yesOrNo) }

    /// The numbers 1 and 0, read and written so.
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

    /// The texts `true`, `yes`, `1`, `false`, `no` and `0` in letters of either case. Written as `true` and `false`.
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
