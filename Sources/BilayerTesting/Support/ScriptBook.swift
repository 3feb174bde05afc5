import Bilayer
import Foundation

/// The scripts of a server or stub. For a method and path, a script is a closure, or a list of answers that are used in
/// order.
///
/// ``FaultServer`` and ``StubTransport`` use this type.
struct ScriptBook<Request: Sendable, Answer: Sendable>: Sendable {
    /// Returns the answer to a request. It can run a closure of the app, which must not run under a lock. So the code
    /// that uses a ``ScriptBook`` releases its lock before it calls an `Answering`.
    typealias Answering = @Sendable (Request) -> Answer

    private struct Place: Hashable {
        let method: HTTPMethod
        let target: String
    }

    private enum Script {
        case list([Answer])
        case computed(Answering)
    }

    private var scripts: [Place: Script] = [:]

    /// Sets the list of answers for a method and path. Replaces an earlier script.
    mutating func set(_ answers: [Answer], for method: HTTPMethod, _ path: String) {
        scripts[Place(method: method, target: path)] = .list(answers)
    }

    /// Sets the closure for a method and path. Replaces an earlier script.
    mutating func set(_ answering: @escaping Answering, for method: HTTPMethod, _ path: String) {
        scripts[Place(method: method, target: path)] = .computed(answering)
    }

    /// Returns a closure that returns the next answer; `nil` if no script matches. The last answer of a list is used
    /// again. A script for the request's exact query takes precedence, then one for its exact path, then a pattern.
    mutating func next(for method: HTTPMethod, _ target: String) -> Answering? {
        for target in [target, pathPart(of: target)] + patterns(for: method, pathPart(of: target)) {
            let place = Place(method: method, target: target)
            switch scripts[place] {
            case .computed(let answering):
                return answering
            case .list(let answers):
                guard let answer = answers.first else { continue }
                if answers.count > 1 { scripts[place] = .list(Array(answers.dropFirst())) }
                return { _ in answer }
            case nil:
                continue
            }
        }
        return nil
    }

    /// Returns the patterns that match a path, the pattern with the fewest segments in braces first.
    private func patterns(for method: HTTPMethod, _ path: String) -> [String] {
        scripts.keys.filter { $0.method == method }
            .compactMap { place in openSegments(of: place.target, matching: path).map { ($0, place.target) } }
            .sorted { $0 < $1 }
            .map(\.1)
    }

    /// Returns the JSON body for a request without a script. It names the request and the existing scripts.
    func explanation(for method: HTTPMethod, _ target: String) -> Data {
        errorBody("nothing is scripted for \(method) \(target)", scripted: known)
    }

    /// The methods and paths of all scripts, as text.
    var known: String { scripts.keys.map { "\($0.method) \($0.target)" }.sorted().joined(separator: ", ") }
}

/// Returns the part of a target before its query.
func pathPart(of target: String) -> String { String(target.prefix { $0 != "?" }) }

/// Returns the number of segments in braces of a pattern such as `/users/{id}`. Returns `nil` if the pattern has none
/// or does not match the path.
private func openSegments(of pattern: String, matching path: String) -> Int? {
    let segments = pattern.split(separator: "/", omittingEmptySubsequences: false)
    let found = path.split(separator: "/", omittingEmptySubsequences: false)
    guard segments.count == found.count else { return nil }
    var count = 0
    for (segment, part) in zip(segments, found) where segment != part {
        guard segment.hasPrefix("{"), segment.hasSuffix("}"), !part.isEmpty else { return nil }
        count += 1
    }
    return count > 0 ? count : nil
}

/// Returns the JSON body of a response that the test server makes itself. It does this for a request that is invalid or
/// has no script.
func errorBody(_ reason: String, scripted: String? = nil) -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let members = ["error": reason, "scripted": scripted].compactMapValues { $0 }
    return (try? encoder.encode(members)) ?? Data()
}
