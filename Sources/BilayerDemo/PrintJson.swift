import Bilayer
import Foundation

/// Fetches an address without any layer on top: what comes back is the `Json` itself.
func printJson(at path: String, below baseURL: URL) async throws {
    // Braces would be the arguments of a path template.
    let literal = path.replacingOccurrences(of: "{", with: "%7B").replacingOccurrences(of: "}", with: "%7D")
    let json = try await Client(baseURL: baseURL).fetch(Route<Json>.get(literal))
    print(String(decoding: json.serialized(.pretty), as: UTF8.self))
}
