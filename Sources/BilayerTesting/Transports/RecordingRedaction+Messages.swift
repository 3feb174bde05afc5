import Bilayer
import Foundation

/// Fields that differ from run to run.
private let unstable: Set<HTTPHeaders.Name> = ["Date", "Age", "Content-Length", "Connection", "Keep-Alive"]

extension RecordingRedaction {
    /// Returns the key of a request, which is equal for a recorded request and its replay.
    func key(of request: HTTPRequest) -> Recording.RequestKey {
        let body = request.body?.data ?? request.body?.file.flatMap { try? RegularFile.contents(of: $0) }
        let mediaType = request.headers[.contentType].flatMap { MediaType($0) }
        return .init(
            method: "\(request.method)",
            target: target(of: request.url),
            body: body.map { bytes in
                // The secrets in compressed bytes are not found, so the whole bytes are one secret.
                if request.headers.isEncoded {
                    return replace(Secret(text: bytes.base64EncodedString(), name: "body"))
                }
                return String(decoding: ofKey.body(bytes, mediaType), as: UTF8.self)
            } ?? ""
        )
    }

    /// Returns the path and the query of a request's address without secrets. The query items are sorted by name.
    private func target(of url: URL) -> String {
        let parts = URLComponents(url: url, resolvingAgainstBaseURL: false)
        // Items with equal names are a list, so they keep their order.
        let items = (parts?.percentEncodedQueryItems ?? []).enumerated()
            .sorted { ($0.element.name, $0.offset) < ($1.element.name, $1.offset) }
            .map { "\($0.element.name)=\($0.element.value ?? "")" }
        let query = items.isEmpty ? "" : "?" + form(items.joined(separator: "&"), isQuery: true)
        return addresses(in: (parts?.percentEncodedPath ?? "")[...], isAddress: true) + query
    }

    /// Returns the path and the query of a response's address without secrets.
    func place(of url: URL) -> Recording.Place {
        let parts = URLComponents(url: url, resolvingAgainstBaseURL: false)
        return .init(
            path: addresses(in: (parts?.percentEncodedPath ?? "")[...], isAddress: true),
            query: parts?.percentEncodedQuery.map { form($0, isQuery: true) }
        )
    }

    func redacted(_ response: HTTPResponse) -> HTTPResponse {
        var fields = HTTPHeaders()
        let isDated = response.hasTimesAfterDate
        for field in response.headers where !unstable.contains(field.name) || field.name == .date && isDated {
            fields.append(self.field(field.name, field.value), for: field.name)
        }
        return HTTPResponse(
            status: response.status,
            headers: fields,
            body: body(response.body, response.mediaType)
        )
    }
}
