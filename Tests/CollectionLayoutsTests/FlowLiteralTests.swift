import Testing

@testable import CollectionLayouts

/// UIKit's frames, written out: from the tests of OpenUXKit, IGListKit and MagazineLayout, and from
/// UIKit's documented behaviour. Every row is laid out as a flow layout and as a section of a
/// composed layout.
@Suite("Flow layouts, literally")
struct FlowLiteralTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let name: String
        let room: Size
        var direction = ScrollDirection.vertical
        let sections: @Sendable () -> [ScriptedSection]
        /// The origins of the items, section by section, as `x y`.
        let origins: [String]
        let content: Size
        /// The frames of headers and footers, as `header 0: x y width height`.
        var supplements: [String] = []

        var testDescription: String { name }
    }

    static let rows: [Row] = [
        Row(
            name: "ten equal items wrap as six and four on one grid",
            room: Size(width: 320, height: 480),
            sections: {
                var section = ScriptedSection.uniform(10, 50, 50)
                section.interitem = 4
                return [section]
            },
            origins: [
                "0 0", "54 0", "108 0", "162 0", "216 0", "270 0", "0 60", "54 60", "108 60",
                "162 60",
            ],
            content: Size(width: 320, height: 110)
        ),
        Row(
            name: "horizontal lines are columns",
            room: Size(width: 320, height: 150),
            direction: .horizontal,
            sections: { [.uniform(4, 40, 40)] },
            origins: ["0 0", "0 55", "0 110", "50 0"],
            content: Size(width: 90, height: 150)
        ),
        Row(
            name: "mixed sizes are centred in their line, lines are justified, the last is not",
            room: Size(width: 300, height: 480),
            sections: {
                let sizes = [(50, 20), (100, 60), (120, 40), (80, 10)].map {
                    Size?(Size(width: $0.0, height: $0.1))
                }
                return [ScriptedSection(items: sizes)]
            },
            origins: ["0 20", "65 0", "180 10", "0 70"],
            content: Size(width: 300, height: 80)
        ),
        Row(
            name: "sections have no gap, insets do not apply to headers and footers",
            room: Size(width: 320, height: 480),
            sections: {
                var first = ScriptedSection.uniform(4, 100, 50)
                first.header = 20
                var second = ScriptedSection.uniform(2, 100, 50)
                second.inset = EdgeInsets(top: 10, left: 10, bottom: 30, right: 10)
                second.footer = 20
                return [first, second]
            },
            origins: ["0 20", "110 20", "220 20", "0 80", "10 140", "210 140"],
            content: Size(width: 320, height: 240),
            supplements: ["header 0: 0 0 320 20", "footer 1: 0 220 320 20"]
        ),
        Row(
            name: "horizontal headers are next to their lines",
            room: Size(width: 92, height: 92),
            direction: .horizontal,
            sections: {
                var section = ScriptedSection.uniform(4, 40, 40)
                (section.header, section.footer, section.line, section.interitem) = (10, 20, 5, 6)
                section.inset = EdgeInsets(top: 1, left: 2, bottom: 3, right: 4)
                return [section, section]
            },
            origins: [
                "12 1", "12 49", "57 1", "57 49", "133 1", "133 49", "178 1", "178 49",
            ],
            content: Size(width: 242, height: 92),
            supplements: [
                "header 0: 0 0 10 92", "footer 0: 101 0 20 92", "header 1: 121 0 10 92",
                "footer 1: 222 0 20 92",
            ]
        ),
        Row(
            name: "items that fit exactly share a line",
            room: Size(width: 320, height: 480),
            sections: { [.uniform(3, 100, 10)] },
            origins: ["0 0", "110 0", "220 0"],
            content: Size(width: 320, height: 10)
        ),
        Row(
            name: "a single item is centred in the dimension, and between insets if all are equal",
            room: Size(width: 100, height: 480),
            sections: {
                let inset = EdgeInsets(left: 20)
                let sizes = [Size?(Size(width: 60, height: 10)), Size(width: 70, height: 12)]
                var equal = ScriptedSection.uniform(2, 60, 10)
                equal.inset = inset
                return [ScriptedSection(items: sizes, inset: inset), equal]
            },
            origins: ["20 0", "15 20", "30 32", "30 52"],
            content: Size(width: 100, height: 62)
        ),
        Row(
            name: "an item that is too wide is alone and centred, before the edge",
            room: Size(width: 320, height: 480),
            sections: {
                let sizes = [
                    Size?(Size(width: 10, height: 10)), Size(width: 400, height: 10), Size.zero,
                ]
                return [ScriptedSection(items: sizes)]
            },
            origins: ["155 0", "-40 20", "160 40"],
            content: Size(width: 320, height: 40)
        ),
        Row(
            name: "a section without items has header, insets and footer",
            room: Size(width: 320, height: 480),
            sections: {
                let inset = EdgeInsets(top: 5, left: 99, bottom: 6, right: 99)
                return [ScriptedSection(inset: inset, header: 10, footer: 20)]
            },
            origins: [],
            content: Size(width: 320, height: 41),
            supplements: ["header 0: 0 0 320 10", "footer 0: 0 21 320 20"]
        ),
        Row(
            name: "a header without extent is not placed",
            room: Size(width: 320, height: 480),
            sections: { [ScriptedSection(items: [nil], header: 0, footer: 0)] },
            origins: ["135 0"],
            content: Size(width: 320, height: 50)
        ),
        Row(
            name: "a view without width has no content",
            room: Size(width: 0, height: 480),
            sections: { [.uniform(3, 50, 50)] },
            origins: [],
            content: .zero
        ),
    ]

    @Test(arguments: rows, [LayoutEngine.flow, .composed])
    func framesMatchUIKit(_ row: Row, _ engine: LayoutEngine) {
        let host = ScriptedHost(row.sections(), width: row.room.width, height: row.room.height)
        let layout = host.lay(engine.make(row.direction))
        func number(_ value: Double) -> String { "\(Int(value.rounded()))" }
        let all = layout.everything.values.sorted { $0.place < $1.place }
        let origins = all.filter { $0.place.category == .cell }
            .map { number($0.frame.minX) + " " + number($0.frame.minY) }
        let supplements = all.filter { $0.place.category != .cell }
            .sorted {
                ($0.indexPath.section, $1.frame.minY) < ($1.indexPath.section, $0.frame.minY)
            }
            .map { attributes in
                let frame = attributes.frame
                let values = [frame.minX, frame.minY, frame.size.width, frame.size.height]
                let kind = attributes.place == .header(attributes.indexPath.section)
                return "\(kind ? "header" : "footer") \(attributes.indexPath.section): "
                    + values.map(number).joined(separator: " ")
            }
        #expect(origins == row.origins)
        #expect(Set(supplements) == Set(row.supplements))
        #expect(layout.collectionViewContentSize == row.content)
        let isOversize = row.name.contains("too wide")
        #expect(layout.errors.map(\.code) == (isOversize ? [.itemExceedsLine] : []))
    }

    /// Items whose width an application divides among columns, with equal and with different
    /// heights.
    @Test(arguments: [LayoutEngine.flow, .composed])
    func aWidthDividedByAColumnCountFitsThatManyItemsPerLine(_ engine: LayoutEngine) {
        for (width, columns) in (200..<217).flatMap({ width in (1..<9).map { (width, $0) } }) {
            for spacing in [0.0, 1, 7, 10] {
                for height in [10.0, 9] {
                    let room = Double(width) - spacing * Double(columns - 1)
                    let size = Size(width: room / Double(columns), height: 10)
                    var section = ScriptedSection(items: Array(repeating: size, count: 2 * columns))
                    section.items[0]?.height = height
                    (section.line, section.interitem) = (0, spacing)
                    let host = ScriptedHost([section], width: Double(width))
                    let layout = host.lay(engine.make())
                    let name: Comment = "\(width) \(columns) \(spacing) \(height)"
                    #expect(layout.collectionViewContentSize.height <= 20, name)
                }
            }
        }
    }
}
