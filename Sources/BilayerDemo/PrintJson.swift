import Bilayer
import Foundation

/// Fetches the JSON at an address, without an entry or a model, and prints it.
func printJson(at path: String, below baseURL: URL) async throws {
    // Escapes braces, because they would stand for arguments of a path template.
    let literal = path.replacingOccurrences(of: "{", with: "%7B").replacingOccurrences(of: "}", with: "%7D")
    let json = try await Client(baseURL: baseURL).fetch(Route<Json>.get(literal))
    print(String(decoding: json.serialized(.pretty), as: UTF8.self))
}
