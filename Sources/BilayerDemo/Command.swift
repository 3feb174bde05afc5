import Foundation

/// The options of the command line.
enum Command: Equatable {
    case tour
    case fetch(baseURL: URL, path: String)
    case help

    static let usage = """
        Usage:
          BilayerDemo                               calls a server of its own and shows what every stage does
          BilayerDemo --base-url URL --path PATH    fetches PATH below URL and prints the Json
          BilayerDemo --help                        prints this
        """

    init(arguments: [String]) throws {
        var values: [String: String] = [:]
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            if argument == "--help" || argument == "-h" {
                self = .help
                return
            }
            let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            let option = parts[0]
            guard ["--base-url", "--path"].contains(option) else { throw UsageError("unknown argument \(argument)") }
            guard let value = parts.count == 2 ? parts[1] : rest.popFirst() else {
                throw UsageError("\(option) needs a value")
            }
            guard values.updateValue(value, forKey: option) == nil else { throw UsageError("\(option) is there twice") }
        }
        self = try Command(baseURL: values["--base-url"], path: values["--path"])
    }

    private init(baseURL: String?, path: String?) throws {
        switch (baseURL, path) {
        case (nil, nil): self = .tour
        case (nil, _?): throw UsageError("--path needs --base-url")
        case (_?, nil): throw UsageError("--base-url needs --path")
        case (let baseURL?, let path?): self = .fetch(baseURL: try address(baseURL), path: path)
        }
    }
}

/// The error of an invalid command line.
struct UsageError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

private func address(_ text: String) throws -> URL {
    guard let url = URL(string: text), ["http", "https"].contains(url.scheme?.lowercased()),
        url.host()?.isEmpty == false
    else { throw UsageError("--base-url: expected an http or https address, found \(text)") }
    return url
}
