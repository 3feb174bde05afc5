import Foundation

/// What middlewares have chosen for the requests of a run.
struct MiddlewareChoices {
    /// The base addresses that requests were sent to, each once, the last one at the end.
    var bases: [URL] = []
}
