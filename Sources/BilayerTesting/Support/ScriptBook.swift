import Bilayer
import Foundation

/// What is answered to which requests: for each method and path a list of answers, used up one by one, or a computed
/// one.
///
/// The one mechanism behind ``FaultServer`` and ``StubTransport``.
struct ScriptBook<Request: Sendable, Answer: Sendable>: Sendable {
    /// Gives the answer to a request. Computed ones run an app's code, which must not happen under a lock: whoever
    /// takes an answer out of the book calls it later.
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

    /// Takes the place of what was scripted there before.
    mutating func set(_ answers: [Answer], for method: HTTPMethod, _ path: String) {
        scripts[Place(method: method, target: path)] = .list(answers)
    }

    /// Takes the place of what was scripted there before.
    mutating func set(_ answering: @escaping Answering, for method: HTTPMethod, _ path: String) {
        scripts[Place(method: method, target: path)] = .computed(answering)
    }

    /// Takes the next answer; the last one of a list stays. A script with the request's query goes before one without.
    mutating func next(for method: HTTPMethod, _ target: String) -> Answering? {
        for target in [target, pathPart(of: target)] {
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

    /// The JSON body for a request that nothing is scripted for: says so, and what there is.
    func explanation(for method: HTTPMethod, _ target: String) -> Data {
        let known = scripts.keys.map { "\($0.method) \($0.target)" }.sorted()
        return errorBody("nothing is scripted for \(method) \(target)", scripted: known.joined(separator: ", "))
    }
}

/// A target up to its query.
func pathPart(of target: String) -> String { String(target.prefix { $0 != "?" }) }

/// The JSON body with which a test server or stub speaks for itself.
func errorBody(_ reason: String, scripted: String? = nil) -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let members = ["error": reason, "scripted": scripted].compactMapValues { $0 }
    return (try? encoder.encode(members)) ?? Data()
}
