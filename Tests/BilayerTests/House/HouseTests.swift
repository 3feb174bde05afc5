#if os(Linux)
import Foundation
import Testing

/// The rooms of the sources and their floors. A room uses only rooms on the floors below it.
///
/// `Architecture.md` in the documentation catalogue says what is in each room of the library. A new folder gets its
/// floor in ``House/library`` or ``House/testing``.
@Suite("The house: rooms, and arrows that point down")
struct HouseTests {
    @Test(arguments: House.all)
    func everyFolderHasItsFloor(house: House) throws {
        let rooms = Set(house.floors.joined())
        let folders = Set(try house.graph.files.map(SourceGraph.room))
        #expect(folders.subtracting(rooms).isEmpty, "rooms without a floor")
        #expect(rooms.subtracting(folders).isEmpty, "floors without a room")
    }

    @Test("the figure of the architecture has the rooms in the order of their floors")
    func theFigureIsRight() throws {
        let article = Compiler.repository.appending(path: "Sources/Bilayer/Bilayer.docc/Architecture.md")
        let figure = try String(contentsOf: article, encoding: .utf8).components(separatedBy: "```")[1]
        let rooms = figure.split(separator: "\n").dropFirst()
            .compactMap { $0.split(separator: " ").first.map(String.init) }
        let floors = rooms.map { room in
            House.library.floors.firstIndex { $0.contains { $0 == room || $0.hasPrefix(room + "/") } } ?? -1
        }
        #expect(floors == floors.sorted(by: >))
        let known = Set(House.library.floors.joined().compactMap { $0.split(separator: "/").first.map(String.init) })
        #expect(Set(rooms) == known)
    }

    /// The test counts the files that the tables name. `Tests/Ways/run` finds the files on a way that the article does
    /// not name.
    @Test("the tables of both ways have at most 25 files, which exist", arguments: ["request", "response"])
    func waysAreShort(way: String) throws {
        let article = Compiler.repository.appending(path: "Sources/Bilayer/Bilayer.docc/Architecture.md")
        let text = try String(contentsOf: article, encoding: .utf8)
        let section = try #require(text.components(separatedBy: "## The way of a \(way)\n").last)
        let rows = section.components(separatedBy: "\n## ")[0].split(separator: "\n").filter { $0.hasPrefix("| ") }
        let files = Set(rows.flatMap { $0.matches(of: /`([A-Z]\w+(?:\/[\w+]+)+)`/).map { String($0.1) } })
            .filter { !$0.hasPrefix("Transports/") }
        #expect((15...25).contains(files.count), "\(files.count)")
        let sources = Set(try House.library.graph.files)
        for file in files { #expect(sources.contains("Sources/Bilayer/\(file).swift"), "\(file)") }
    }

    @Test(arguments: House.all)
    func everyReferencePointsDown(house: House) throws {
        let floorOf = Dictionary(
            uniqueKeysWithValues: house.floors.enumerated().flatMap { floor, rooms in rooms.map { ($0, floor) } }
        )
        for use in try house.graph.uses {
            let (user, used) = (SourceGraph.room(of: use.user), SourceGraph.room(of: use.used))
            guard user != used, let floor = floorOf[user], let other = floorOf[used] else { continue }
            #expect(
                other < floor,
                "\(use.user) uses \(use.names.sorted().joined(separator: ", ")) of \(use.used), which is not below it"
            )
        }
    }

    @Test(arguments: House.all)
    func circlesOfFilesAreKnown(house: House) throws {
        let found = Set(try house.graph.circlesOfFiles)
        for circle in found {
            #expect(house.circles[circle] != nil, "a new circle of files: \(circle.sorted().joined(separator: ", "))")
            #expect(circle.count <= 5)
        }
        for circle in house.circles.keys where !found.contains(circle) {
            Issue.record("there is no such circle any more: \(circle.sorted().joined(separator: ", "))")
        }
    }
}
#endif
