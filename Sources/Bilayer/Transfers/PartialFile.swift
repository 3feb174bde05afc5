import Foundation

/// The bytes of a file that is not whole yet, beside the place where it goes, with what proves whose part they are.
///
/// A part that is kept has a fixed name, so that a later download finds it. Another one has a name of its own.
// Sendable: one iteration has it, which one task runs at a time; `file` and the counts are touched by that task alone.
final class PartialFile: @unchecked Sendable {
    let place: URL
    private(set) var count = 0
    private(set) var validator: EntityValidator?
    private let note: URL
    private let isKept: Bool
    private var file: FileHandle?
    private var isOver = false

    /// Opens the part of an earlier download if it is kept and complete with its validator, or makes an empty one.
    init(for target: URL, isKept: Bool) throws {
        let folder = target.deletingLastPathComponent()
        let name = isKept ? target.lastPathComponent : "\(target.lastPathComponent).\(UUID().uuidString)"
        place = folder.appendingPathComponent(".\(name).part")
        note = folder.appendingPathComponent(".\(name).validator")
        self.isKept = isKept
        if isKept, let value = try? String(contentsOf: note, encoding: .utf8),
            let open = try? FileHandle(forWritingTo: place)
        {
            file = open
            count = Int(try open.seekToEnd())
            validator = EntityValidator(value: value)
        } else {
            guard FileManager.default.createFile(atPath: place.path, contents: nil) else {
                throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: place.path])
            }
            file = try FileHandle(forWritingTo: place)
        }
    }

    deinit { end(keeping: isKept) }

    func append(_ chunk: Data) throws {
        try file?.write(contentsOf: chunk)
        count += chunk.count
    }

    /// Begins from the first byte.
    func restart() throws {
        try file?.truncate(atOffset: 0)
        count = 0
        try remember(nil)
    }

    /// Notes whose part the bytes are.
    func remember(_ validator: EntityValidator?) throws {
        guard validator != self.validator else { return }
        self.validator = validator
        guard isKept else { return }
        if let validator {
            try Data(validator.value.utf8).write(to: note, options: .atomic)
        } else {
            try? FileManager.default.removeItem(at: note)
        }
    }

    /// Writes everything to the disk.
    func close() throws {
        try file?.synchronize()
        try file?.close()
        file = nil
    }

    /// Puts the file in its place, in one step.
    func move(to target: URL) throws {
        guard replaceFile(at: target, by: place) else {
            throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: target.path])
        }
        isOver = true
        try? FileManager.default.removeItem(at: note)
    }

    /// Ends a download that has failed.
    /// - Parameter isKept: Whether the part is of use for a later one.
    func end(keeping isKept: Bool) {
        guard !isOver else { return }
        isOver = true
        try? file?.close()
        file = nil
        if isKept, validator != nil { return }
        try? FileManager.default.removeItem(at: place)
        try? FileManager.default.removeItem(at: note)
    }
}
