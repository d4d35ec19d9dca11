import Foundation
import Testing

@testable import layout_gallery

/// The built program, where the tests are built beside it.
@Suite(.enabled("the program is not beside the tests") { builtProgram != nil })
struct ProcessTests {
    @Test func theGalleryIsWrittenAlikeEveryTime() throws {
        try inFolder { folder in
            let first = try run(["--output", "a/b"], in: folder)
            #expect(first.code == 0 && first.errors.isEmpty)
            #expect(first.output.contains("a/b/index.html"))
            #expect(try run([], in: folder).code == 0)
            let names = try FileManager.default.contentsOfDirectory(
                atPath: folder.appending(path: "a/b").path
            )
            #expect(names.count == (try Gallery.files().count))
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

    private func inFolder(_ body: (URL) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "gallery-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder)
    }

    private func run(_ arguments: [String], in folder: URL) throws
        -> (code: Int32, output: String, errors: String)
    {
        let process = Process()
        process.executableURL = builtProgram
        process.arguments = arguments
        process.currentDirectoryURL = folder
        process.standardInput = FileHandle.nullDevice
        let (output, errors) = (Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        let written = output.fileHandleForReading.readDataToEndOfFile()
        let complaints = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (
            process.terminationStatus, String(decoding: written, as: UTF8.self),
            String(decoding: complaints, as: UTF8.self)
        )
    }
}

private let builtProgram: URL? = {
    let folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    let url = folder.appendingPathComponent("layout-gallery")
    return FileManager.default.isExecutableFile(atPath: url.path) ? url : nil
}()
