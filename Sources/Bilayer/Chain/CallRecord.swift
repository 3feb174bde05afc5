import Foundation

/// What the stages of one call leave for each other and for its error.
final class CallRecord: Sendable {}
