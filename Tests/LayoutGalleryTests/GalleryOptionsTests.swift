import Testing

@testable import layout_gallery

@Suite struct GalleryOptionsTests {
    @Test func optionsAreOutputFramesAndHelp() throws {
        #expect(try GalleryOptions([]) == .gallery(folder: "layout-gallery"))
        #expect(try GalleryOptions(["--output", "a/b"]) == .gallery(folder: "a/b"))
        #expect(try GalleryOptions(["--help"]) == .help)
        #expect(try GalleryOptions(["--frames", "-"]) == .frames(file: nil))
        #expect(try GalleryOptions(["--frames", "a"]) == .frames(file: "a"))
    }

    @Test func helpFitsATerminal() {
        let lines = GalleryOptions.helpText.split(separator: "\n")
        #expect(lines.allSatisfy { $0.count <= 80 })
    }

    @Test(arguments: [
        (["--frames"], "expected a file, or -, after --frames"),
        (["--output"], "expected a folder after --output"),
        (["--output", ""], "expected a name after --output, found nothing"),
        (["--frames", "a", "b"], "unexpected argument 'b' after --frames a"),
        (["--output", "a", "--frames"], "unexpected argument '--frames' after --output a"),
        (["--other"], "unknown option '--other'"), (["a"], "unexpected argument 'a'"),
        ([""], "unexpected argument ''"),
    ])
    func whatCannotBeDoneIsNamed(arguments: [String], message: String) {
        #expect(throws: GalleryFault("\(message); --help says more")) {
            try GalleryOptions(arguments)
        }
    }
}
