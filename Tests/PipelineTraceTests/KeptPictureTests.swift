import CollectionLayouts
import Foundation
import Testing

@testable import PipelineTrace

/// Pictures that are kept as files for viewing: the same values give the same bytes.
///
/// With `KEEP_PICTURES` in the environment the tests write the files again; do that after changing
/// the appearance of pictures.
@Suite("Kept pictures") struct KeptPictureTests {
    enum Kept: String, CaseIterable, CustomTestStringConvertible, Sendable {
        case everyLook, everyEdit

        var testDescription: String { rawValue }

        var svg: String {
            get throws {
                switch self {
                case .everyLook: return Self.looks().svg()
                case .everyEdit: return try Self.edits().svg()
                }
            }
        }

        /// Elements of every kind and of every reason to leave one out.
        private static func looks() -> LayoutPicture {
            var picture = LayoutPicture(
                bounds: Rect(x: 10, y: 20, width: 220, height: 160),
                contentSize: Size(width: 260, height: 400)
            )
            picture.title = "A title that is longer than the sheet is wide, and breaks into lines"
            picture.insets = EdgeInsets(top: 10, left: 4, bottom: 6, right: 8)
            let other = SupplementaryKind(rawValue: "other")
            let path = ItemPath(section: 0, item: 0)
            func element(_ place: LayoutPlace, _ frame: Rect, _ lines: [String]) -> PicturedElement
            { PicturedElement(LayoutAttributes(place, frame: frame), lines: lines) }
            var turned = cell(0, 3, Rect(x: 130, y: 100, width: 60, height: 30), ["turned"])
            let map = AffineTransform(a: 0.8, b: 0.25, c: -0.25, d: 0.8, tx: 6, ty: -2)
            turned.attributes.transform = map
            turned.attributes.alpha = 0.75
            turned.interfaceState = [.preload, .display]
            var front = cell(0, 1, Rect(x: 30, y: 66, width: 90, height: 50), ["in front"])
            (front.attributes.zIndex, front.isSelected, front.key) = (1, true, "key")
            var bare = cell(
                0,
                2,
                Rect(x: 100, y: 50, width: 50, height: 40),
                ["longer than its cell"]
            )
            (bare.hasNode, bare.interfaceState) = (false, [])
            var hidden = cell(1, 0, Rect(x: 0, y: 300, width: 10, height: 10))
            hidden.attributes.isHidden = true
            picture.elements = [
                element(.header(0), Rect(x: 0, y: 20, width: 260, height: 24), ["Header", "more"]),
                element(.footer(0), Rect(x: 0, y: 140, width: 260, height: 40), ["Footer"]),
                element(
                    LayoutPlace(.supplementary(other), path),
                    Rect(x: 200, y: 50, width: 40.25, height: 33.5),
                    ["badge", "of", "it"]
                ),
                element(
                    LayoutPlace(.decoration(other), path),
                    Rect(x: 4, y: 46, width: 252, height: 90),
                    []
                ),
                cell(0, 0, Rect(x: 10, y: 50, width: 80, height: 30), ["one", "two", "three"]),
                front, turned, hidden, bare,
                cell(1, 1, Rect(x: 20, y: 200, width: 1, height: 1)),
                cell(1, 2, Rect(x: 30, y: 200, width: 3, height: 2), ["x"]),
                cell(1, 3, Rect(x: 0, y: 200, width: 0, height: 10)),
                cell(1, 4, Rect(x: 0, y: 1000, width: 10, height: 10)),
                cell(1, 5, Rect(x: .nan, y: 0, width: 10, height: 10)),
            ]
            return picture
        }

        private static func edits() throws -> UpdatePicture {
            func path(_ section: Int, _ item: Int) -> ItemPath {
                ItemPath(section: section, item: item)
            }
            var changes = HierarchyChangeSet()
            changes.deleteItems(at: [path(0, 2)])
            changes.reloadItems(at: [path(0, 1)])
            changes.moveItem(at: path(0, 3), to: path(0, 0))
            changes.moveItem(at: path(0, 0), to: path(1, 1))
            changes.insertItems(at: [path(1, 2)])
            changes.reloadSupplementaries(ofKind: .header, in: [1])
            var (old, new) = (
                LayoutPicture.rows([["a", "b", "c", "d"], ["e"]]),
                LayoutPicture.rows([["d", "b"], ["e", "a", "x"]])
            )
            old.title = "Every edit"
            new.elements[3].isSelected = true
            old.elements[3].attributes.size.width = 90
            old.elements[3].attributes.center.x = 140
            let update = try changes.validated(from: [4, 1], to: [2, 3])
            return UpdatePicture(old: old, new: new, applying: update)
        }
    }

    private static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent()
        .appendingPathComponent("Pictures")

    @Test(arguments: Kept.allCases)
    func aPictureEqualsItsKeptFile(_ kept: Kept) throws {
        let file = Self.folder.appendingPathComponent("\(kept.rawValue).svg")
        let svg = try kept.svg
        if ProcessInfo.processInfo.environment["KEEP_PICTURES"] != nil {
            try Data(svg.utf8).write(to: file)
        }
        let lines = try String(contentsOf: file, encoding: .utf8).split(
            separator: "\n",
            omittingEmptySubsequences: false
        )
        let drawn = svg.split(separator: "\n", omittingEmptySubsequences: false)
        // The first difference is more helpful than two long texts.
        if let line = zip(drawn, lines).enumerated().first(where: { $1.0 != $1.1 }) {
            Issue.record(
                "line \(line.offset + 1): expected \(line.element.1), found \(line.element.0)"
            )
        }
        #expect(drawn.count == lines.count)
        _ = try ParsedSVG.root(of: svg)
    }

    /// Every color in a picture has a dark counterpart, and no two share one.
    @Test(arguments: Kept.allCases)
    func everyColorHasADarkCounterpart(_ kept: Kept) throws {
        let colours = PictureStyle.darkColours
        let known = Set(colours.map(\.light))
        let root = try ParsedSVG.root(of: kept.svg)
        let used = ([root] + root.descendants).flatMap { node in
            ["fill", "stroke"].compactMap { node.attributes[$0] }.filter { $0.hasPrefix("#") }
        }
        #expect(Set(used).subtracting(known) == [] && known.count == colours.count)
        let rules = PictureStyle.darkRules
        #expect(rules.hasPrefix("@media (prefers-color-scheme: dark) {\n"))
        #expect(rules.contains("  [stroke=\"#111111\"] { stroke: #e6e8ea; }\n"))
    }
}
