import CollectionLayouts
import Testing

@testable import PipelineTrace

@Suite struct LayoutPictureTests {
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
        #expect(text == picture.svg())
        #expect(!text.contains("nan") && !text.contains("inf"))
        return try ParsedSVG.root(of: text)
    }

    private func note(_ root: ParsedSVG.Node) -> String {
        root.children.filter { $0.name == "text" }.map(\.text).joined(separator: " ")
    }

    /// The sample of the documentation.
    private func sample(_ host: any LayoutHost, _ layout: CollectionLayout) -> String {
        var picture = LayoutPicture(
            bounds: host.bounds,
            contentSize: layout.collectionViewContentSize
        )
        let everything = Rect(origin: .zero, size: layout.collectionViewContentSize)
        picture.elements = layout.layoutAttributesForElements(in: everything).map { attributes in
            PicturedElement(attributes, lines: ["\(attributes.indexPath)"])
        }
        let text = picture.svg()
        return text
    }

    @Test func aLayoutIsPicturedAsTheDocumentationSays() throws {
        let host = RowsHost()
        let layout = ListLayout()
        layout.attach(to: host)
        layout.prepare()
        let root = try ParsedSVG.root(of: sample(host, layout))
        let cells = root.all(ofClass: "cell")
        #expect(cells.count == 3)
        #expect(cells.flatMap { $0.all(named: "text") }.map(\.text) == ["0 - 0", "0 - 1", "0 - 2"])
    }

    @Test func emptyContentIsAPictureOfTheViewport() throws {
        let root = try parsed([]) { $0.contentSize = .zero }
        let viewport = try #require(root.all(ofClass: "viewport").first)
        #expect(viewport.number("y") == 20 && viewport.number("height") == 100)
        #expect(root.all(ofClass: "cell").isEmpty && root.all(ofClass: "content").isEmpty)
    }

    @Test func theViewportIsOutlinedAndTheRestIsPale() throws {
        let root = try parsed([cell(0, 0, box)])
        let beyond = try #require(root.all(ofClass: "beyond").first)
        #expect(beyond.attributes["d"]?.hasSuffix("M0 20H200V120H0Z") ?? false)
        #expect(beyond.attributes["fill-rule"] == "evenodd")
    }

    @Test func whatIsInFrontIsDrawnInFront() throws {
        var front = cell(0, 0, box, ["front"])
        front.attributes.zIndex = 5
        let path = ItemPath(section: 0, item: 1)
        let decoration = LayoutPlace(.decoration(SupplementaryKind(rawValue: "mat")), path)
        let root = try parsed([
            front, cell(0, 2, box, ["c"]), cell(0, 1, box, ["b"]),
            PicturedElement(LayoutAttributes(decoration, frame: box), lines: ["a"]),
        ])
        let texts = root.all(ofClass: "panel").flatMap { $0.all(named: "text") }.map(\.text)
        #expect(texts == ["a", "b", "c", "front"])
    }

    @Test func equalDepthIsInTheOrderOfPathsWhateverTheInput() throws {
        let elements = (0..<6).map { cell($0 % 2, $0 / 2, box, ["\($0)"]) }
        let expected = try parsed(elements).all(named: "text").map(\.text)
        #expect(try parsed(elements.reversed()).all(named: "text").map(\.text) == expected)
    }

    @Test func transformsAndOpacitiesAreApplied() throws {
        var turned = cell(0, 0, box, ["turned"])
        turned.attributes.transform = AffineTransform(
            a: 0,
            b: 0.5,
            c: -0.5,
            d: 0,
            tx: 3,
            ty: -4
        )
        turned.attributes.alpha = 0.25
        let element = try #require(try parsed([turned]).all(ofClass: "cell").first)
        #expect(element.attributes["transform"] == "matrix(0 0.5 -0.5 0 53 46)")
        #expect(element.attributes["opacity"] == "0.25")
        let drawn = try #require(element.all(named: "svg").first)
        #expect(drawn.number("x") == -40 && drawn.number("y") == -20)
    }

    @Test func textsAreCutOffAtTheirBoxes() throws {
        let long = String(repeating: "e\u{301}", count: 100_000)
        let lines = Array(repeating: long, count: 50)
        let element = try #require(try parsed([cell(0, 0, box, lines)]).all(ofClass: "cell").first)
        let clip = try #require(element.all(named: "svg").first)
        #expect(clip.attributes["overflow"] == "hidden")
        #expect(clip.number("width") == 80 && clip.number("height") == 40)
        let texts = clip.all(named: "text")
        #expect(texts.count == 4 && texts.allSatisfy { $0.text.count <= 20 })
    }

    @Test func anyTextMayStandOnAnElement() throws {
        let text = "<&>\"'\u{0}\u{1B}[31m\u{FFFF}\u{202E}"
        let root = try parsed([cell(0, 0, box, [text], key: text)]) { $0.title = text }
        let drawn = try #require(root.all(ofClass: "cell").first).all(named: "text").map(\.text)
        #expect(drawn == ["<&>\"'\u{2400}\u{241B}[31m\u{FFFD}\u{202E}"])
    }

    @Test func hiddenAndEmptyElementsAreLeftOutAndCounted() throws {
        var hidden = cell(0, 0, box)
        hidden.attributes.isHidden = true
        let root = try parsed([
            hidden, cell(0, 1, Rect(x: 0, y: 0, width: 0, height: 10)), cell(0, 2, box),
        ])
        #expect(root.all(ofClass: "cell").count == 1)
        #expect(note(root).contains("Left out: 1 hidden, 1 without extent."))
    }

    static let badNumbers = [Double.nan, .infinity, -.infinity, 1e300, -1e300, 1e10]

    @Test(arguments: badNumbers)
    func elementsWithBadNumbersAreLeftOutAndCounted(number: Double) throws {
        var elements: [PicturedElement] = []
        for part in 0..<4 {
            var frame = box
            switch part {
            case 0: frame.origin.x = number
            case 1: frame.origin.y = number
            case 2: frame.size.width = number
            default: frame.size.height = number
            }
            elements.append(cell(0, part, frame))
        }
        let parts: [WritableKeyPath<AffineTransform, Double>] = [
            \.a, \.b, \.c, \.d, \.tx, \.ty,
        ]
        for (item, part) in parts.enumerated() {
            var element = cell(1, item, box)
            element.attributes.transform[keyPath: part] = number
            elements.append(element)
        }
        let root = try parsed(elements + [cell(2, 0, box)])
        #expect(root.all(ofClass: "cell").count == 1)
        #expect(note(root).contains("10 with numbers that cannot be drawn"))
    }

    @Test(arguments: badNumbers)
    func aBadViewportOrContentStillGivesAPicture(number: Double) throws {
        for part in 0..<6 {
            let root = try parsed([cell(0, 0, box)]) { picture in
                switch part {
                case 0: picture.bounds.origin.x = number
                case 1: picture.bounds.origin.y = number
                case 2: picture.bounds.size.width = number
                case 3: picture.bounds.size.height = number
                case 4: picture.contentSize.width = number
                default: picture.insets.left = number
                }
            }
            #expect(root.all(ofClass: "cell").count == 1)
            #expect(note(root).contains("viewport is none") == (part < 4))
        }
    }

    @Test func aBadOpacityIsLeftOutAndOthersAreBounded() throws {
        let opacities = [Double.nan, -1, 2, .infinity].enumerated().map { index, alpha in
            var element = cell(0, index, box)
            element.attributes.alpha = alpha
            return element
        }
        let drawn = try parsed(opacities).all(ofClass: "cell").map { $0.attributes["opacity"] }
        #expect(drawn == ["0", "1", "1"])
    }

    @Test func ofLargeContentThePartAroundTheViewportIsDrawn() throws {
        let far = Rect(x: 0, y: 900_000, width: 80, height: 40)
        let root = try parsed([cell(0, 0, box), cell(0, 1, far)]) { picture in
            picture.bounds.origin.y = 900_000
            picture.contentSize.height = 1e6
        }
        #expect(root.all(ofClass: "panel").first?.number("height") == 8018)
        #expect(root.all(ofClass: "cell").count == 1)
        #expect(note(root).contains("1 beyond the part that is shown"))
    }

    @Test func anAreaThatIsAskedForIsWhatIsDrawn() throws {
        let root = try parsed([cell(0, 0, box)]) {
            $0.area = Rect(x: 0, y: 20, width: 100, height: 100)
        }
        #expect(root.all(ofClass: "panel").first?.attributes["viewBox"] == "-9 11 118 118")
    }

    @Test func headersFootersAndDecorationsLookDifferentInGrey() throws {
        let other = SupplementaryKind(rawValue: "other")
        let path = ItemPath(section: 0, item: 0)
        let places = [
            LayoutPlace.cell(path), .header(0), .footer(0), LayoutPlace(.decoration(other), path),
            LayoutPlace(.supplementary(other), path),
        ]
        let root = try parsed(
            places.map { PicturedElement(LayoutAttributes($0, frame: box), lines: ["text"]) }
        )
        let looks = try ElementLook.allCases.map { look in
            let element = try #require(root.all(ofClass: look.rawValue).first)
            let text = try #require(element.all(named: "text").first)
            let edge = element.all(named: "line").first?.attributes["y1"]
            let outline = element.all(named: "rect").first?.attributes["stroke-dasharray"]
            return [outline, edge, text.attributes["font-weight"], text.attributes["font-style"]]
        }
        #expect(Set(looks).count == looks.count)
    }

    @Test func selectedElementsHaveATick() throws {
        var selected = cell(0, 0, box)
        selected.isSelected = true
        let root = try parsed([selected, cell(0, 1, box)])
        let ticks = root.all(ofClass: "cell").map { $0.all(named: "path").count }
        #expect(ticks == [1, 0])
        #expect(
            root.all(ofClass: "legend").first?.all(named: "text").map(\.text).contains("selected")
                ?? false
        )
    }

    @Test func rightToLeftTextEndsAtTheRight() throws {
        let root = try parsed([cell(0, 0, box, ["text"])]) { $0.isRightToLeft = true }
        let text = try #require(root.all(ofClass: "cell").first?.all(named: "text").first)
        #expect(text.attributes["text-anchor"] == "end" && text.number("x") == 75)
    }

    @Test(arguments: [0, -1, Double.nan, .infinity, 1e300])
    func anyScaleGivesAPicture(scale: Double) throws {
        var style = PictureStyle()
        style.scale = scale
        style.namePrefix = "\"<\u{0}x"
        let picture = LayoutPicture.rows([["a"]])
        let root = try ParsedSVG.root(of: picture.svg(style: style))
        #expect(root.number("width") == (scale == 1e300 ? 26_000 : 260))
    }
}
