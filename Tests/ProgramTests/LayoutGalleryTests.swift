import Foundation
import PipelineTestSupport
import Testing

#if canImport(FoundationXML)
    import FoundationXML
#endif

@Suite(.endsHangs) struct LayoutGalleryTests {
    /// FNV-1a over all files in the order of their names. The program writes the same bytes
    /// everywhere. If you change how layouts or pictures look, compare the pictures with the
    /// previous ones and update the number.
    private static let kept: UInt64 = 0xFD0D_5136_E5F9_0984

    /// The files of a folder, sorted by name.
    private func files(in folder: URL) throws -> [(name: String, text: String)] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().map { name in
            (name, try String(contentsOf: folder.appending(path: name), encoding: .utf8))
        }
    }

    @Test func theGalleryIsWellFormedCompleteAndReproducible() throws {
        try inFolder { folder in
            let result = try run("layout-gallery", ["--output", "a/b"], in: folder)
            #expect(result.code == 0 && result.errors.isEmpty)
            let files = try files(in: folder.appending(path: "a/b"))
            let pictures = files.filter { $0.name.hasSuffix(".svg") }
            #expect(files.count == pictures.count + 1 && pictures.count > 40)
            #expect(result.output == "\(pictures.count) pictures in a/b; open a/b/index.html\n")
            let page = try #require(files.first { $0.name == "index.html" }).text
            var faults = Faults()
            for file in files {
                let parser = XMLParser(data: Data(file.text.utf8))
                faults.check(
                    parser.parse(),
                    "\(file.name): \(String(describing: parser.parserError))"
                )
            }
            for picture in pictures {
                faults.check(page.contains(picture.text), "\(picture.name) is not in the page")
                faults.check(!picture.text.contains("Left out"), "\(picture.name) is not whole")
            }
            let names = page.components(separatedBy: " id=\"").dropFirst().map {
                $0.prefix { $0 != "\"" }
            }
            faults.check(Set(names).count == names.count, "an id is used twice")
            let local = page.replacing("xmlns=\"http://www.w3.org/2000/svg\"", with: "")
            for word in ["<script", "<link", "<img", "src=", "@import", "http://", "https://"] {
                faults.check(!local.contains(word), "\(word) loads something")
            }
            for layout in [
                "ListLayout", "FlowLayout", "PagerLayout", "ComposedLayout", "MasonrySectionLayout",
                "StickyHeaders", "ColumnFlowLayout", "Range mode: full",
            ] { faults.check(page.contains(layout), "\(layout) is not shown") }
            for name in ["list", "flow", "masonry"] {
                let updates = pictures.filter { $0.name.hasPrefix("\(name)-updates") }.map(\.text)
                    .joined()
                for kind in [
                    "cell inserted", "cell deleted", "cell reloaded", "cell moved", "arrow",
                ] {
                    faults.check(updates.contains("class=\"\(kind)\""), "\(name): \(kind)")
                }
            }
            #expect(faults.isEmpty, "\(faults.text)")
            let digest = files.map { $0.name + $0.text }.joined().utf8
                .reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
            #expect(digest == Self.kept)
            // Without arguments the program writes to its own folder.
            let again = try run("layout-gallery", in: folder)
            #expect(again.code == 0 && again.errors.isEmpty)
            let same = try self.files(in: folder.appending(path: "layout-gallery"))
            #expect(same.elementsEqual(files) { $0 == $1 })
            // The guide contains some of the pictures.
            let guide = try self.files(in: package.appending(path: "Sources/Guide.docc/Resources"))
            for shown in guide {
                #expect(files.contains { $0 == shown }, "the guide has a different \(shown.name)")
            }
        }
    }

    // MARK: Frames

    private static let frames: [(line: String, answer: String)] = [
        (#"{"width":1,"sections":[]}"#, #"{"content":[1,0],"sections":[]}"#),
        // The example in the help.
        (
            #"{"width":320,"sections":[{"items":[[50,50],[80,30]]}]}"#,
            #"{"content":[320,50],"sections":[{"frame":[0,0,320,50],"header":null,"#
                + #""footer":null,"items":[[0,0,50,50],[60,10,80,30]]}]}"#
        ),
        (
            #"{"width":100,"direction":"vertical","sections":[{"items":[[40,20],[40,20],[40,20]],"#
                + #""inset":[1,2,3,4],"line":5,"interitem":6,"header":7,"footer":8}]}"#,
            #"{"content":[100,64],"sections":[{"frame":[0,0,100,64],"header":[0,0,100,7],"#
                + #""footer":[0,56,100,8],"items":[[2,8,40,20],[56,8,40,20],[2,33,40,20]]}]}"#
        ),
        (
            #"{"width":100,"direction":"horizontal","scale":4,"sections":[{"items":[[20,30],"#
                + #"[10.5,30.25],[5,50]],"header":4}]}"#,
            #"{"content":[39,100],"sections":[{"frame":[0,0,39,100],"header":[0,0,4,100],"#
                + #""footer":null,"items":[[4,0,20,30],[8.75,69.75,10.5,30.25],[34,0,5,50]]}]}"#
        ),
        (
            #"{"width":0,"sections":[{"items":[[50,50]]}]}"#,
            #"{"content":[0,0],"sections":[{"frame":[0,0,0,0],"header":null,"footer":null,"items":[]}]}"#
        ),
    ]

    @Test func framesAreAsDocumented() throws {
        try inFolder { folder in
            let lines = Self.frames.map { " \($0.line)\r" }.joined(separator: "\n\n \t\n")
            let file = try folder.write(lines, to: "in")
            let result = try run("layout-gallery", ["--frames", file])
            #expect(result.code == 0 && result.errors.isEmpty)
            #expect(result.output.lines == Self.frames.map(\.answer))
        }
    }

    private static let size = "must be a width and a height of at least 0, found"

    /// Invalid lines, and the message for each.
    private static let faults: [(line: String, message: String)] =
        [
            ("{", "invalid JSON"), ("!", "invalid JSON"), ("\0", "invalid JSON"),
            (String(repeating: "[", count: 512), "invalid JSON"),
            (String(repeating: "[", count: 513), "invalid JSON"),
            ("[]", "a collection must be an object"),
            (#"{"sections":[]}"#, "missing field 'width'"),
            (#"{"width":1}"#, "missing field 'sections'"),
            (#"{"width":"1","sections":[]}"#, "'width' is of the wrong type"),
            (#"{"width":-1,"sections":[]}"#, "width must be at least 0, found -1.0"),
            (#"{"width":1,"scale":0,"sections":[]}"#, "scale must be more than 0, found 0.0"),
            (
                #"{"width":1,"direction":"up","sections":[]}"#,
                #"direction must be "vertical" or "horizontal""#
            ),
            (#"{"width":1,"sections":{}}"#, "'sections' is of the wrong type"),
            (
                #"{"width":1,"sections":[{"items":[[1,1e308],[1,1.5e308]]}]}"#,
                "the content is too large for numbers"
            ),
        ]
        + [
            ("{}", "missing field 'sections[1].items'"),
            ("1", "'sections[1]' is of the wrong type"),
            (#"{"items":[[1,"a"]]}"#, "'sections[1].items[0][1]' is of the wrong type"),
            (#"{"items":[],"line":{}}"#, "'sections[1].line' is of the wrong type"),
            (#"{"items":[[1,2],[3]]}"#, "sections[1].items[1] \(size) [3.0]"),
            (#"{"items":[[1,2],[1,-2]]}"#, "sections[1].items[1] \(size) [1.0, -2.0]"),
            (
                #"{"items":[],"inset":[1,2,3]}"#,
                "sections[1].inset must be top, left, bottom and right"
            ),
            (#"{"items":[],"line":-1}"#, "sections[1].line must be at least 0, found -1.0"),
            (
                #"{"items":[],"interitem":-0.5}"#,
                "sections[1].interitem must be at least 0, found -0.5"
            ),
            (#"{"items":[],"header":-2}"#, "sections[1].header must be at least 0, found -2.0"),
            (#"{"items":[],"footer":-3}"#, "sections[1].footer must be at least 0, found -3.0"),
        ].map { (#"{"width":1,"sections":[{"items":[[0,0]]},\#($0)]}"#, $1) }

    @Test func theFirstInvalidLineIsReportedAndEndsTheOutput() throws {
        try inFolder { folder in
            let good = Self.frames[0]
            var faults = Faults()
            for row in Self.faults {
                let text = "\(good.line)\n\n\(row.line)\n\(good.line)\n"
                let result = try run("layout-gallery", ["--frames", folder.write(text, to: "in")])
                faults.checkRefusal(
                    result,
                    by: "layout-gallery",
                    "line 3: \(row.message)",
                    output: good.answer + "\n"
                )
            }
            // Without the end of a line the decoder would trap.
            let open = String(repeating: "[", count: 513)
            let result = try run("layout-gallery", ["--frames", "-"], input: open)
            faults.checkRefusal(result, by: "layout-gallery", "line 1: invalid JSON")
            #expect(faults.isEmpty, "\(faults.text)")
        }
    }

    @Test func badUsageAndUnwritableFilesAreReportedInOneLine() throws {
        try inFolder { folder in
            _ = try folder.write("", to: "file")
            let taken = folder.appending(path: "out/index.html")
            try FileManager.default.createDirectory(at: taken, withIntermediateDirectories: true)
            let hint = "; see --help"
            var faults = Faults()
            for (arguments, message) in [
                (["x"], "unexpected argument 'x'\(hint)"),
                (["--output"], "expected a folder after --output\(hint)"),
                (["--frames"], "expected a file, or -, after --frames\(hint)"),
                (["--output", "x", "y"], "unexpected argument 'y' after --output x\(hint)"),
                (["--output", ""], "expected a name after --output, found nothing\(hint)"),
                (["--frames", "/missing"], "cannot read '/missing': No such file or directory"),
                (["--frames", "/"], "cannot read '/': Is a directory"),
                (["--output", "file/in/it"], "cannot make 'file/in/it': Not a directory"),
                (["--output", "out/"], "cannot write 'out/index.html': Is a directory"),
            ] {
                let result = try run("layout-gallery", arguments, in: folder)
                faults.checkRefusal(result, by: "layout-gallery", message)
            }
            #expect(faults.isEmpty, "\(faults.text)")
        }
    }
}
