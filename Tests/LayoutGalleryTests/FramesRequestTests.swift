import Foundation
import SimulatedView
import Testing

@testable import layout_gallery

/// What a line of the input says, and what it must not say.
@Suite struct FramesRequestTests {
    private func request(_ line: String) throws -> FramesRequest {
        try FramesRequest(Array(line.utf8))
    }

    @Test func everyFieldIsTakenAsItIsWritten() throws {
        let request = try request(
            """
            {"width":0.5,"direction":"horizontal","scale":0.25,"sections":[{"items":[[0,0.5],\
            [0.25,0],[3,4]],"inset":[-1,2,-3,4],"line":0,"interitem":0.5,"header":0.125,\
            "footer":0.375},{"items":[]},{"items":[[5,6]],"header":0,"footer":0,"line":0.75}]}
            """
        )
        #expect(request.width == 0.5 && request.direction == .horizontal && request.scale == 0.25)
        func sizes(_ values: [(Double, Double)]) -> [Size] {
            values.map { Size(width: $0.0, height: $0.1) }
        }
        let items = [sizes([(0, 0.5), (0.25, 0), (3, 4)]), [], sizes([(5, 6)])]
        #expect(request.sections.map(\.items) == items)
        var first = SectionMetrics()
        first.insets = EdgeInsets(top: -1, left: 2, bottom: -3, right: 4)
        (first.lineSpacing, first.interitemSpacing) = (0, 0.5)
        (first.headerExtent, first.footerExtent) = (0.125, 0.375)
        var second = SectionMetrics()
        (second.headerExtent, second.footerExtent) = (0, 0)
        var third = second
        third.lineSpacing = 0.75
        #expect(request.sections.map(\.metrics) == [first, second, third])
    }

    @Test func whatIsNotSaidIsAsDocumented() throws {
        let request = try request(#"{"width":1,"sections":[]}"#)
        #expect(request.direction == .vertical && request.scale == 1)
        #expect(request.sections.isEmpty)
    }

    private static let sizeRule = "must be a width and a height of at least 0, found"

    /// Sections at fault, after one that is none, and what is said of them.
    static let faults: [(String, String)] = [
        (#"{"items":[[-1,2]]}"#, "items[0] \(sizeRule) [-1.0, 2.0]"),
        (#"{"items":[[1,2],[1,-2]]}"#, "items[1] \(sizeRule) [1.0, -2.0]"),
        (#"{"items":[[1,2,3]]}"#, "items[0] \(sizeRule) [1.0, 2.0, 3.0]"),
        (#"{"items":[[]]}"#, "items[0] \(sizeRule) []"),
        (#"{"items":[],"inset":[1,2,3]}"#, "inset must be top, left, bottom and right"),
        (#"{"items":[],"inset":[1,2,3,4,5]}"#, "inset must be top, left, bottom and right"),
        (#"{"items":[],"line":-1}"#, "line must be at least 0, found -1.0"),
        (#"{"items":[],"interitem":-0.5}"#, "interitem must be at least 0, found -0.5"),
        (#"{"items":[],"header":-2}"#, "header must be at least 0, found -2.0"),
        (#"{"items":[],"footer":-3}"#, "footer must be at least 0, found -3.0"),
    ]

    @Test(arguments: faults)
    func theValueAtFaultIsNamed(section: String, message: String) {
        #expect(throws: GalleryFault("sections[1].\(message)")) {
            try request(#"{"width":1,"sections":[{"items":[[0,0]]},\#(section)]}"#)
        }
    }

    static let otherTypes: [(String, String)] = [
        (#"{"width":1,"sections":[{"items":[[1,"a"]]}]}"#, "sections[0].items[0][1]"),
        (#"{"width":1,"sections":[{"items":[[1,2],3]}]}"#, "sections[0].items[1]"),
        (#"{"width":1,"sections":[{"items":[],"line":{}}]}"#, "sections[0].line"),
        (#"{"width":1,"sections":[1]}"#, "sections[0]"),
        (#"{"width":1,"sections":{}}"#, "sections"),
        (#"{"width":null,"sections":[]}"#, "width"),
    ]

    @Test(arguments: otherTypes)
    func whatIsOfAnotherTypeIsNamedWithItsPath(line: String, path: String) {
        #expect(throws: GalleryFault("'\(path)' is of the wrong type")) { try request(line) }
    }

    @Test func scalesAreMoreThanZero() {
        for scale in [0, -0.5, -1.0] {
            let fault = GalleryFault("scale must be more than 0, found \(scale)")
            #expect(throws: fault) {
                try request(#"{"width":1,"scale":\#(scale),"sections":[]}"#)
            }
        }
    }
}
