import Foundation
import Testing

@testable import layout_gallery

/// The gallery as it was when somebody last looked at it: the program writes the same bytes everywhere.
///
/// Who changes how layouts or pictures look runs the program, looks at every picture that is named here as
/// another, and takes over its line as the test prints it.
@Suite("Kept gallery") struct KeptGalleryTests {
    /// FNV-1a over the bytes of every file.
    private static let kept = [
        "chat-opened.svg": "abce862b960096c4",
        "chat-scrolled.svg": "7ae3f6108b39d046",
        "chat-update.svg": "579ab0b062ff6c20",
        "composed-horizontal.svg": "50d865e2a5cf1040",
        "composed-sections.svg": "c7e9b9ad5a31b33e",
        "composed-sticky-0.svg": "15d1c5291e7bcb8a",
        "composed-sticky-150.svg": "1e5bd279cf10a443",
        "composed-sticky-300.svg": "19b8a8a74e729903",
        "estimates-flow.svg": "1bbf94aa61c6c0fe",
        "estimates-list.svg": "9a4b70fec3c62f73",
        "flow-columns-narrow.svg": "c962885da3a6e8f5",
        "flow-columns-wide.svg": "99526a6dcdec5fd3",
        "flow-grid.svg": "ce9bccd768ee7237",
        "flow-horizontal-start.svg": "c1cecde896f8bb18",
        "flow-metrics-contexts.svg": "39ebc8fe02e4bf58",
        "flow-metrics-moved.svg": "a976733f68146d8f",
        "flow-pinned-0.svg": "cf1cb2eaa243fa6e",
        "flow-pinned-140.svg": "6c01953008fedda4",
        "flow-pinned-190.svg": "9e69c3cfbc860511",
        "flow-pinned-70.svg": "e3aa7370201da6c9",
        "flow-right-to-left-horizontal.svg": "c480ceea842fc929",
        "flow-right-to-left-vertical.svg": "768fd3849d5c2f38",
        "flow-texts.svg": "fe344d73101312a6",
        "flow-updates-items.svg": "c353230cd0dc9ed9",
        "flow-updates-sections.svg": "6179da401ff13673",
        "index.html": "3e5401779c21708b",
        "list-animation-edits.svg": "b62725312cbe5391",
        "list-animation-halfway.svg": "1371465d8f0bfe17",
        "list-scrolled.svg": "e92139a511d8352d",
        "list-top.svg": "8478044b0babef3f",
        "list-updates-rows.svg": "ad92d6f93a2590fe",
        "list-updates-sections.svg": "eef36a79e45fb390",
        "masonry-updates-items.svg": "192e5cb6f71ce15b",
        "masonry-updates-sections.svg": "f7652185c505b967",
        "own-fan.svg": "f2419dd8ca214253",
        "pager-dragged.svg": "497d5a8092ddca23",
        "pager-flung.svg": "64a28484aaee4a83",
        "ranges-backwards.svg": "15e28f024fcb8ead",
        "ranges-forwards.svg": "74a892a6167c1e3a",
        "ranges-further.svg": "bbe117ba154838ed",
        "ranges-low-memory.svg": "2384d044b2f31315",
        "ranges-top.svg": "1cfba90a7c3ca3d7",
    ]

    private func digest(_ data: Data) -> String {
        let value = data.reduce(0xCBF2_9CE4_8422_2325) { (value: UInt64, byte) in
            (value ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
        }
        let text = String(value, radix: 16)
        return String(repeating: "0", count: 16 - text.count) + text
    }

    @Test func everyFileIsWrittenAsItWasLookedAt() async throws {
        try await inTemporaryFolder { folder in
            let path = folder.appending(path: "made/for/it").path()
            var (output, errors): ([String], [String]) = ([], [])
            let code = await LayoutGallery.run(
                arguments: ["--output", path],
                output: {
                    output.append($0)
                    return true
                },
                errors: {
                    errors.append($0)
                    return true
                }
            )
            #expect(code == .success && errors.isEmpty)
            #expect(output == ["41 pictures in \(path); open \(path)/index.html"])
            let names = try FileManager.default.contentsOfDirectory(atPath: path)
            #expect(names.sorted() == Self.kept.keys.sorted())
            for name in names.sorted() {
                let file = URL(fileURLWithPath: path).appending(path: name)
                let digest = try digest(Data(contentsOf: file))
                #expect(digest == Self.kept[name], "now it is \"\(name)\": \"\(digest)\",")
            }
        }
    }
}
