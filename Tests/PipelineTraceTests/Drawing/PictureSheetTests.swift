import CollectionLayouts
import SimulatedView
import Testing

@testable import PipelineTrace

@Suite("What is around a picture") struct PictureSheetTests {
    private func texts(_ node: ParsedSVG.Node) -> [ParsedSVG.Node] {
        node.children.filter { $0.name == "text" }
    }

    /// A reader who points at it gets the whole.
    @Test func ofATitleTheFirstFiveHundredCharactersStandAboveThePicture() throws {
        var picture = LayoutPicture.rows([["a"]])
        let letters = String(repeating: "a", count: 499)
        picture.title = letters + "bcd"
        let root = try ParsedSVG.root(of: picture.svg())
        #expect(texts(root).map(\.text).joined() == letters + "b")
        #expect(root.children.first { $0.name == "title" }?.text == letters + "bcd")
    }

    @Test func whatIsLeftOutIsTheLastNote() throws {
        var hidden = cell(0, 0, Rect(x: 0, y: 0, width: 10, height: 10))
        hidden.attributes.isHidden = true
        let box = Rect(x: 0, y: 0, width: 10, height: 10)
        var picture = LayoutPicture(
            bounds: Rect(x: .nan, y: 0, width: 10, height: 10),
            contentSize: Size(width: 200, height: 100),
            elements: [hidden]
        )
        picture.ranges = PicturedRanges(mode: .full, display: box, preload: box)
        let notes = try texts(ParsedSVG.root(of: picture.svg())).map(\.text)
        #expect(
            notes == [
                "The viewport is none that can be drawn.", "Range mode: full.",
                "Left out: 1 hidden.",
            ]
        )
    }

    /// Three samples, with the room between them, take 248.
    @Test(arguments: [(247, [0, 0, 20]), (248, [0, 0, 0]), (249, [0, 0, 0])])
    func aRowOfTheLegendMayBeFilledToItsEnd(width: Double, rows: [Double]) throws {
        var selected = cell(0, 0, Rect(x: 0, y: 0, width: 50, height: 30))
        selected.isSelected = true
        let bounds = Rect(x: 0, y: 0, width: width, height: 100)
        let picture = LayoutPicture(bounds: bounds, contentSize: bounds.size, elements: [selected])
        let root = try ParsedSVG.root(of: picture.svg())
        let labels = texts(try #require(root.all(ofClass: "legend").first))
        #expect(labels.map(\.text) == ["viewport", "cell", "selected"])
        let heights = labels.compactMap { $0.number("y") }
        let top = try #require(heights.first)
        #expect(heights.map { $0 - top } == rows)
    }
}
