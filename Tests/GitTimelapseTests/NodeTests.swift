import SimulatedView
import Testing

@testable import git_timelapse

@Suite struct NodeTests {
    private let range = SizeRange(
        minimum: Size(width: 0, height: 0),
        maximum: Size(width: 7, height: .infinity)
    )

    private func file(_ subject: String) -> RepositoryFile {
        RepositoryFile(name: "name", content: .test("a"), subject: subject)
    }

    @Test func directoryIsOneLineAsWideAsThereIsRoom() {
        let node = DirectoryNode("a/very/long/path")
        #expect(node.measure(in: range) == Size(width: 7, height: 1))
        #expect(DirectoryContext("a\nb").debugName == "a\\nb")
    }

    @Test func fileIsAsHighAsItsNameAndSubjectAreInLines() {
        let measurements = Guarded(0)
        let node = FileNode(file("one two three"), measurements)
        #expect(node.measure(in: range) == Size(width: 7, height: 3))
        #expect(node.measure(file(""), in: range) == Size(width: 7, height: 1))
        #expect(measurements.value == 2)
        // A measurement for what is to come changes nothing that is shown.
        #expect(node.shown == file("one two three"))
        node.update(to: file("x"))
        #expect(node.shown == file("x"))
        #expect(node.measure(in: range) == Size(width: 7, height: 1))
    }

    @Test func withoutALimitALineIsLongAndFinite() {
        let unlimited = SizeRange(
            minimum: Size(width: 0, height: 0),
            maximum: Size(width: .infinity, height: .infinity)
        )
        let expected = Size(width: 10_000, height: 1)
        #expect(FileNode(file("one two three"), Guarded(0)).measure(in: unlimited) == expected)
        #expect(DirectoryNode("a").measure(in: unlimited) == expected)
    }

    @Test func textIsTheNameAndWhatSubjectThereIs() {
        #expect(file("").text == "name")
        #expect(file("a\tb").text == "name: a\\tb")
    }

    @Test func outsideTheModelThereIsNoFile() throws {
        var model = RepositoryModel()
        #expect(model.fileCount == 0)
        _ = try model.apply(.test("s", [.add("a"), .add("b"), .add("d/x")]))
        #expect(model.fileCount == 3)
        #expect(model.shape == [2, 1])
        let names = (-1...2).map { section in
            (-1...2).map { model.file(at: ItemPath(section: section, item: $0))?.name }
        }
        #expect(
            names == [
                [nil, nil, nil, nil], [nil, "a", "b", nil], [nil, "x", nil, nil],
                [nil, nil, nil, nil],
            ]
        )
    }
}
