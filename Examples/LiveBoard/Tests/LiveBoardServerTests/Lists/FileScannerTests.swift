import CollectionPublishing
import Foundation
import Testing

@testable import LiveBoardServer

struct FileScannerTests {
    @Test func filesAreInTheOrderOfTheirPaths() throws {
        let root = FileManager.default.temporaryDirectory
            .appendingPathComponent("live-board-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: root) }
        for path in ["b/x", "a/z/1", "a/y", "top", "a.b/q", "Z"] {
            let file = root.appendingPathComponent(path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try Data(count: path.utf8.count).write(to: file)
        }
        try FileManager.default.createSymbolicLink(
            atPath: root.path + "/loop",
            withDestinationPath: "."
        )
        let state = try FileScanner(root: root.path).state()
        #expect(state.headers.map(\.id) == [".", "a", "a.b", "a/z", "b"])
        #expect(
            state.rows.rows.map { $0.map(\.id) } == [
                ["Z", "loop", "top"], ["a/y"], ["a.b/q"], ["a/z/1"], ["b/x"],
            ]
        )
        #expect(state.rows.rows[0][1].html.contains("file link"))
        #expect(state.rows.rows[3][0].html.contains(">1</span>"))
        let some = try FileScanner(root: root.path, limit: 3).state()
        #expect(some.rows.rows.joined().count <= 3)
    }

    @Test func whatIsNoFolderIsAFault() {
        #expect(throws: FileScanner.Fault.self) {
            try FileScanner(root: "/nowhere/at/all").state()
        }
    }
}
