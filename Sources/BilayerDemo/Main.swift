import Foundation

@main
enum Main {
    static func main() async {
        do {
            switch try Command(arguments: Array(CommandLine.arguments.dropFirst())) {
            case .help: print(Command.usage)
            case .tour: try await Tour.run()
            case .fetch(let baseURL, let path): try await printJson(at: path, below: baseURL)
            }
        } catch let error as UsageError {
            fail("\(error)\n\n\(Command.usage)", status: 64)  // EX_USAGE of sysexits
        } catch {
            fail("\(error)", status: 1)
        }
    }

    private static func fail(_ message: String, status: Int32) -> Never {
        FileHandle.standardError.write(Data("BilayerDemo: \(message)\n".utf8))
        exit(status)
    }
}
