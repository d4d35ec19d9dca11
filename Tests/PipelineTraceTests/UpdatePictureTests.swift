import CollectionLayouts
import PipelineTestSupport
import Testing

@testable import PipelineTrace
@testable import SimulatedView

@Suite("Pictures of updates") struct UpdatePictureTests {
    // MARK: Marks

    /// For random updates, all recorded edits, and the items that were inserted or deleted with
    /// their section, are marked once and in the right panel.
    @Test func recordedEditsAreMarked() throws {
        for seed in 0..<UInt64(Effort.number(1_000, usually: 120)) {
            var random = SeededGenerator(seed: seed)
            var (number, old) = (0, [[String]]())
            func makeText() -> String {
                number += 1
                return "\(number)"
            }
            for _ in 0..<4 { old.append((0..<random.next(below: 6)).map { _ in makeText() }) }
            let shape = HierarchyShape(old.map(\.count))
            let drawn = RandomUpdate(from: shape, &random, rate: 0.3)
            let update = try drawn.changes.validated(from: shape, to: drawn.newShape)
            let new = try update.apply(to: old) { _ in makeText() }
            let picture = UpdatePicture(old: .rows(old), new: .rows(new), applying: update)
            let expected = expected(drawn.changes, update, old, new)
            let edits = picture.edits
            #expect(Set(edits) == expected && edits.count == expected.count, "seed \(seed)")
            let again = UpdatePicture(old: .rows(old), new: .rows(new), applying: update)
            #expect(again.edits == edits, "in the same order")
            let panels = try ParsedSVG.root(of: picture.svg()).all(ofClass: "panel")
            let marks = panels.map { panel in
                [EditMark.inserted, .deleted].map { panel.all(ofClass: $0.rawValue).count }
            }
            let inserted = edits.count { if case .inserted = $0 { true } else { false } }
            let deleted = edits.count { if case .deleted = $0 { true } else { false } }
            #expect(marks == [[0, deleted], [inserted, 0]], "seed \(seed)")
        }
    }

    private func expected(
        _ changes: HierarchyChangeSet,
        _ update: ValidatedChangeSet,
        _ old: [[String]],
        _ new: [[String]]
    ) -> Set<UpdatePicture.Edit> {
        var edits: Set<UpdatePicture.Edit> = []
        var (movedOut, movedIn) = (Set<ItemPath>(), Set<ItemPath>())
        var inserted: Set<Int> = []
        func paths(_ sections: SectionSet, _ state: [[String]]) -> [ItemPath] {
            sections.flatMap { section in state[section].indices.map { ItemPath(section, $0) } }
        }
        for operation in changes.operations {
            switch operation {
            case .moveItem(let from, let to, _):
                edits.insert(.moved(old: .cell(from), new: .cell(to)))
                movedOut.insert(from)
                movedIn.insert(to)
            case .reloadSections(let sections, _):
                for section in sections {
                    guard let now = update.newSection(for: section) else { continue }
                    edits.insert(.reloadedSection(old: section, new: now))
                    inserted.insert(now)
                }
            default: break
            }
        }
        for operation in changes.operations {
            switch operation {
            case .deleteItems(let paths, _): edits.formUnion(paths.map { .deleted(old: .cell($0)) })
            case .insertItems(let paths, _):
                let own = paths.filter { !inserted.contains($0.section) }
                edits.formUnion(own.map { .inserted(new: .cell($0)) })
            case .reloadItems(let paths, _):
                for path in paths {
                    guard let now = update.newPath(for: path) else { continue }
                    edits.insert(.reloaded(old: .cell(path), new: .cell(now)))
                }
            case .moveSection(let from, let to, _): edits.insert(.movedSection(old: from, new: to))
            case .deleteSections(let sections, _):
                let gone = paths(sections, old).filter { !movedOut.contains($0) }
                edits.formUnion(gone.map { .deleted(old: .cell($0)) })
            case .insertSections(let sections, _):
                let come = paths(sections, new).filter { !movedIn.contains($0) }
                edits.formUnion(come.map { .inserted(new: .cell($0)) })
            default: break
            }
        }
        return edits
    }

    /// After a deleted section, so that old and new indexes differ.
    @Test func picturesShowHeadersReconfigurationsAndUndrawnElements() throws {
        var changes = HierarchyChangeSet()
        changes.deleteSections([0])
        changes.reloadSupplementaries(ofKind: .header, in: [0])
        changes.reconfigureItems(at: [ItemPath(1, 0)])
        let update = try changes.validated(from: [1, 1], to: [1])
        var picture = UpdatePicture(
            old: .rows([["a"], ["b"]]),
            new: .rows([["b"]]),
            applying: update
        )
        #expect(
            picture.edits == [
                .deleted(old: .cell(ItemPath(0, 0))), .reloaded(old: .header(1), new: .header(0)),
            ]
        )
        picture.edits = [
            .moved(old: .cell(ItemPath(0, 0)), new: .cell(ItemPath(7, 0))),
            .movedSection(old: 7, new: -1), .inserted(new: .header(.max)),
        ]
        let root = try ParsedSVG.root(of: picture.svg())
        let texts = root.children.filter { $0.name == "text" }.map(\.text).joined(separator: " ")
        #expect(texts.contains("4 marks of elements not drawn"), "\(texts)")
        #expect(root.all(ofClass: "arrow").isEmpty)
    }

    // MARK: Moments of a transition

    /// Every number is interpolated linearly between its start and its end. Departing elements are
    /// drawn first and keep their old appearance; the others have the new one. All values are small
    /// multiples of powers of two, so sums are exact.
    @Test func aMomentIsInterpolatedLinearly() {
        let parts: [WritableKeyPath<LayoutAttributes, Double>] = [
            \.center.x, \.center.y, \.size.width, \.size.height, \.alpha, \.transform.a,
            \.transform.b, \.transform.c, \.transform.d, \.transform.tx, \.transform.ty,
        ]
        func numbers(_ attributes: LayoutAttributes) -> [Double] {
            parts.map { attributes[keyPath: $0] }
        }
        for seed in 0..<UInt64(10) {
            var random = SeededGenerator(seed: seed)
            func attributes(_ item: Int) -> LayoutAttributes {
                var attributes = LayoutAttributes(.cell(ItemPath(0, item)), frame: .zero)
                for part in parts {
                    attributes[keyPath: part] = Double(random.next(below: 64)) / 64
                }
                attributes.zIndex = random.next(below: 9)
                return attributes
            }
            let (gone, away) = (attributes(0), attributes(0))
            let (start, end) = (attributes(2), attributes(1))
            var (old, new) = (LayoutPicture.rows([[]]), LayoutPicture.rows([[]]))
            old.elements = [PicturedElement(gone, key: "old"), PicturedElement(start)]
            new.elements = [PicturedElement(end, key: "new")]
            (old.bounds.origin, new.title) = (Point(x: 8, y: 16), "after")
            let picture = UpdatePicture(old: old, new: new, edits: [])
            let ways = [
                ViewTransition(oldPlace: start.place, newPlace: end.place, start: start, end: end),
                ViewTransition(oldPlace: gone.place, newPlace: nil, start: gone, end: away),
            ]
            for requested in [0, 0.25, 0.5, 0.75, 1, -3, .nan, .infinity] {
                let progress = requested.isNaN ? 0 : min(1, max(0, requested))
                let moment = picture.moment(requested, of: ways)
                let expected = [(gone, away), (start, end)].map { from, to in
                    zip(numbers(from), numbers(to)).map { $0 + ($1 - $0) * progress }
                }
                #expect(moment.elements.map { numbers($0.attributes) } == expected, "\(progress)")
                #expect(moment.elements.map(\.key) == ["old", "new"] && moment.title == "after")
                #expect(moment.elements[1].attributes.place == end.place)
                #expect(moment.bounds.origin == Point(x: 8 - 8 * progress, y: 16 - 16 * progress))
            }
        }
    }
}
