import Bilayer
import Testing

@Suite("HTTPStatus")
struct HTTPStatusTests {
    @Test(arguments: [
        (99, ""), (100, "i"), (199, "i"), (200, "s"), (299, "s"), (300, "r"), (399, "r"), (400, "c"), (499, "c"),
        (500, "e"),
        (599, "e"), (600, ""), (0, ""), (-1, ""),
    ])
    func everyCodeHasAtMostOneClass(code: Int, letters: String) {
        let status = HTTPStatus(code)
        let classes = [
            (status.isInformational, "i"), (status.isSuccess, "s"), (status.isRedirection, "r"),
            (status.isClientError, "c"),
            (status.isServerError, "e"),
        ]
        #expect(classes.filter(\.0).map(\.1).joined() == letters)
    }

    @Test(arguments: [
        (200, "200 OK"), (204, "204 No Content"), (404, "404 Not Found"), (418, "418"),
        (422, "422 Unprocessable Content"),
        (599, "599"),
    ])
    func descriptionHasTheRegisteredPhrase(code: Int, text: String) {
        #expect(HTTPStatus(code).description == text)
    }

    @Test func literalsCompare() {
        #expect(HTTPStatus(404) == 404)
        #expect(HTTPStatus(404) != 405)
        for (status, code) in [(nil, 0), (503, 503)] as [(HTTPStatus?, Int)] { #expect((status ?? 0).code == code) }
    }
}
