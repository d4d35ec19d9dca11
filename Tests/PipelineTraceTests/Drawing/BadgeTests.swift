import CollectionLayouts
import Testing

@testable import PipelineTrace

@Suite("What is drawn over elements") struct BadgeTests {
    /// Rows that touch each other and the edges of the picture, each with letters wherever it may have some.
    private static func rows(_ texts: [String]) -> LayoutPicture {
        let size = Size(width: 100, height: 22)
        let elements = texts.enumerated().map { index, text in
            let origin = Point(x: 0, y: Double(index) * size.height)
            let frame = Rect(origin: origin, size: size)
            let place = LayoutPlace.cell(ItemPath(section: 0, item: index))
            return PicturedElement(
                LayoutAttributes(place, frame: frame),
                key: text,
                lines: [String(repeating: text, count: 15)]
            )
        }
        let content = Size(width: size.width, height: size.height * Double(texts.count))
        let bounds = Rect(origin: .zero, size: content)
        return LayoutPicture(bounds: bounds, contentSize: content, elements: elements)
    }

    /// The letters of an element take what its padding leaves.
    @Test(arguments: [false, true])
    func noBadgeCoversALetterAndNoneIsCutOff(isRightToLeft: Bool) throws {
        var (old, new) = (Self.rows(["a", "b", "c"]), Self.rows(["c", "a", "x"]))
        old.isRightToLeft = isRightToLeft
        new.isRightToLeft = isRightToLeft
        let picture = UpdatePicture(matching: old, with: new)
        let layers = try ParsedSVG.root(of: picture.svg()).all(ofClass: "badges")
        #expect(layers.count == 2)
        for layer in layers {
            let box = try #require(layer.attributes["viewBox"]).split(separator: " ")
                .compactMap { Double($0) }
            let badges = layer.all(ofClass: "badge")
            #expect(!badges.isEmpty)
            for badge in badges {
                let place = try #require(badge.attributes["transform"])
                    .dropFirst("translate(".count).dropLast().split(separator: " ")
                    .compactMap { Double($0) }
                let circle = try #require(badge.all(named: "circle").first)
                let line = try #require(circle.number("stroke-width"))
                let reach = try #require(circle.number("r")) + line / 2
                #expect(reach == EditMark.badgeExtent)
                #expect(place[0] + reach <= 5 || place[0] - reach >= 95)
                #expect(place[0] - reach >= box[0] && place[0] + reach <= box[0] + box[2])
                #expect(place[1] - reach >= box[1] && place[1] + reach <= box[1] + box[3])
            }
        }
    }

    @Test func noArrowRunsOverAnElement() throws {
        let picture = UpdatePicture(matching: Self.rows(["a", "b"]), with: Self.rows(["b", "a"]))
        let root = try ParsedSVG.root(of: picture.svg())
        let arrows = root.all(ofClass: "arrow")
        #expect(arrows.count == 2)
        for arrow in arrows { #expect(arrow.all(named: "path").isEmpty) }
        // The lines come before all elements.
        let names = root.children.map { $0.attributes["class"] ?? $0.name }
        let line = try #require(names.lastIndex(of: "path"))
        let panel = try #require(names.firstIndex(of: "panel"))
        #expect(line < panel)
    }

    @Test(arguments: KeptPictureTests.Kept.allCases)
    func everyColourHasADarkOne(_ kept: KeptPictureTests.Kept) throws {
        let known = Set(PictureStyle.darkColours.map(\.light))
        let root = try ParsedSVG.root(of: kept.svg)
        for node in [root] + root.descendants {
            for name in ["fill", "stroke"] {
                guard let colour = node.attributes[name], colour.hasPrefix("#") else { continue }
                #expect(known.contains(colour), "\(colour)")
            }
        }
    }

    @Test func aColourBecomesOneOtherInThePage() {
        let colours = PictureStyle.darkColours
        #expect(Set(colours.map(\.light)).count == colours.count)
        let rules = PictureStyle.darkRules
        #expect(rules.hasPrefix("@media (prefers-color-scheme: dark) {\n"))
        #expect(rules.contains("  [fill=\"#ffffff\"] { fill: #16191d; }\n"))
        #expect(rules.contains("  [stroke=\"#111111\"] { stroke: #e6e8ea; }\n"))
        #expect(rules.split(separator: "\n").count == 2 * colours.count + 2)
    }
}
