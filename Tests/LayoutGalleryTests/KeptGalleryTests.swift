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
        "composed-horizontal.svg": "0c8aa5818cfa8c6f",
        "composed-sections.svg": "59c617bba4e17dc9",
        "composed-sticky-0.svg": "b7b7ef281823546d",
        "composed-sticky-150.svg": "23f4735f9aa41dc4",
        "composed-sticky-300.svg": "d0f01521a24c2398",
        "estimates-flow.svg": "8a532d09304e1fca",
        "estimates-list.svg": "e7eb63c8cd31abfb",
        "flow-columns-narrow.svg": "035d38222ddfd118",
        "flow-columns-wide.svg": "c7538fec3fdcc286",
        "flow-grid.svg": "b59ca1c4d1d95678",
        "flow-horizontal-start.svg": "c672cfb5d0401d33",
        "flow-metrics-contexts.svg": "b9726ec73b10519f",
        "flow-metrics-moved.svg": "6cf31d703cb5e317",
        "flow-pinned-0.svg": "df6e9061fae001f9",
        "flow-pinned-140.svg": "dd5202cd24c43907",
        "flow-pinned-190.svg": "1a6b84e792961392",
        "flow-pinned-70.svg": "39d1278d089f6e76",
        "flow-right-to-left-horizontal.svg": "f28ea5e4c79b8b86",
        "flow-right-to-left-vertical.svg": "31c02234edda4017",
        "flow-texts.svg": "c4725bcc32135521",
        "flow-updates-items.svg": "70901a355c33722d",
        "flow-updates-sections.svg": "ee3481a3edcb5f99",
        "index.html": "f9498e3a9f83733d",
        "list-animation-edits.svg": "eb7441fbe6b614b7",
        "list-animation-halfway.svg": "61733e88c1e58a3c",
        "list-scrolled.svg": "e2a6b1fe82c0a1f6",
        "list-top.svg": "e208c0d4e0f3ee0c",
        "list-updates-rows.svg": "1f50899930ede207",
        "list-updates-sections.svg": "827d64ed0eb22a9c",
        "masonry-updates-items.svg": "509b22cbdc47b3a7",
        "masonry-updates-sections.svg": "4730ed29f61386ce",
        "own-fan.svg": "0ba8af9ea965e950",
        "pager-dragged.svg": "88050a74b2aefd7e",
        "pager-flung.svg": "689edae269142094",
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
            #expect(output == ["33 pictures in \(path); open \(path)/index.html"])
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
