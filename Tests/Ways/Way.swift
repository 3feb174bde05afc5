import Bilayer
import Foundation
import Synchronization

// Makes two calls of a route with plain `Codable` entries, for `run`. Records which code has run on the way of the
// request, and on that of the response. The first call fills the caches of types, and `run` evaluates the second one.

@_silgen_name("__llvm_profile_reset_counters") func resetCounters()
@_silgen_name("__llvm_profile_set_filename") func setFile(_ name: UnsafePointer<CChar>)
@_silgen_name("__llvm_profile_write_file") func writeFile() -> Int32

struct NewOrderEntry: Codable, RawMappable {
    struct Line: Codable {
        let sku: String
        let quantity: Int
    }

    let customer: String
    let note: String?
    let lines: [Line]
}

struct OrderEntry: Codable, RawMappable {
    struct Line: Codable {
        let sku: String
        let quantity: Int
    }

    let id: Int
    let customer: String
    let note: String?
    let lines: [Line]
}

struct NewOrder: DTOEncodable {
    let customer: String

    func toDTO() -> NewOrderEntry {
        let lines = [NewOrderEntry.Line(sku: "A-1", quantity: 2), NewOrderEntry.Line(sku: "B-2", quantity: 1)]
        return NewOrderEntry(customer: customer, note: nil, lines: lines)
    }
}

struct Order: DTODecodable {
    let id: Int

    static func from(dto: OrderEntry) -> Order { Order(id: dto.id) }
}

let round = Mutex(0)

/// Writes which code has run since the last call.
func note(_ way: String) {
    "\(CommandLine.arguments[1])/\(way)-\(round.withLock { $0 }).profraw".withCString { setFile($0) }
    if writeFile() != 0 { print("cannot write the \(way)") }
    resetCounters()
}

struct AnsweringTransport: Transport {
    func process(_ request: HTTPRequest, in context: CallContext) async throws -> HTTPResponse {
        note("request")
        let lines = #""lines":[{"sku":"A-1","quantity":2},{"sku":"B-2","quantity":1}]"#
        let body = #"[{"id":1,"customer":"Ada",\#(lines)},{"id":2,"customer":"Alan","note":"gift",\#(lines)}]"#
        let response = HTTPResponse(status: 200, headers: ["Content-Type": Json.mediaType], body: Data(body.utf8))
        resetCounters()
        return response
    }
}

let client = Client(
    baseURL: URL(string: "https://example.com/v1") ?? URL(fileURLWithPath: "/"),
    transport: AnsweringTransport()
)
let route = Route<[Order]>.post("orders", body: NewOrder(customer: "Ada"))
for number in 1...2 {
    round.withLock { $0 = number }
    resetCounters()
    _ = try await client.fetch(route)
    note("response")
}
