import CollectionLayouts
import PipelineTestSupport
import Testing

@testable import PipelineTrace

@Suite("What is drawn in front") struct DrawingOrderTests {
    private static let other = SupplementaryKind(rawValue: "other")

    private static let categories: [ElementCategory] = [
        .decoration(other), .cell, .supplementary(.header), .supplementary(.footer),
        .supplementary(other),
    ]

    /// Against sorting by depth, path, kind, and the order in which they came.
    @Test(arguments: UInt64(1)...20)
    func depthThenPathThenKindThenTheOrderOfComing(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var elements: [PicturedElement] = []
        var ranks: [(rank: [Int], number: Int)] = []
        for number in 0..<30 {
            let kind = random.next(below: 5)
            let path = ItemPath(section: random.next(below: 2), item: random.next(below: 2))
            var attributes = LayoutAttributes(
                LayoutPlace(Self.categories[kind], path),
                frame: Rect(x: 0, y: 0, width: 10, height: 10)
            )
            attributes.zIndex = random.next(below: 3) - 1
            elements.append(PicturedElement(attributes, key: "\(number)"))
            ranks.append(([attributes.zIndex, path.section, path.item, kind, number], number))
        }
        ranks.sort { $0.rank.lexicographicallyPrecedes($1.rank) }
        let panel = PicturePanel(
            LayoutPicture(
                bounds: Rect(x: 0, y: 0, width: 100, height: 100),
                contentSize: Size(width: 100, height: 100),
                elements: elements
            )
        )
        #expect(panel.elements.map(\.key) == ranks.map { "\($0.number)" }, "seed \(seed)")
    }

    @Test func numbersOfMovesFromAHundredOnAreSmaller() throws {
        let keys = (0..<101).map { "\($0)" }
        var new = LayoutPicture.rows([keys])
        for index in new.elements.indices { new.elements[index].attributes.center.x += 1 }
        let picture = UpdatePicture(matching: .rows([keys]), with: new)
        let badges = try ParsedSVG.root(of: picture.svg()).all(ofClass: "badge")
        let sizes = badges.flatMap { $0.all(named: "text") }.map { text in
            "\(text.text): \(text.attributes["font-size"] ?? "")"
        }
        #expect(sizes.contains("99: 8") && sizes.contains("100: 5") && sizes.contains("101: 5"))
        #expect(!sizes.contains("99: 5") && !sizes.contains("100: 8"))
    }

    @Test func anArrowLeavesAndArrivesLevelHoweverShortItIs() {
        for (end, reach) in [(0.0, 24.0), (48, 24), (50, 25), (300, 150), (-90, 24)] {
            var writer = SVGWriter()
            MoveArrow(from: Point(x: 0, y: 1), to: Point(x: end, y: 7)).drawLine(&writer)
            let numbers = [reach, end - reach, end - 8].map { SVGText.number($0) }
            let path = "M0 1C\(numbers[0]) 1 \(numbers[1]) 7 \(numbers[2]) 7"
            #expect(writer.text.contains("d=\"\(path)\""), "\(writer.text)")
        }
    }

    @Test func charactersAtTheEdgesOfWhatTextMayHave() {
        let cases: [(UInt32, UInt32)] = [
            (0x00, 0x2400), (0x1F, 0x241F), (0x20, 0x20), (0x7E, 0x7E), (0x7F, 0x2421),
            (0x80, 0xFFFD), (0x9F, 0xFFFD), (0xA0, 0xA0), (0xD7FF, 0xD7FF), (0xFFFD, 0xFFFD),
            (0xFFFE, 0xFFFD), (0xFFFF, 0xFFFD), (0x10000, 0x10000), (0x1FFFD, 0x1FFFD),
            (0x1FFFE, 0xFFFD), (0x1FFFF, 0xFFFD), (0x20000, 0x20000), (0x10FFFE, 0xFFFD),
        ]
        for (value, expected) in cases {
            guard let scalar = Unicode.Scalar(value) else { continue }
            var text = ""
            SVGText.escape(String(scalar), into: &text)
            #expect(text.unicodeScalars.map(\.value) == [expected], "\(value)")
        }
    }

    @Test func numbersAreRoundedToTheirDecimals() {
        let cases: [(Double, Int, String)] = [
            (0.000001, 6, "0.000001"), (-0.0000004, 6, "0"), (1.5, 6, "1.5"), (0.125, 0, "0"),
            (2.5, 0, "3"), (10, 2, "10"), (100.01, 2, "100.01"), (0.07, 2, "0.07"),
            (999_999_999_999, 2, "999999999999"), (1e12, 2, "0"), (-12.345678, 6, "-12.345678"),
            (1_000_000.5, 1, "1000000.5"),
        ]
        for (number, decimals, text) in cases {
            #expect(SVGText.number(number, decimals: decimals) == text)
        }
    }
}
