import Bilayer
import Foundation

extension Samples {
    static let mapping = [
        Sample("MappingError") { mappingErrors },
        Sample("MappingIssue") { mappingErrors.flatMap(\.issues) },
        Sample("MappingReport") { [await report()] },
        Sample("JsonPath") { [JsonPath([.key("scores"), .entry(secret), .index(1)]), JsonPath([AnyKey(secret)])] },
        Sample("JsonPath.Component") { [JsonPath.Component.entry(secret), JsonPath.Component.index(1)] },
        Sample("CollectingReporter") {
            let reporter = CollectingReporter()
            reporter.report(await report())
            return [reporter]
        },
        Sample("CountingReporter") {
            let reporter = CountingReporter(next: CollectingReporter())
            reporter.report(await report())
            return [reporter]
        },
        Sample("ClosureReporter") { [ClosureReporter { [secret] _ in _ = secret }] },
        Sample("ValueDisclosure") { [ValueDisclosure.all, ValueDisclosure.fields("items[].price")] },
        Sample("KeyNaming") {
            let naming = KeyNaming { $0.uppercased() }
            _ = naming.key(for: secret)
            return [naming]
        },
        Sample("CodingConventions") { [CodingConventions()] },
        Sample("ScalarFormats") { [ScalarFormats()] },
        Sample("ValueFormat") { [ValueFormat<Date>.rfc3339] },
        Sample("Discriminator") { [Discriminator<Json>.on("type", ["photo": { _ in Json(secret) }])] },
        Sample("Defaults") { [Defaults(ifMissing: secret, ifNull: secret, ifInvalid: secret)] },
        Sample("JsonDecoder") {
            var decoder = JsonDecoder()
            if let key = CodingUserInfoKey(rawValue: "token") { decoder.userInfo[key] = secret }
            return [decoder]
        },
        Sample("JsonEncoder") {
            var encoder = JsonEncoder()
            if let key = CodingUserInfoKey(rawValue: "token") { encoder.userInfo[key] = secret }
            return [encoder]
        },
        Sample("Json.Elements") { [Json([Json(secret)]).elements] },
        Sample("Json.Members") { [(["token": Json(secret)] as Json).members] },
        Sample("JsonSyntaxError") {
            ["\(secret)", "[\"\(secret)\\q\"]", "{\"\(secret)\" 1}", "[1,]", "\"\(secret)"]
                .compactMap { text in
                    do { _ = try Json(parsing: Data(text.utf8)) } catch { return error }
                    return nil
                }
        },
    ]

    private static func report() async -> MappingReport {
        MappingReport(issues: mappingErrors.flatMap(\.issues), context: await context())
    }
}
