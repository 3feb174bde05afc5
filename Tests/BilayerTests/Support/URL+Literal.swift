import Foundation

extension URL {
    /// An address that the test wrote itself. If it is invalid, the failure of the test shows it in a file address.
    init(_ text: StaticString) {
        self = URL(string: "\(text)") ?? URL(fileURLWithPath: "/not-a-URL/\(text)")
    }
}
