import Foundation

/// A choice of the payload values that a report may show. By default a report shows none.
///
/// Reports contain types and lengths. A reporter can disclose the values of single fields that are no secrets:
///
/// ```swift
/// struct ConsoleReporter: MappingReporter {
///     func report(_ report: MappingReport) {
///         print(report.showing(.fields("status", "items[].price")))      // … found string (5 characters), "9,90€"
///     }
/// }
/// ```
public struct ValueDisclosure: Sendable {
    private let isShown: @Sendable (JsonPath) -> Bool
    private let showsContainers: Bool

    private init(containers: Bool, _ isShown: @escaping @Sendable (JsonPath) -> Bool) {
        showsContainers = containers
        self.isShown = isShown
    }

    /// Shows no value.
    public static let none = ValueDisclosure(containers: false) { _ in false }

    /// Shows every value. Use it on a developer's own screen, never for logs.
    public static let all = ValueDisclosure(containers: true) { _ in true }

    /// Shows the values of some fields only. Objects and arrays are not shown, because their members may be secrets.
    /// - Parameter paths: The paths of the fields from the document's root, with empty brackets for any index and `*`
    ///   for any key of a dictionary: `items[].price`, `prices.*`.
    /// - Returns: The choice.
    public static func fields(_ paths: String...) -> ValueDisclosure {
        let shown = Set(paths.map { $0.hasPrefix("$") ? $0 : $0.hasPrefix("[") ? "$" + $0 : "$." + $0 })
        return ValueDisclosure(containers: false) { shown.contains($0.withoutIndices) }
    }

    fileprivate func text(of issue: MappingIssue, in document: Json) -> String? {
        guard isShown(issue.path), let value = (issue.origin ?? document).value(at: issue.localPath) else { return nil }
        if !showsContainers, value.kind == .object || value.kind == .array { return nil }
        return Self.shortened(String(decoding: value.serialized(), as: UTF8.self))
    }

    /// Whether a value may be shown.
    func shows(_ path: JsonPath, isContainer: Bool) -> Bool { isShown(path) && (showsContainers || !isContainer) }

    /// Returns a value's text, cut after ``limit`` characters.
    static func shortened(_ text: String) -> String { text.count > limit ? text.prefix(limit) + "…" : text }

    /// The maximum number of characters to show of one value.
    private static let limit = 100
}

extension MappingReport {
    /// Returns a copy of the report whose descriptions show some of the values found at the paths of its issues.
    /// - Parameters:
    ///   - values: The values to show.
    ///   - document: The mapped document; by default the body of the response, or of the request in a report of the
    ///     request's side.
    /// - Returns: The report.
    public func showing(_ values: ValueDisclosure, in document: Json? = nil) -> MappingReport {
        guard let document = document ?? body.flatMap({ try? Json(parsing: $0) }) else { return self }
        var copy = self
        for position in issues.indices { copy.issues[position].show(values, in: document) }
        return copy
    }

    private var body: Data? {
        switch side {
        case .request: request?.body?.data
        case .transport: nil
        case .response: response?.body
        }
    }
}

extension MappingIssue {
    fileprivate mutating func show(_ values: ValueDisclosure, in document: Json) {
        shownValue = values.text(of: self, in: document)
        for position in causes.indices { causes[position].show(values, in: document) }
    }
}

extension ValueDisclosure: Redacted {
    /// The name of the type.
    public var description: String { typeName(Self.self) }
}
