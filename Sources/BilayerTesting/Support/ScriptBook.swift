import Bilayer
import Foundation

/// The scripts of a server or stub: for each method and path a list of answers, used one after the other, or a closure.
///
/// ``FaultServer`` and ``StubTransport`` share this type.
struct ScriptBook<Request: Sendable, Answer: Sendable>: Sendable {
    /// Returns the answer to a request. A closure runs an app's code, which must not happen under a lock, so the caller
    /// of ``ScriptBook`` runs it later.
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

    /// Replaces an earlier script of the method and path.
    mutating func set(_ answers: [Answer], for method: HTTPMethod, _ path: String) {
        scripts[Place(method: method, target: path)] = .list(answers)
    }

    /// Replaces an earlier script of the method and path.
    mutating func set(_ answering: @escaping Answering, for method: HTTPMethod, _ path: String) {
        scripts[Place(method: method, target: path)] = .computed(answering)
    }

    /// Takes the next answer; the last one of a list stays. A script with the request's query takes precedence.
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

    /// The patterns that match a path, the one with the fewest open segments first.
    private func patterns(for method: HTTPMethod, _ path: String) -> [String] {
        scripts.keys.filter { $0.method == method }
            .compactMap { place in openSegments(of: place.target, matching: path).map { ($0, place.target) } }
            .sorted { $0 < $1 }
            .map(\.1)
    }

    /// The JSON body for a request without a script: names the request and the existing scripts.
    func explanation(for method: HTTPMethod, _ target: String) -> Data {
        errorBody("nothing is scripted for \(method) \(target)", scripted: known)
    }

    /// The methods and paths with a script.
    var known: String { scripts.keys.map { "\($0.method) \($0.target)" }.sorted().joined(separator: ", ") }
}

/// A target up to its query.
func pathPart(of target: String) -> String { String(target.prefix { $0 != "?" }) }

/// How many segments of a pattern (`/users/{id}`) are open, `nil` if it does not match the path or has none.
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

/// The JSON body of a response that the test server or stub makes itself.
func errorBody(_ reason: String, scripted: String? = nil) -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let members = ["error": reason, "scripted": scripted].compactMapValues { $0 }
    return (try? encoder.encode(members)) ?? Data()
}
