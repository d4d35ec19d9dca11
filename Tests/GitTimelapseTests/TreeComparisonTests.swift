import Testing

@testable import git_timelapse

@Suite struct TreeComparisonTests {
    private static func file(
        _ name: FileName,
        _ digit: Character = "a",
        mode: UInt32 = 0o100644
    ) -> TreeListing.File {
        let object = ObjectID(String(repeating: digit, count: 40))!
        return TreeListing.File(
            name: name,
            content: FileContent(mode: FileMode(rawValue: mode), object: object)
        )
    }

    private let listed = TreeListing([
        TreeListing.Section(path: ".", files: [file("p"), file("q")]),
        TreeListing.Section(path: "d", files: [file("x")]),
    ])

    @Test func equalListingsHaveNoDifferences() {
        #expect(TreeComparison(of: listed, with: listed).differences == 0)
        #expect(TreeComparison(of: TreeListing([]), with: TreeListing([])).differences == 0)
    }

    @Test func everyDifferenceIsCountedAndNamed() {
        var shown = listed
        shown.sections[0].files[0] = Self.file("p", "b")
        shown.sections[0].files[1] = Self.file("q", mode: 0o100755)
        shown.sections[1].files = [Self.file("y")]
        let comparison = TreeComparison(of: shown, with: listed)
        #expect(
            comparison.descriptions == [
                "p is bbbbbbb, but git lists aaaaaaa",
                "q has mode 100755, but git lists 100644", "d/x is missing",
                "d/y is shown, but git does not list it",
            ]
        )
        #expect(comparison.differences == 4)
    }

    @Test func missingAndSurplusSectionsCountFileByFile() {
        #expect(TreeComparison(of: TreeListing([]), with: listed).differences == 3)
        let surplus = TreeComparison(of: listed, with: TreeListing([]), describing: 1)
        #expect(surplus.differences == 3)
        #expect(surplus.descriptions.count == 1)
    }

    @Test func orderCounts() {
        let reversed = TreeListing(listed.sections.reversed())
        #expect(
            TreeComparison(of: reversed, with: listed).descriptions == [
                "directory . is shown after d"
            ]
        )
        var shuffled = listed
        shuffled.sections[0].files.reverse()
        shuffled.sections.append(TreeListing.Section(path: "e", files: []))
        #expect(
            TreeComparison(of: shuffled, with: listed).descriptions == [
                "p is shown after q", "directory e is shown without files",
            ]
        )
    }

    @Test func whatIsShownTwiceIsNotInOrderEither() {
        var shown = listed
        shown.sections[1].files.append(Self.file("x"))
        shown.sections.append(TreeListing.Section(path: "d", files: []))
        #expect(
            TreeComparison(of: shown, with: listed).descriptions == [
                "d/x is shown after d/x", "directory d is shown without files",
                "directory d is shown after d", "d/x is shown, but git does not list it",
            ]
        )
    }

    @Test func fileShownTwiceIsADifference() {
        var shown = listed
        shown.sections[1].files.append(Self.file("x"))
        #expect(TreeComparison(of: shown, with: listed).differences > 0)
    }
}
