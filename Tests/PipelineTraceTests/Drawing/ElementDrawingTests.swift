import CollectionLayouts
import Testing

@testable import PipelineTrace

@Suite("How an element is drawn") struct ElementDrawingTests {
    private func picture(_ elements: [PicturedElement]) -> LayoutPicture {
        LayoutPicture(
            bounds: Rect(x: 0, y: 0, width: 200, height: 100),
            contentSize: Size(width: 200, height: 100),
            elements: elements
        )
    }

    private func drawn(_ element: PicturedElement) throws -> ParsedSVG.Node {
        let root = try ParsedSVG.root(of: picture([element]).svg())
        return try #require(root.all(ofClass: "cell").first)
    }

    /// The texts on a cell of that size.
    private func texts(_ lines: [String], width: Double, height: Double) throws -> [String] {
        let frame = Rect(x: 0, y: 0, width: width, height: height)
        return try drawn(cell(0, 0, frame, lines)).all(named: "text").map(\.text)
    }

    @Test func aTransformHasSixDecimals() throws {
        var element = cell(0, 0, Rect(x: 10, y: 30, width: 80, height: 40))
        element.attributes.transform = AffineTransform(
            a: 0.12345678,
            b: 0.0000004,
            c: 0,
            d: -0.98765432,
            tx: 0,
            ty: 0
        )
        let transform = try drawn(element).attributes["transform"]
        #expect(transform == "matrix(0.123457 0 0 -0.987654 50 50)")
    }

    /// The outline of what came is unbroken, also of a kind that has dashes otherwise.
    @Test func aMarkedElementHasTheOutlineOfItsMarkAlone() throws {
        let other = SupplementaryKind(rawValue: "other")
        let path = ItemPath(section: 0, item: 0)
        for (category, dashes) in [
            (ElementCategory.supplementary(other), "4 2"), (.decoration(other), "1 2"),
        ] {
            let place = LayoutPlace(category, path)
            let frame = Rect(x: 10, y: 10, width: 80, height: 30)
            let new = picture([PicturedElement(LayoutAttributes(place, frame: frame))])
            func outline(_ edits: [UpdatePicture.Edit]) throws -> String? {
                let update = UpdatePicture(old: picture([]), new: new, edits: edits)
                let panels = try ParsedSVG.root(of: update.svg()).all(ofClass: "panel")
                let element = panels.last?.all(ofClass: ElementLook(category).rawValue).first
                return element?.all(named: "rect").first?.attributes["stroke-dasharray"]
            }
            #expect(try outline([]) == dashes)
            #expect(try outline([.inserted(new: place)]) == "none")
        }
    }

    // MARK: Text

    /// One more than fits, which is seen in part.
    @Test func ofTheLinesTheFirstAreDrawnThatTheElementHasRoomFor() throws {
        let lines = ["one", "two", "three", "four"]
        #expect(try texts(lines, width: 80, height: 11) == ["one"])
        #expect(try texts(lines, width: 80, height: 12) == ["one", "two"])
        #expect(try texts(lines, width: 80, height: 24) == ["one", "two", "three"])
    }

    @Test func noMoreThanAThousandLinesAreDrawn() throws {
        let lines = (0..<1500).map { "\($0)" }
        #expect(try texts(lines, width: 80, height: 20_000) == Array(lines.prefix(1000)))
    }

    @Test func noMoreThanTenThousandCharactersOfALineAreDrawn() throws {
        let line = String(repeating: "a", count: 10_500)
        #expect(try texts([line], width: 100_000, height: 20).map(\.count) == [10_000])
    }

    /// Of a character with any number of marks, too. The cell has room for two.
    @Test func noMoreThanFourPartsForEachCharacterAreDrawnAndTheFirstOfThem() throws {
        let accents = String(repeating: "\u{301}", count: 10)
        let text = try #require(try texts(["e" + accents + "f"], width: 6, height: 12).first)
        let expected: [Unicode.Scalar] = ["e"] + Array(repeating: "\u{301}", count: 7)
        #expect(Array(text.unicodeScalars) == expected)
    }

    @Test(arguments: [(10, 9), (12, 9), (16, 11), (20, 13), (22, 14), (60, 14)])
    func oneLineStandsInTheMiddleOfALowElement(height: Double, baseline: Double) throws {
        let frame = Rect(x: 0, y: 0, width: 80, height: height)
        let text = try #require(try drawn(cell(0, 0, frame, ["low"])).all(named: "text").first)
        #expect(text.number("y") == baseline)
    }
}
