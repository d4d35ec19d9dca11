import CollectionPipeline
import Testing

@testable import changeset_lint

/// How new sections are told by the count of their lines.
@Suite struct NewSectionTextTests {
    private func explanation(_ old: String, _ new: String) throws -> [String] {
        try LineDifference(
            from: LineFile(Array(old.utf8), name: "old", hasSections: true),
            to: LineFile(Array(new.utf8), name: "new", hasSections: true),
            profile: .standard
        ).explanation
    }

    @Test func oneNewItemIsOneAndAllOtherCountsAreSeveral() throws {
        for (lines, count) in [
            ("", "0 new items"), ("1\n", "1 new item"), ("1\n2\n", "2 new items"),
        ] {
            #expect(
                try explanation("", "# a\n\(lines)") == ["insert section 0 with \(count): a"]
            )
        }
    }

    @Test func linesBeforeTheFirstSectionAreOneWithoutAName() throws {
        #expect(
            try explanation("", "1\n2\n3\n") == [
                "insert section 0 with 3 new items: the lines before the first section"
            ]
        )
    }

    @Test func theFirstLineThatIsNoTextIsNamed() {
        for (lines, number) in [
            ([0xFF], 1), ([0x61, 0x0A, 0xC3], 2), ([0x61, 0x0A, 0x0A, 0xFF, 0x0A, 0xFF], 3),
            ([0xC3, 0x0A, 0xA9], 1), ([0x61, 0x0A, 0xE2, 0x82, 0x0A], 2),
        ] as [([UInt8], Int)] {
            for (name, words) in [("x", "'x'"), ("-", "standard input")] {
                let fault = #expect(throws: ScenarioFault.self) {
                    try LineFile(lines, name: name, hasSections: false)
                }
                #expect(fault?.message == "\(words) is not UTF-8 in line \(number)")
            }
        }
    }
}
