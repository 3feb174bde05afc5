import Testing

@testable import Bilayer

@Suite("Disk cache store: files that cannot be removed")
struct UnremovableFilesTests {
    private static let names = (0...UnremovableFiles.maximumNames).map { "\($0).entry" }

    /// When too many names are shown, one of them is dropped. Its file is hidden again, so its response is requested
    /// again.
    @Test func afterAllFilesWereHiddenABoundedNumberOfNamesIsShown() {
        var files = UnremovableFiles()
        files.hideAll()
        for name in Self.names {
            files.show(name)
            #expect(!files.contains(name))
        }
        #expect(Self.names.count { !files.contains($0) } == UnremovableFiles.maximumNames)
    }

    @Test func aNameThatIsShownTwiceDropsNoOther() {
        var files = UnremovableFiles()
        files.hideAll()
        for name in Self.names.dropLast() { files.show(name) }
        for name in Self.names.dropLast() { files.show(name) }
        #expect(Self.names.dropLast().allSatisfy { !files.contains($0) })
    }

    @Test func ifTooManyNamesAreHiddenAllAre() {
        var files = UnremovableFiles()
        for name in Self.names.dropLast() { files.hide(name) }
        #expect(!files.contains("other.entry"))
        for name in Self.names { files.hide(name) }
        #expect(files.contains("other.entry"))
        files.show("other.entry")
        #expect(!files.contains("other.entry"))
        files.hide("other.entry")
        #expect(files.contains("other.entry"))
    }
}
