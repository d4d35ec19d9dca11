import Testing

@testable import git_timelapse

@Suite struct TreeListingTests {
    private static let blob = String(repeating: "b2", count: 20)

    private static func read(_ text: String) throws -> TreeListing {
        var rest = Array(text.utf8)[...]
        let reader = NULTerminatedReader {
            defer { rest = rest.dropFirst(5) }
            return rest.isEmpty ? nil : Array(rest.prefix(5))
        }
        return try TreeListing(gitOutput: reader)
    }

    @Test func filesComeSectionBySectionInTheOrderOfBytes() throws {
        let paths = ["d/x", "b", "d/\tX y", "B", "c/z"]
        let records = paths.map { "100644 blob \(Self.blob)\t\($0)\0" }
        let listing = try Self.read(records.joined())
        #expect(listing.sections.map(\.path) == [".", "c", "d"])
        #expect(
            listing.sections.map { $0.files.map(\.name) } == [["B", "b"], ["z"], ["\tX y", "x"]]
        )
    }

    @Test(arguments: [
        "", "100644 blob", "100644 blob \(blob)", "100644 blob \(blob)\t",
        "100644 blob \(blob)\td/",
        "100648 blob \(blob)\ta", "100644 \(blob)\ta", "100644 blob \(blob)2\ta",
    ])
    func whatIsNoFileIsAnError(_ record: String) {
        #expect(throws: GitError.self) { try Self.read(record + "\0") }
    }
}
