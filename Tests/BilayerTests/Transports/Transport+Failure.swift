import Bilayer
import Testing

extension Node where Input == HTTPRequest, Output == HTTPResponse {
    /// The error of a request; `nil` if there is a response. An error of another type is recorded as an issue.
    func failure(of request: HTTPRequest) async -> TransportError? {
        do {
            _ = try await process(request)
            return nil
        } catch let error as TransportError {
            return error
        } catch {
            Issue.record("expected a TransportError, found \(error)")
            return nil
        }
    }
}
