import CollectionLayouts
import SimulatedView
import Testing

@testable import PipelineTrace

@Suite("Ranges in pictures") struct RangePictureTests {
    private let bounds = Rect(x: 0, y: 200, width: 100, height: 50)
    private let display = Rect(x: 0, y: 175, width: 100, height: 125)
    private let preload = Rect(x: 0, y: 125, width: 100, height: 250)

    private func picture(
        _ display: Rect,
        _ preload: Rect,
        _ elements: [PicturedElement] = [],
        _ mode: RangeMode = .full
    ) -> LayoutPicture {
        let size = Size(width: 100, height: 600)
        var picture = LayoutPicture(bounds: bounds, contentSize: size, elements: elements)
        picture.ranges = PicturedRanges(mode: mode, display: display, preload: preload)
        return picture
    }

    private func root(_ picture: LayoutPicture) throws -> ParsedSVG.Node {
        let text = picture.svg()
        #expect(text == picture.svg())
        #expect(!text.contains("nan") && !text.contains("inf"))
        return try ParsedSVG.root(of: text)
    }

    /// The outline of a range, or nil where none is drawn.
    private func outline(_ name: String, _ root: ParsedSVG.Node) -> Rect? {
        let ranges = root.all(ofClass: "panel").flatMap { $0.all(ofClass: "range") }
        guard let node = ranges.first(where: { $0.attributes["class"] == "range \(name)" }),
            let x = node.number("x"), let y = node.number("y"),
            let width = node.number("width"), let height = node.number("height")
        else { return nil }
        return Rect(x: x, y: y, width: width, height: height)
    }

    private func legend(_ root: ParsedSVG.Node) -> [String] {
        root.all(ofClass: "legend").flatMap { $0.all(named: "text") }.map(\.text)
    }

    private func note(_ root: ParsedSVG.Node) -> String {
        root.children.filter { $0.name == "text" }.map(\.text).joined(separator: " ")
    }

    @Test func aRangeIsOutlinedAlongItsSidesButAroundThoseOfTheViewport() throws {
        let root = try root(picture(display, preload))
        #expect(outline("display", root) == Rect(x: -3.5, y: 175, width: 107, height: 125))
        #expect(outline("preload", root) == Rect(x: -6.5, y: 125, width: 113, height: 250))
        #expect(legend(root) == ["viewport", "display range", "preload range"])
        // Content that scrolls to the side has its ranges around the other two.
        let wide = Rect(x: -50, y: 200, width: 300, height: 50)
        let sideways = try self.root(picture(display, wide))
        #expect(outline("preload", sideways)?.minY == 193.5)
        #expect(outline("preload", sideways)?.maxY == 256.5)
    }

    @Test func rangesThatAreTheViewportAreDrawnAroundItAndEachOther() throws {
        let root = try root(picture(bounds, bounds, [], .visibleOnly))
        #expect(outline("display", root) == Rect(x: -3.5, y: 196.5, width: 107, height: 57))
        #expect(outline("preload", root) == Rect(x: -6.5, y: 193.5, width: 113, height: 63))
        let classes = root.all(ofClass: "panel").flatMap(\.children)
            .compactMap { $0.attributes["class"] }
        #expect(classes == ["beyond", "range preload", "range display", "viewport"])
    }

    @Test func whatIsInARangeIsNotPale() throws {
        func hole(_ picture: LayoutPicture) throws -> String? {
            let path = try root(picture).all(ofClass: "beyond").first?.attributes["d"]
            return path?.split(separator: "M").last.map(String.init)
        }
        #expect(try hole(picture(display, preload)) == "-6.5 125H106.5V375H-6.5Z")
        #expect(try hole(picture(preload, bounds)) == "-6.5 125H106.5V375H-6.5Z")
        var plain = picture(display, preload)
        plain.ranges = nil
        #expect(try hole(plain) == "0 200H100V250H0Z")
    }

    @Test func aRangeWithoutExtentIsNotDrawn() throws {
        let root = try root(picture(.zero, bounds, [], .lowMemory))
        #expect(outline("display", root) == nil && outline("preload", root) != nil)
        #expect(legend(root) == ["viewport", "preload range"])
        #expect(note(root) == "Range mode: lowMemory.")
    }

    @Test(arguments: LayoutPictureTests.badNumbers + [.greatestFiniteMagnitude / 4])
    func anyNumberInARangeGivesAPicture(number: Double) throws {
        let parts: [WritableKeyPath<Rect, Double>] = [
            \.origin.x, \.origin.y, \.size.width, \.size.height,
        ]
        for part in parts {
            var bad = preload
            bad[keyPath: part] = number
            let root = try root(picture(bad, bad))
            let panel = try #require(root.all(ofClass: "panel").first)
            for node in panel.descendants {
                for name in ["x", "y", "width", "height"] {
                    #expect((node.number(name) ?? 0).magnitude < 1000, "\(part) \(name)")
                }
            }
        }
    }

    @Test func aRangeThatReachesFartherThanThePictureIsDrawnBeyondIt() throws {
        let far = Rect(x: 0, y: -1e300, width: 100, height: 2e300)
        let root = try root(picture(display, far))
        // The panel is seen from 9 above the content to 9 below it.
        #expect(outline("preload", root) == Rect(x: -6.5, y: -29, width: 113, height: 658))
        let elsewhere = Rect(x: 0, y: 5000, width: 100, height: 50)
        #expect(try outline("preload", self.root(picture(display, elsewhere))) == nil)
        var unknown = picture(display, preload)
        unknown.bounds.origin.y = .nan
        #expect(try outline("preload", self.root(unknown)) == nil)
    }

    @Test func theNearerAnElementTheMoreDotsItHas() throws {
        let states: [InterfaceState?] = [
            nil, [], .preload, [.preload, .display], [.preload, .display, .visible],
            // What is seen of a view that nobody sees, and ranges that are tuned otherwise.
            .display, [.visible, .preload],
        ]
        let elements = states.enumerated().map { item, state in
            let frame = Rect(x: 0, y: Double(item) * 20, width: 100, height: 20)
            var element = cell(0, item, frame, ["text"])
            element.interfaceState = state
            return element
        }
        let root = try root(picture(display, preload, elements))
        let cells = root.all(ofClass: "cell")
        #expect(cells.map { $0.all(ofClass: "dot").count } == [0, 0, 1, 2, 3, 2, 3])
        let papers = cells.compactMap { $0.all(named: "rect").first?.attributes["fill"] }
        #expect(papers[0] == papers[1] && Set(papers).count == 4)
        #expect(papers[3] == papers[5] && papers[4] == papers[6])
        #expect(
            legend(root) == [
                "viewport", "display range", "preload range", "cell", "visible", "display",
                "preload",
            ]
        )
        let titles = cells.compactMap { $0.all(named: "title").first?.text }
        #expect(titles[0].hasSuffix("100 × 20"))
        #expect(titles[1].hasSuffix("; interface state none"))
        #expect(titles[4].hasSuffix("; interface state preload, display, visible"))
    }

    @Test(arguments: [false, true])
    func dotsAreWhereNoLetterIs(isRightToLeft: Bool) throws {
        let frames = [
            Rect(x: 10, y: 0, width: 60, height: 40), Rect(x: 10, y: 50, width: 5, height: 12),
            Rect(x: 10, y: 100, width: 4, height: 40), Rect(x: 10, y: 150, width: 60, height: 11),
        ]
        let elements = frames.enumerated().map { item, frame in
            var element = cell(0, item, frame)
            element.interfaceState = [.preload, .display, .visible]
            return element
        }
        var picture = picture(display, preload, elements)
        picture.isRightToLeft = isRightToLeft
        let cells = try root(picture).all(ofClass: "cell")
        for (node, frame) in zip(cells, frames) {
            // Where there is no room for them they are left out.
            let dots = node.all(ofClass: "dot")
            #expect(dots.count == (frame.minY < 100 ? 3 : 0))
            for dot in dots {
                let (x, y) = (try #require(dot.number("x")), try #require(dot.number("y")))
                #expect(isRightToLeft ? x + 3 <= frame.minX + 5 : x >= frame.maxX - 5)
                #expect(x >= frame.minX && x + 3 <= frame.maxX)
                #expect(y >= frame.minY && y + 3 <= frame.maxY)
            }
        }
    }

    @Test func theLegendHasOnlyWhatIsThere() throws {
        var element = cell(0, 0, Rect(x: 0, y: 0, width: 100, height: 20))
        element.interfaceState = .preload
        let root = try root(picture(display, preload, [element]))
        #expect(
            legend(root) == ["viewport", "display range", "preload range", "cell", "preload"]
        )
    }

    @Test func whatHasNoNodeIsCrossedOut() throws {
        var bare = cell(0, 0, Rect(x: 10, y: 20, width: 80, height: 30))
        bare.hasNode = false
        let root = try root(
            picture(
                display,
                preload,
                [bare, cell(0, 1, Rect(x: 10, y: 50, width: 80, height: 30))]
            )
        )
        let cells = root.all(ofClass: "cell")
        #expect(cells.map { $0.all(ofClass: "cross").count } == [2, 0])
        let ends = cells[0].all(ofClass: "cross").map { line in
            ["x1", "y1", "x2", "y2"].compactMap { line.number($0) }
        }
        #expect(ends == [[10, 20, 90, 50], [10, 50, 90, 20]])
        #expect(legend(root).last == "no node")
        let titles = cells.compactMap { $0.all(named: "title").first?.text }
        #expect(titles[0].hasSuffix("; no node") && !titles[1].contains("node"))
    }

    @Test func theModeStandsBelowAndOfTwoMomentsBoth() throws {
        let (small, large) = (picture(display, preload, [], .minimum), picture(display, preload))
        #expect(try note(root(small)) == "Range mode: minimum.")
        func notes(_ old: LayoutPicture, _ new: LayoutPicture) throws -> [String] {
            let svg = UpdatePicture(old: old, new: new, edits: []).svg()
            let texts = try ParsedSVG.root(of: svg).children.filter { $0.name == "text" }
            return texts.map(\.text).filter { $0 != "before" && $0 != "after" }
        }
        #expect(try notes(small, large) == ["Range mode: minimum, then full."])
        #expect(try notes(large, large) == ["Range mode: full."])
        var plain = small
        plain.ranges = nil
        #expect(try notes(plain, large) == ["Range mode: full."])
        #expect(try notes(plain, plain) == [])
        var blind = large
        blind.bounds = Rect(x: .nan, y: 0, width: 10, height: 10)
        #expect(
            try notes(blind, large)
                == ["The viewport is none that can be drawn.", "Range mode: full."]
        )
    }
}
