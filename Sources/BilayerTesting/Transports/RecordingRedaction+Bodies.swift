import Bilayer
import Foundation

extension RecordingRedaction {
    /// A body without secrets: parts, a message, a form, or a text. Other bytes stay as they are.
    ///
    /// In the identity of a request JSON has one spelling, texts are UTF-8, and bytes that are no text are in base64.
    func body(_ bytes: Data, _ mediaType: MediaType?) -> Data {
        let shown = inside?.content(bytes, mediaType) ?? Data(Self.replacement.utf8)
        return isKey && String(data: shown, encoding: .utf8) == nil ? shown.base64EncodedData() : shown
    }

    private func content(_ bytes: Data, _ mediaType: MediaType?) -> Data {
        if let boundary = mediaType?.boundary, let parts = self.parts(of: bytes, between: boundary) { return parts }
        if mediaType?.isMessage == true { return part(bytes) }
        guard let body = BodyText(bytes, mediaType) else { return bytes }
        let shown = mediaType?.isForm == true ? form(body.text) : isKey ? canonical(body.text) : text(body.text)
        if shown == body.text, body.isGuess || !isKey { return bytes }
        return shown.data(using: isKey ? .utf8 : body.encoding) ?? Data(Self.replacement.utf8)
    }

    /// JSON in one spelling without secrets; other text as it is.
    private func canonical(_ text: String) -> String {
        guard let json = try? Json(parsing: text) else { return self.text(text) }
        return String(decoding: (redacted(json) ?? json).serialized(.sortedKeys), as: UTF8.self)
    }
}

extension MediaType {
    fileprivate var boundary: String? { essence.hasPrefix("multipart/") ? parameters["boundary"] : nil }
    /// Whether the body has header fields and a body of its own (RFC 9112 §10, RFC 2046 §5.2.1).
    fileprivate var isMessage: Bool { essence == "application/http" || essence.hasPrefix("message/") }
    var isForm: Bool { essence == "application/x-www-form-urlencoded" }
}
