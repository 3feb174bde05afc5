import Foundation
import Testing

@testable import Bilayer

/// The rule that all middlewares and transports share.
@Suite("Whether a request may be sent again")
struct RepetitionTests {
    @Test(arguments: RetryPolicy.idempotentMethods) func anIdempotentMethodMayBeRepeated(method: HTTPMethod) {
        #expect(CallContext().mayRepeat(HTTPRequest(method: method, url: address)))
    }

    @Test(arguments: [HTTPMethod.post, .patch, "PURGE"]) func anotherMethodNeedsAKey(method: HTTPMethod) {
        var request = HTTPRequest(method: method, url: address)
        let note = "\(method) without an Idempotency-Key is not sent again"
        #expect(CallContext().obstacle(toRepeating: request) == note)
        request.headers[.idempotencyKey] = ""
        #expect(CallContext().obstacle(toRepeating: request) == note)
        request.headers[.idempotencyKey] = "k1"
        #expect(CallContext().mayRepeat(request))
    }

    @Test(arguments: [HTTPMethod.get, .post], [false, true])
    func theCallReplacesTheRuleOfTheMethod(method: HTTPMethod, isAllowed: Bool) {
        var options = CallOptions()
        options[CallRepetition.self] = CallRepetition(isAllowed: isAllowed)
        let context = CallContext(options: options)
        var request = HTTPRequest(method: method, url: address)
        #expect(context.mayRepeat(request) == isAllowed)
        request.headers[.idempotencyKey] = "k1"
        #expect(context.mayRepeat(request))
    }

    @Test func theMethodsOfAPolicyReplaceTheIdempotentOnes() {
        let context = CallContext()
        let (get, post) = (HTTPRequest(url: address), HTTPRequest(method: .post, url: address))
        #expect(context.obstacle(toRepeating: post, idempotent: [.post]) == nil)
        #expect(context.obstacle(toRepeating: get, idempotent: [.post]) != nil)
    }

    @Test func aBodyThatCanBeSentOnceIsAnObstacleForEachRequest() {
        let body = HTTPBody.stream { AsyncStream<Data> { $0.finish() } }
        let request = HTTPRequest(method: .put, url: address, headers: [.idempotencyKey: "k1"], body: body)
        #expect(CallContext().obstacle(toRepeating: request) == "its body can be sent once")
    }
}

private let address = URL("https://api.example.com/orders")
