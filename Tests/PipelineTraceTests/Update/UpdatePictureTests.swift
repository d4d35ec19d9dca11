import CollectionLayouts
import Testing

@testable import PipelineTrace

@Suite struct UpdatePictureTests {
    private func path(_ section: Int, _ item: Int) -> ItemPath {
        ItemPath(section: section, item: item)
    }

    /// Of each kind one: c goes, x comes, b is reloaded, d moves up, a moves to the other section.
    private func sample() throws -> UpdatePicture {
        var changes = HierarchyChangeSet()
        changes.deleteItems(at: [path(0, 2)])
        changes.reloadItems(at: [path(0, 1)])
        changes.moveItem(at: path(0, 3), to: path(0, 0))
        changes.moveItem(at: path(0, 0), to: path(1, 1))
        changes.insertItems(at: [path(1, 2)])
        return UpdatePicture(
            old: .rows([["a", "b", "c", "d"], ["e"]]),
            new: .rows([["d", "b"], ["e", "a", "x"]]),
            applying: try changes.validated(from: [4, 1], to: [2, 3])
        )
    }

    @Test func whatWasRecordedIsWhatIsMarked() throws {
        #expect(
            try sample().edits == [
                .moved(old: .cell(path(0, 0)), new: .cell(path(1, 1))),
                .reloaded(old: .cell(path(0, 1)), new: .cell(path(0, 1))),
                .deleted(old: .cell(path(0, 2))),
                .moved(old: .cell(path(0, 3)), new: .cell(path(0, 0))),
                .inserted(new: .cell(path(1, 2))),
            ]
        )
    }

    @Test func everyKindOfEditIsMarkedOnItsSide() throws {
        let root = try ParsedSVG.root(of: try sample().svg())
        let panels = root.all(ofClass: "panel")
        let counts = panels.map { panel in
            EditMark.allCases.map { panel.all(ofClass: $0.rawValue).count }
        }
        #expect(counts == [[0, 1, 1, 2], [1, 0, 1, 2]])
    }

    /// Also where the moment before shows more at its upper left.
    @Test(arguments: [0, -40] as [Double])
    func arrowsLeadFromOldPlacesToNewOnes(_ shift: Double) throws {
        var picture = try sample()
        picture.old.bounds.origin = Point(x: shift, y: shift)
        let root = try ParsedSVG.root(of: picture.svg())
        let arrows = root.all(ofClass: "arrow")
        let ends = try arrows.map { arrow in
            let dot = try #require(arrow.all(named: "circle").first)
            let tip = try #require(arrow.all(named: "polygon").first?.attributes["points"])
            let numbers = tip.split(separator: " ").compactMap { Double(String($0)) }
            return [dot.number("cx"), dot.number("cy"), numbers[0], numbers[1]]
        }
        let expected = try [(0, 3), (3, 0)].map { old, new in
            let source = picture.old.elements[old].attributes.frame
            let target = picture.new.elements[new].attributes.frame
            let right = Point(x: source.maxX, y: source.center.y)
            // In the padding before the text.
            let left = Point(x: target.minX + 4, y: target.center.y)
            let start = try #require(root.onSheet(right, panel: 0))
            let end = try #require(root.onSheet(left, panel: 1))
            return [start.x, start.y, end.x, end.y]
        }
        #expect(ends == expected)
    }

    @Test func bothEndsOfAMoveHaveItsNumber() throws {
        let root = try ParsedSVG.root(of: try sample().svg())
        let numbers = root.all(ofClass: "badges").map { layer in
            layer.all(named: "text").map(\.text)
        }
        #expect(numbers == [["1", "2"], ["2", "1"]])
    }

    @Test func editsCanBeToldApartInGrey() {
        let marks = EditMark.allCases
        #expect(Set(marks.map(\.dashes)).count == marks.count)
        #expect(Set(marks.map(\.pattern.path)).count == marks.count)
        #expect(Set(marks.map(\.sign)).count == marks.count)
    }

    @Test func patternsAreDefinedOnceUnderTheirPrefix() throws {
        var style = PictureStyle()
        style.namePrefix = "one"
        let root = try ParsedSVG.root(of: try sample().svg(style: style))
        let names = root.all(named: "pattern").compactMap { $0.attributes["id"] }
        #expect(names == EditMark.allCases.map { "p-one-\($0)" })
        let used = root.descendants.compactMap { $0.attributes["fill"] }
            .filter { $0.hasPrefix("url(") }
        #expect(Set(used) == Set(names.map { "url(#\($0))" }))
    }

    @Test func theLegendNamesWhatIsThere() throws {
        let root = try ParsedSVG.root(of: try sample().svg())
        let labels = root.all(ofClass: "legend").flatMap(\.children)
            .filter { $0.name == "text" }.map(\.text)
        #expect(labels == ["viewport", "cell", "inserted", "deleted", "reloaded", "moved"])
        let still = UpdatePicture(old: .rows([["a"]]), new: .rows([["a"]]), edits: [])
        #expect(!still.svg().contains("inserted"))
    }

    @Test func aSectionMovesAsOne() throws {
        var changes = HierarchyChangeSet()
        changes.moveSection(1, toSection: 0)
        let picture = UpdatePicture(
            old: .rows([["a"], ["b", "c"]]),
            new: .rows([["b", "c"], ["a"]]),
            applying: try changes.validated(from: [1, 2], to: [2, 1])
        )
        #expect(picture.edits == [.movedSection(old: 1, new: 0)])
        let root = try ParsedSVG.root(of: picture.svg())
        let outlines = root.all(ofClass: "moved-section").map { $0.number("y") }
        #expect(outlines == [30, 0])
        #expect(root.all(ofClass: "arrow").count == 1)
    }

    @Test func whatComesAndGoesWithItsSectionIsMarked() throws {
        var changes = HierarchyChangeSet()
        changes.deleteSections([0])
        changes.insertSections([1])
        changes.moveItem(at: path(0, 0), to: path(0, 0))
        let picture = UpdatePicture(
            old: .rows([["a", "b"], ["c"]]),
            new: .rows([["a", "c"], ["x"]]),
            applying: try changes.validated(from: [2, 1], to: [2, 1])
        )
        #expect(
            picture.edits == [
                .moved(old: .cell(path(0, 0)), new: .cell(path(0, 0))),
                .deleted(old: .cell(path(0, 1))), .inserted(new: .cell(path(1, 0))),
            ]
        )
    }

    @Test func aReloadedSectionIsMarkedButForWhatMovedOutOfIt() throws {
        var changes = HierarchyChangeSet()
        changes.reloadSections([0])
        changes.moveItem(at: path(0, 1), to: path(1, 1))
        let picture = UpdatePicture(
            old: .rows([["a", "b", "c"], ["d"]]),
            new: .rows([["x"], ["d", "b"]]),
            applying: try changes.validated(from: [3, 1], to: [1, 2])
        )
        #expect(
            picture.edits == [
                .moved(old: .cell(path(0, 1)), new: .cell(path(1, 1))),
                .reloadedSection(old: 0, new: 0),
            ]
        )
        let root = try ParsedSVG.root(of: picture.svg())
        let marked = ["reloaded", "moved"].map { kind in
            root.all(ofClass: "panel").map { panel in
                panel.all(ofClass: kind).flatMap { $0.all(named: "text") }.map(\.text)
            }
        }
        #expect(marked == [[["a", "c"], ["x"]], [["b"], ["b"]]])
    }

    @Test func reloadedHeadersAreMarkedWhereTheirSectionIs() throws {
        var changes = HierarchyChangeSet()
        changes.deleteSections([0])
        changes.reloadSupplementaries(ofKind: .header, in: [0])
        let picture = UpdatePicture(
            old: .rows([["a"], ["b"]]),
            new: .rows([["b"]]),
            applying: try changes.validated(from: [1, 1], to: [1])
        )
        #expect(
            picture.edits == [
                .deleted(old: .cell(path(0, 0))), .reloaded(old: .header(1), new: .header(0)),
            ]
        )
    }

    @Test func keysAloneShowWhatCameWentAndMoved() {
        var old = LayoutPicture.rows([["a", "b", "c"]])
        old.elements.append(cell(5, 5, Rect(x: 0, y: 0, width: 1, height: 1)))
        let picture = UpdatePicture(matching: old, with: .rows([["a", "c", "x"]]))
        #expect(
            picture.edits == [
                .deleted(old: .cell(path(0, 1))),
                .moved(old: .cell(path(0, 2)), new: .cell(path(0, 1))),
                .inserted(new: .cell(path(0, 2))),
            ]
        )
    }

    @Test func editsOfWhatIsNotDrawnAreCounted() throws {
        var picture = UpdatePicture(old: .rows([["a"]]), new: .rows([["a"]]), edits: [])
        picture.new.elements[0].attributes.center.x = .nan
        picture.edits = [
            .moved(old: .cell(path(0, 0)), new: .cell(path(0, 0))),
            .movedSection(old: 7, new: -1), .inserted(new: .header(.max)),
        ]
        let root = try ParsedSVG.root(of: picture.svg())
        let texts = root.children.filter { $0.name == "text" }.map(\.text).joined(separator: " ")
        #expect(texts.contains("4 marks of what is not drawn"))
        #expect(root.all(ofClass: "arrow").isEmpty)
    }

    @Test func aHundredMovesAreDrawnAlikeEveryTime() throws {
        let keys = (0..<100).map { "key \($0)" }
        let picture = UpdatePicture(
            matching: .rows([keys]),
            with: .rows([keys.reversed()])
        )
        let text = picture.svg()
        #expect(try ParsedSVG.root(of: text).all(ofClass: "arrow").count == 100)
        #expect((0..<5).allSatisfy { _ in picture.svg() == text })
    }
}
