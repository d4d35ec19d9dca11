import CollectionLayouts
import PipelineTestSupport
import SimulatedView
import Testing

@testable import PipelineTrace

/// The content of drawn pictures, read by an independent parser.
@Suite("Pictures of layouts") struct LayoutPictureTests {
    private let bounds = Rect(x: 0, y: 20, width: 200, height: 100)
    private let box = Rect(x: 10, y: 30, width: 80, height: 40)

    private func parsed(
        _ elements: [PicturedElement],
        _ change: (inout LayoutPicture) -> Void = { _ in }
    ) throws -> ParsedSVG.Node {
        let size = Size(width: 200, height: 300)
        var picture = LayoutPicture(bounds: bounds, contentSize: size, elements: elements)
        change(&picture)
        let text = picture.svg()
        #expect(text == picture.svg() && !text.contains("nan") && !text.contains("inf"))
        return try ParsedSVG.root(of: text)
    }

    private func notes(_ root: ParsedSVG.Node) -> String {
        root.children.filter { $0.name == "text" }.map(\.text).joined(separator: " ")
    }

    // MARK: Texts

    @Test func aPictureCanContainAnyText() throws {
        let cases: [(UInt32, UInt32)] = [
            (0x00, 0x2400), (0x1F, 0x241F), (0x20, 0x20), (0x7E, 0x7E), (0x7F, 0x2421),
            (0x80, 0xFFFD), (0x9F, 0xFFFD), (0xA0, 0xA0), (0xD7FF, 0xD7FF), (0xFFFE, 0xFFFD),
            (0xFFFF, 0xFFFD), (0x10000, 0x10000), (0x1FFFF, 0xFFFD), (0x10FFFE, 0xFFFD),
        ]
        for (value, expected) in cases {
            var text = ""
            SVGText.escape(String(Unicode.Scalar(value) ?? " "), into: &text)
            #expect(text.unicodeScalars.map(\.value) == [expected], "\(value)")
        }
        let text = "<a href=\"x\">&amp;'\u{1B}[31m\u{202E}]]>"
        let root = try parsed([cell(0, 0, box, [text], key: text)]) { $0.title = text }
        let drawn = try #require(root.all(ofClass: "cell").first).all(named: "text").map(\.text)
        // The text is cut to the available room.
        let seen = text.replacing("\u{1B}", with: "\u{241B}")
        #expect(drawn.count == 1 && seen.hasPrefix(drawn.first ?? "x") && drawn[0].count > 8)
        #expect(root.children.first { $0.name == "title" }?.text == seen)
    }

    @Test func numbersHaveOnlyTheDecimalsTheyNeed() {
        let cases: [(Double, Int, String)] = [
            (0, 2, "0"), (-0.0, 2, "0"), (-0.25, 2, "-0.25"), (1.005, 2, "1"), (-0.001, 2, "0"),
            (33.333333, 2, "33.33"), (0.000001, 6, "0.000001"), (-0.0000004, 6, "0"), (2.5, 0, "3"),
            (999_999_999_999, 2, "999999999999"), (1e12, 2, "0"), (.nan, 2, "0"),
            (-.infinity, 6, "0"), (1_000_000.5, 1, "1000000.5"),
        ]
        for (number, decimals, text) in cases {
            #expect(SVGText.number(number, decimals: decimals) == text)
        }
    }

    @Test func linesBreakAtSpacesWithoutLoss() {
        let cases: [(String, Int, [String])] = [
            ("one two  three\nfour", 9, ["one two", "three", "four"]),
            ("a bcdefg h", 3, ["a", "bcd", "efg", "h"]), ("a b c", 4, ["a b", "c"]),
            ("a b c", 5, ["a b c"]), ("  \n ", 9, []),
        ]
        for (text, columns, lines) in cases {
            #expect(PictureText.lines(of: text, columns: columns) == lines)
        }
        let text = "It was the best of times, it was the worst of times."
        for columns in 1...60 {
            let lines = PictureText.lines(of: text, columns: columns)
            let isWhole = lines.joined().filter { $0 != " " } == text.filter { $0 != " " }
            #expect(isWhole && lines.allSatisfy { $0.count <= columns && !$0.isEmpty })
            let width = Double(columns) * 7 + 16
            let size = PictureText.size(of: text, width: width)
            let drawn = PictureText.lines(of: text, width: width)
            #expect(size.width <= width && size.height == Double(drawn.count) * 12 + 10)
            #expect(PictureText.lines(of: text, width: size.width) == drawn)
        }
        for width in [Double.nan, -1, 0, -.infinity, .infinity, 1e300] {
            let lines = PictureText.lines(of: "ab c", width: width)
            #expect(lines == (width > 100 ? ["ab c"] : ["a", "b", "c"]))
        }
    }

    // MARK: Numbers

    /// Each number of a frame, transform, viewport, content, inset and range.
    @Test(arguments: [Double.nan, .infinity, -.infinity, 1e300, -1e300, 1e10])
    func anyNumberGivesAPictureAndUndrawableElementsAreCounted(_ number: Double) throws {
        var elements: [PicturedElement] = []
        let parts: [WritableKeyPath<Rect, Double>] = [
            \.origin.x, \.origin.y, \.size.width, \.size.height,
        ]
        for (item, part) in parts.enumerated() {
            var frame = box
            frame[keyPath: part] = number
            elements.append(cell(0, item, frame))
        }
        let factors: [WritableKeyPath<AffineTransform, Double>] = [
            \.a, \.b, \.c, \.d, \.tx, \.ty,
        ]
        for (item, part) in factors.enumerated() {
            var element = cell(1, item, box)
            element.attributes.transform[keyPath: part] = number
            elements.append(element)
        }
        let root = try parsed(elements + [cell(2, 0, box)])
        #expect(root.all(ofClass: "cell").count == 1)
        #expect(notes(root).contains("10 with numbers that cannot be drawn"))
        for part in parts {
            var range = bounds
            range[keyPath: part] = number
            let root = try parsed([cell(0, 0, box)]) { picture in
                picture.bounds[keyPath: part] = number
                picture.ranges = PicturedRanges(mode: .full, display: range, preload: range)
                picture.insets.left = number
            }
            #expect(root.all(ofClass: "cell").count == 1)
            #expect(notes(root).contains("The viewport cannot be drawn"))
            let other = try parsed([cell(0, 0, box)]) { picture in
                picture.contentSize.width = number
                picture.invertedAxis = .horizontal
                picture.ranges = PicturedRanges(mode: .full, display: bounds, preload: range)
            }
            #expect(other.all(ofClass: "cell").count <= 1)
        }
    }

    @Test func omittedElementsAreCountedByReason() throws {
        var hidden = cell(0, 0, box)
        hidden.attributes.isHidden = true
        let far = Rect(x: 0, y: 900_000, width: 80, height: 40)
        let elements = [
            hidden, cell(0, 1, Rect(x: 0, y: 0, width: 0, height: 10)), cell(0, 2, box),
            cell(0, 3, far),
        ]
        let root = try parsed(elements) { picture in
            picture.bounds.origin.y = 900_000
            picture.contentSize.height = 1e6
        }
        #expect(root.all(ofClass: "cell").count == 1)
        #expect(root.all(ofClass: "panel").first?.number("height") == 8018)
        let text = "Left out: 1 hidden, 1 without extent, 1 beyond the part that is shown."
        #expect(notes(root).contains(text))
        let opacities = [Double.nan, -1, 2, .infinity, 0.25].enumerated().map { index, alpha in
            var element = cell(0, index, box)
            element.attributes.alpha = alpha
            return element
        }
        let drawn = try parsed(opacities).all(ofClass: "cell").map { $0.attributes["opacity"] }
        #expect(drawn == ["0", "1", "1", "0.25"])
        let part = try parsed([cell(0, 0, box)]) {
            $0.area = Rect(x: 0, y: 20, width: 100, height: 100)
        }
        #expect(part.all(ofClass: "panel").first?.attributes["viewBox"] == "-9 11 118 118")
    }

    @Test func invalidPartsOfAStyleAreIgnored() throws {
        func root(_ change: (inout PictureStyle) -> Void) throws -> ParsedSVG.Node {
            var style = PictureStyle()
            change(&style)
            let edits: [UpdatePicture.Edit] = [.deleted(old: .cell(ItemPath(0, 0)))]
            let picture = UpdatePicture(
                old: .rows([["a", "b"]]),
                new: .rows([["b"]]),
                edits: edits
            )
            return try ParsedSVG.root(of: picture.svg(style: style))
        }
        let plain = try #require(try root { _ in }.number("width"))
        let scales: [(Double, Double)] = [
            (0, 1), (-1, 1), (.nan, 1), (.infinity, 1), (0.25, 0.25), (99, 99), (1e9, 100),
        ]
        for (scale, used) in scales {
            #expect(try root { $0.scale = scale }.number("width") == plain * used)
        }
        for (prefix, kept) in [("one-2-Three", "one-2-Three"), ("a b\"<c>&_.#é", "abc"), ("👍🏽", "")]
        {
            let names = try root { $0.namePrefix = prefix }.all(named: "pattern")
                .compactMap { $0.attributes["id"] }
            #expect(names == EditMark.allCases.map { "p-\(kept)-\($0)" })
        }
        let without = try root { $0.showsLegend = false }
        #expect(without.all(ofClass: "legend").isEmpty && !without.all(ofClass: "badges").isEmpty)
    }

    // MARK: Elements

    @Test func aTextIsCutToItsElementAndAlignedByReadingDirection() throws {
        let long = cell(0, 0, box, [String(repeating: "e\u{301}", count: 100_000)])
        let root = try parsed([long]) { $0.isRightToLeft = true }
        let text = try #require(root.all(ofClass: "cell").first?.all(named: "text").first)
        #expect(text.text.count <= 20 && text.attributes["text-anchor"] == "end")
    }

    // MARK: Ranges

    /// Each range is outlined along its own sides outside the viewport and around the viewport; its
    /// inside is not pale.
    @Test func rangesAreOutlined() throws {
        let display = Rect(x: 0, y: 0, width: 200, height: 150)
        let preload = Rect(x: 0, y: -1e300, width: 200, height: 2e300)
        let rows: [(Rect, Rect, [String?], String)] = [
            (display, bounds, ["-3.5 0 207 150", "-6.5 13.5 213 113"], "-6.5 0H206.5V150H-6.5Z"),
            (display, preload, ["-3.5 0 207 150", "-6.5 -29 213 358"], "-6.5 -29H206.5V329H-6.5Z"),
            (.zero, bounds, [nil, "-6.5 13.5 213 113"], "-6.5 13.5H206.5V126.5H-6.5Z"),
        ]
        for (display, preload, outlines, hole) in rows {
            let root = try parsed([]) {
                $0.ranges = PicturedRanges(mode: .minimum, display: display, preload: preload)
            }
            let ranges = root.all(ofClass: "panel").flatMap { $0.all(ofClass: "range") }
            let found = ["display", "preload"].map { name in
                ranges.first { $0.attributes["class"] == "range \(name)" }.map { node in
                    ["x", "y", "width", "height"].map { node.attributes[$0] ?? "" }
                        .joined(separator: " ")
                }
            }
            #expect(found == outlines)
            let path = root.all(ofClass: "beyond").first?.attributes["d"]
            #expect(path?.split(separator: "M").last.map(String.init) == hole)
            #expect(notes(root) == "Range mode: minimum.")
        }
    }
}
