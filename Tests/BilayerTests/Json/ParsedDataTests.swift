import Bilayer
import Foundation
import Testing

/// A text of 64 bytes or more is shared with the caller's `Data`, not copied. Even so, a later change of the `Data`
/// must not change the value.
@Suite("A value keeps its text when the data that it was parsed from is changed")
struct ParsedDataTests {
    enum Change: CaseIterable { case subscripts, unsafeBytes, mutableData }

    @Test("by any way of changing it, for copied and for shared texts", arguments: Change.allCases, [8, 63, 64, 5_000])
    func changed(change: Change, length: Int) throws {
        let text = #"["\#(String(repeating: "a", count: length - 4))"]"#
        #expect(text.utf8.count == length)
        let json: Json
        switch change {
        case .subscripts:
            var data = Data(text.utf8)
            json = try Json(parsing: data)
            for index in data.indices { data[index] = UInt8(ascii: "x") }
        case .unsafeBytes:
            var data = Data(text.utf8)
            json = try Json(parsing: data)
            // Bound: `initializeMemory` fills exactly the buffer.
            unsafe data.withUnsafeMutableBytes { unsafe _ = $0.initializeMemory(as: UInt8.self, repeating: 0x78) }
            #expect(data == Data(repeating: 0x78, count: length))
        case .mutableData:
            let source = NSMutableData(data: Data(text.utf8))
            json = try Json(parsing: Data(referencing: source))
            let crosses = Data(repeating: 0x78, count: length)
            // Bound: both have the same length.
            unsafe crosses.withUnsafeBytes { bytes in
                if let start = bytes.baseAddress {
                    unsafe source.replaceBytes(in: NSRange(location: 0, length: length), withBytes: start)
                }
            }
            #expect(source.isEqual(to: crosses))
        }
        #expect(json.serialized() == Data(text.utf8))
        #expect(json[0]?.string == String(repeating: "a", count: length - 4))
    }
}
