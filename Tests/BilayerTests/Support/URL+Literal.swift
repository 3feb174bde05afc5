import Foundation

extension URL {
    /// An address that the test wrote itself; a mistake in it shows as a file address in the failure.
    init(_ text: StaticString) {
        self = URL(string: "\(text)") ?? URL(fileURLWithPath: "/not-a-URL/\(text)")
    }
}
