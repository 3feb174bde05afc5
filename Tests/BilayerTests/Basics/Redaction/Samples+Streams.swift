import Bilayer
import BilayerTesting
import Foundation

extension Samples {
    static let streams = [
        Sample("StreamFormat") { [StreamFormat.serverSentEvents(named: [secret], endingWith: secret)] },
        Sample("StreamedElement") { [StreamedElement(body, event: secret, id: secret)] },
        Sample("StreamPosition") { [StreamPosition(lastEventID: secret)] },
        Sample("StreamFormatError") { [StreamFormatError("found a list, expected lines")] },
        Sample("ModelStream") { [stream] },
        Sample("ModelStream.AsyncIterator") { [stream.makeAsyncIterator()] },
        Sample("EventStream") { [stream.events] },
        Sample("EventStream.AsyncIterator") { [stream.events.makeAsyncIterator()] },
        Sample("StreamEvent") {
            var events = stream.events.makeAsyncIterator()
            return [try? await events.next()].compactMap(\.self)
        },
        Sample("Upload") { [upload] },
        Sample("Upload.AsyncIterator") { [upload.makeAsyncIterator()] },
        Sample("UploadEvent") {
            [UploadEvent.answer(secret), UploadEvent<String>.progress(TransferProgress(bytes: 1))]
        },
        Sample("Download") { [download] },
        Sample("Download.AsyncIterator") { [download.makeAsyncIterator()] },
        Sample("DownloadEvent") {
            [DownloadEvent.finished(place), DownloadEvent.progress(TransferProgress(bytes: 1))]
        },
    ]

    static let webSockets = [
        Sample("WebSocketMessage") { [WebSocketMessage.text(secret), WebSocketMessage.data(body)] },
        Sample("WebSocketClosedError") { [WebSocketClosedError(.policyViolation, reason: secret)] },
        Sample("WebSocket") { [await socket].compactMap(\.self) },
        Sample("WebSocket.AsyncIterator") { [await socket?.makeAsyncIterator()].compactMap(\.self) },
        Sample("StubWebSocket") { [peer] },
        Sample("Recording") { [await recording] },
        Sample("ReplayingTransport") { [ReplayingTransport(await recording)] },
        Sample("SubscriptionsOverWebSocket") { [SubscriptionsOverWebSocket { Json(secret) }] },
    ]

    private static var recording: Recording {
        get async {
            let recorder = RecordingTransport(StubTransport(.text(secret)))
            if let url = URL(string: "https://example.com/\(secret)") {
                _ = try? await recorder.process(HTTPRequest(url: url, headers: ["X": secret]))
            }
            return recorder.recording()
        }
    }

    private static var peer: StubWebSocket {
        let peer = StubWebSocket()
        peer.push(.text(secret))
        return peer
    }

    private static var socket: WebSocket<String, String>? {
        get async {
            guard let url = URL(string: "https://example.com/\(secret)") else { return nil }
            let client = Client(baseURL: url, transport: StubTransport(.webSocket(peer)))
            return try? await client.webSocket(Route<String>.get("x"), sending: String.self)
        }
    }

    private static let place = URL(fileURLWithPath: "/tmp/\(secret)/\(secret)")
    private static let client = Client(
        baseURL: url,
        transport: AnyNode { _, _ in
            HTTPResponse(
                status: 200,
                headers: [.contentType: "text/event-stream"],
                body: Data("event: \(secret)\nid: \(secret)\ndata: \"\(secret)\"\n\n".utf8)
            )
        }
    )
    private static let stream = client.stream(Route<Json>.get("a"), as: .serverSentEvents)
    private static let upload = client.upload(Route<Json>.post("a", body: Json(secret)))
    private static let download = client.download(.get("a"), to: place)
}
