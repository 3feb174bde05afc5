import Bilayer
import Foundation

extension Samples {
    static let graphQL = [
        Sample("GraphQLError") { [error] },
        Sample("GraphQLError.Location") { [GraphQLError.Location(line: 1, column: 2)] },
        Sample("GraphQLFailure") { [failure].compactMap(\.self) },
        Sample("GraphQLFile") { [GraphQLFile(.data(body), name: secret)] },
        Sample("GraphQLFileError") {
            await errors(for: [GraphQLFile(.data(body), name: secret)]) { _ = try $0.toRaw() }
        },
        Sample("PersistedQueries") { [PersistedQueries()] },
        Sample("OperationBatching") { [OperationBatching()] },
    ]

    private static let error = GraphQLError(
        secret,
        at: [.key("trip"), .entry(secret)],
        extensions: ["code": Json(secret), "token": Json(secret)]
    )

    private static let failure = try? GraphQLFailure.from(
        raw: [
            "data": ["token": Json(secret)], "extensions": ["token": Json(secret)],
            "errors": [["message": Json(secret), "extensions": ["code": Json(secret)]]],
        ]
    )
}
