import Foundation
import Testing

@testable import layout_gallery

/// What a gallery is written to.
@Suite struct GalleryFolderTests {
    private func mode(_ url: URL) throws -> UInt32 {
        var status = stat()
        try #require(stat(url.path(), &status) == 0)
        return UInt32(status.st_mode)
    }

    @Test func foldersAreMadeWhereNoneAreAsEverybodyMakesThem() throws {
        try inTemporaryFolder { folder in
            let usual = folder.appending(path: "usual")
            try FileManager.default.createDirectory(at: usual, withIntermediateDirectories: false)
            let path = folder.appending(path: "a/b//c/").path()
            for _ in 0..<2 {
                let made = try GalleryFolder(path)
                #expect(made.path == path && made.path(of: "x") == "\(path)x")
            }
            for name in ["a", "a/b", "a/b/c"] {
                let made = try mode(folder.appending(path: name))
                #expect(try made == mode(usual), "\(name)")
            }
            #expect(try GalleryFolder(folder.path()).path(of: "x") == folder.path() + "/x")
        }
    }

    @Test func whatIsNoFolderIsNamedWithTheReason() throws {
        try inTemporaryFolder { folder in
            try Data().write(to: folder.appending(path: "file"))
            let tooLong = String(repeating: "n", count: 300)
            for (name, reason) in [
                ("file", "Not a directory"), ("file/in", "Not a directory"),
                (tooLong, "File name too long"),
            ] {
                let path = folder.appending(path: name).path()
                #expect(throws: GalleryFault("cannot make '\(path)': \(reason)")) {
                    try GalleryFolder(path)
                }
            }
        }
    }

    @Test func filesAreReplacedAsAWhole() throws {
        try inTemporaryFolder { folder in
            let gallery = try GalleryFolder(folder.path())
            let file = folder.appending(path: "file")
            for content in [String(repeating: "ä", count: 50_000), "short", ""] {
                try gallery.write(content, to: "file")
                #expect(try Data(contentsOf: file) == Data(content.utf8))
                #expect(openFiles(named: "file") == 0)
            }
        }
    }

    /// On a full disk little is lost when the file is closed, and much when it is written.
    @Test(arguments: [1, 1_000_000])
    func whatDoesNotFitIsNoFile(count: Int) throws {
        let devices = try GalleryFolder("/dev")
        let openBefore = openFiles(named: "full")
        #expect(throws: GalleryFault("cannot write '/dev/full': No space left on device")) {
            try devices.write(String(repeating: "a", count: count), to: "full")
        }
        #expect(openFiles(named: "full") == openBefore)
    }

    @Test func aFileThatCannotBeOpenedIsNamed() throws {
        try inTemporaryFolder { folder in
            let gallery = try GalleryFolder(folder.path())
            let path = gallery.path(of: "missing/file")
            #expect(throws: GalleryFault("cannot write '\(path)': No such file or directory")) {
                try gallery.write("a", to: "missing/file")
            }
        }
    }
}
