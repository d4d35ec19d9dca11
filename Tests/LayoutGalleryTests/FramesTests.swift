import Foundation
import Testing

@testable import layout_gallery

/// The program on texts, in memory.
@Suite struct FramesTests {
    private func answer(_ line: String) throws -> String? {
        FramesAnswer(try FramesRequest(Array(line.utf8))).json
    }

    @Test func framesArePrintedAsTheyAreDocumented() throws {
        let answer = try answer(#"{"width":320,"sections":[{"items":[[50,50],[80,30]]}]}"#)
        #expect(
            answer == #"{"content":[320,50],"sections":[{"frame":[0,0,320,50],"header":null,"#
                + #""footer":null,"items":[[0,0,50,50],[60,10,80,30]]}]}"#
        )
    }

    @Test func headersInsetsAndSpacingsCount() throws {
        let answer = try answer(
            """
            {"width":100,"direction":"vertical","sections":[{"items":[[40,20],[40,20],[40,20]],\
            "inset":[1,2,3,4],"line":5,"interitem":6,"header":7,"footer":8}]}
            """
        )
        #expect(
            answer == #"{"content":[100,64],"sections":[{"frame":[0,0,100,64],"#
                + #""header":[0,0,100,7],"footer":[0,56,100,8],"#
                + #""items":[[2,8,40,20],[56,8,40,20],[2,33,40,20]]}]}"#
        )
    }

    @Test func horizontalCollectionsHaveTheirAxesSwapped() throws {
        let answer = try answer(
            """
            {"width":100,"direction":"horizontal","scale":2,"sections":[{"items":[[20,30],\
            [10,30.25],[5,50]],"header":4}]}
            """
        )
        #expect(
            answer == #"{"content":[39,100],"sections":[{"frame":[0,0,39,100],"#
                + #""header":[0,0,4,100],"footer":null,"#
                + #""items":[[4,0,20,30],[9,70,10,30.25],[34,0,5,50]]}]}"#
        )
    }

    @Test func withoutWidthNothingIsPlaced() throws {
        let answer = try answer(#"{"width":0,"sections":[{"items":[[50,50]]}]}"#)
        #expect(
            answer == #"{"content":[0,0],"sections":[{"frame":[0,0,0,0],"header":null,"#
                + #""footer":null,"items":[]}]}"#
        )
    }

    @Test(arguments: [
        ("{", "invalid JSON"),
        ("[]", "a collection must be an object"),
        (#"{"sections":[]}"#, "missing field 'width'"),
        (#"{"width":"1","sections":[]}"#, "'width' is of the wrong type"),
        (#"{"width":-1,"sections":[]}"#, "width must be at least 0, found -1.0"),
        (
            #"{"width":1,"direction":"up","sections":[]}"#,
            #"direction must be "vertical" or "horizontal""#
        ),
        (#"{"width":1,"sections":[{}]}"#, "missing field 'sections[0].items'"),
        (
            #"{"width":1,"sections":[{"items":[[1,2],[3]]}]}"#,
            "sections[0].items[1] must be a width and a height of at least 0, found [3.0]"
        ),
        (
            #"{"width":1,"sections":[{"items":[],"inset":[1]}]}"#,
            "sections[0].inset must be top, left, bottom and right"
        ),
        (#"{"width":1,"scale":0,"sections":[]}"#, "scale must be more than 0, found 0.0"),
    ])
    func whatCannotBeReadIsNamed(line: String, message: String) {
        #expect(throws: GalleryFault(message)) { try FramesRequest(Array(line.utf8)) }
    }

    @Test(arguments: 500..<530)
    func arraysInArraysAreNoCollection(_ depth: Int) {
        for ending in ["", "]", " ", "\r", "1"] {
            let line = String(repeating: "[", count: depth) + ending
            #expect(throws: GalleryFault("invalid JSON")) { try FramesRequest(Array(line.utf8)) }
        }
    }

    @Test func sumsBeyondAllNumbersAreNoAnswer() throws {
        let answer = try answer(
            #"{"width":1,"sections":[{"items":[[1,1e308],[1,1.5e308]]}]}"#
        )
        #expect(answer == nil)
    }

    @Test func numbersAreShortAndReadAsTheSame() {
        let numbers = [0, -0.0, 1, 0.1, 33.333333333333336, 1e21].map(FramesAnswer.number)
        #expect(numbers == ["0", "0", "1", "0.1", "33.333333333333336", "1e+21"])
    }

    @Test func theLineAtFaultIsNamedAndEndsTheProgram() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).jsonl")
        defer { try? FileManager.default.removeItem(at: file) }
        let good = #"{"width":1,"sections":[]}"#
        try "\(good)\n\n{\n\(good)\n".write(to: file, atomically: true, encoding: .utf8)
        var (output, errors): ([String], [String]) = ([], [])
        let code = await LayoutGallery.run(
            arguments: ["--frames", file.path()],
            output: {
                output.append($0)
                return true
            },
            errors: {
                errors.append($0)
                return true
            }
        )
        #expect(code == .badInput)
        #expect(output == [#"{"content":[1,0],"sections":[]}"#])
        #expect(errors == ["layout-gallery: line 3: invalid JSON"])
    }

    @Test func aDirectoryCannotBeRead() async {
        var errors: [String] = []
        let code = await LayoutGallery.run(
            arguments: ["--frames", "/"],
            output: { _ in true },
            errors: {
                errors.append($0)
                return true
            }
        )
        #expect(code == .badInput)
        #expect(errors == ["layout-gallery: cannot read '/': Is a directory"])
    }
}
