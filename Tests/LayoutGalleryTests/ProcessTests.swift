import Foundation
import TestSupport
import Testing

@testable import layout_gallery

/// The built program, where the tests are built beside it.
@Suite(.enabled("the program is not beside the tests") { builtProgram != nil })
struct ProcessTests {
    @Test func theGalleryIsWrittenAlikeEveryTime() async throws {
        let count = try await Gallery.files().count
        try inFolder { folder in
            let first = try run(["--output", "a/b"], in: folder)
            #expect(first.code == 0 && first.errors.isEmpty)
            #expect(first.output.contains("a/b/index.html"))
            #expect(try run([], in: folder).code == 0)
            let names = try FileManager.default.contentsOfDirectory(
                atPath: folder.appending(path: "a/b").path
            )
            #expect(names.count == count)
            for name in names {
                let one = try Data(contentsOf: folder.appending(path: "a/b/\(name)"))
                let other = try Data(contentsOf: folder.appending(path: "layout-gallery/\(name)"))
                #expect(one == other && !one.isEmpty)
            }
        }
    }

    @Test func badUsageIsOneLineAndExitCodeTwo() throws {
        try inFolder { folder in
            for arguments in [["--nonsense"], ["x"], ["--output"], ["--output", "x", "y"]] {
                let result = try run(arguments, in: folder)
                #expect(result.code == 2 && result.output.isEmpty)
                #expect(result.errors.split(separator: "\n").count == 1)
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
        }
    }

    @Test func aFolderThatCannotBeIsNamed() throws {
        try inFolder { folder in
            try Data().write(to: folder.appending(path: "file"))
            let result = try run(["--output", "file/in/it"], in: folder)
            #expect(result.code == 2)
            #expect(result.errors == "layout-gallery: cannot make 'file/in/it': Not a directory\n")
        }
    }

    @Test func aFileThatCannotBeWrittenIsNamed() throws {
        try inFolder { folder in
            let taken = folder.appending(path: "out/index.html")
            try FileManager.default.createDirectory(at: taken, withIntermediateDirectories: true)
            let result = try run(["--output", "out/"], in: folder)
            #expect(result.code == 2)
            #expect(
                result.errors == "layout-gallery: cannot write 'out/index.html': Is a directory\n"
            )
        }
    }

    @Test func framesAreAnsweredFromStandardInput() throws {
        let line = #"{"width":1,"sections":[]}"#
        let program = try #require(builtProgram)
        let result = try program.run(["--frames", "-"], input: "\(line)\n\n\(line)\n{")
        #expect(result.code == 2)
        let answer = #"{"content":[1,0],"sections":[]}"# + "\n"
        #expect(result.output == answer + answer)
        #expect(result.errors == "layout-gallery: line 4: invalid JSON\n")
    }

    @Test func anOutputThatNobodyReadsIsACleanEnd() throws {
        let process = try #require(builtProgram).runUnread(["--help"])
        #expect(process.terminationReason == .exit && process.terminationStatus == 0)
    }

    private func inFolder(_ body: (URL) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "gallery-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder)
    }

    private func run(_ arguments: [String], in folder: URL) throws -> BuiltProgram.Result {
        try #require(builtProgram).run(arguments, in: folder)
    }
}

private let builtProgram = BuiltProgram("layout-gallery")
