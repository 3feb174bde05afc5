import Bilayer
import BilayerTesting
import Foundation
import Testing

@testable import Bilayer

@Suite("HTTP cache: the cases of RFC 9111", .timeLimit(.minutes(5)))
struct HTTPCacheCasesTests {
    @Test(arguments: CacheRow.all)
    func theSecondResponseComesFromTheRightPlace(row: CacheRow) async throws {
        let bench = CacheBench(isShared: row.isShared)
        let first = StubTransport.Answer { [clock = bench.clock] _, _ in
            clock.advance(by: row.taking)
            var headers = row.with
            if headers[.date] == nil { headers[.date] = HTTPDate.text(of: clock.now) }
            if headers[.date] == "-" { headers[.date] = nil }
            return HTTPResponse(status: row.status, headers: headers, body: Data("first".utf8))
        }
        bench.stub.on(.get, "/users", first)
        _ = try await bench.ask(.get, row.asking)
        if let (method, status, headers) = row.between {
            bench.reply(method, status, headers, "between")
            _ = try? await bench.ask(method, ["Cache-Control": "no-cache"])
        }
        bench.clock.advance(by: row.after)
        bench.reply(row.method, row.thenStatus, row.thenWith, "second")
        let before = bench.stub.requests.count

        let outcome: CacheRow.Outcome
        var response: HTTPResponse?
        do {
            let received = try await bench.ask(row.method, row.thenAsking)
            outcome = .response(try #require(received.cacheStatus), received.status)
            response = received
        } catch {
            outcome = .failure
        }
        #expect(outcome == row.expected)
        let sent = bench.stub.requests.dropFirst(before).first
        for (name, value) in row.sends { #expect(sent?.headers[name] ?? "" == value) }
        for (name, value) in row.returns { #expect(response?.headers[name] ?? "" == value) }
        if case .response(let status, _) = outcome, row.method == .get, row.status != 204,
            row.thenStatus != 304 || status == .revalidated
        {
            let isStored = [.hit, .stale, .revalidated].contains(status)
            let body = response?.status == 504 ? "" : isStored ? "first" : "second"
            #expect(response.map { String(decoding: $0.body, as: UTF8.self) } == body)
        }
        await bench.cache.settle()
        #expect(bench.exchanges == 0)
    }

    @Test func theTableIsLongAndNamesItsSections() {
        #expect(CacheRow.all.count >= 80)
        #expect(CacheRow.all.allSatisfy { !$0.section.isEmpty })
        #expect(Set(CacheRow.all.map(\.testDescription)).count == CacheRow.all.count)
    }
}
