import PipelineTestSupport
import Testing

@testable import SimulatedView

/// Which views an update leaves, and what layouts are told of it, against names that go through it.
@Suite("What an update leaves and what layouts are told of it", .endsHangs)
struct SurvivingPlacesTests {
    private static let kinds: [SupplementaryKind] = [.header, .footer]

    /// An update of named items, each with what it was made of.
    private struct Step {
        let changes: ValidatedChangeSet
        /// The item and section numbers before the update, where they are afterwards; nil where new.
        let newItems: [[ItemPath?]]
        let newSections: [Int?]
        /// Pairs of a kind and a section.
        let reloaded: Set<String>

        init(_ seed: Int) throws {
            var random = SeededGenerator(seed: UInt64(seed))
            let old = HierarchyShape((0..<4).map { _ in random.next(below: 5) })
            let drawn = RandomUpdate(from: old, &random, rate: 0.4)
            var record = drawn.changes
            var reloaded: Set<String> = []
            for kind in SurvivingPlacesTests.kinds {
                for section in drawn.newShape.itemCounts.indices where random.isTrue(oneIn: 3) {
                    record.reloadSupplementaries(ofKind: kind, in: [section])
                    reloaded.insert("\(kind) \(section)")
                }
            }
            changes = try record.validated(from: old, to: drawn.newShape)
            self.reloaded = reloaded
            (newItems, newSections) = Self.trace(changes)
        }

        /// Applies the four runs one after the other to an array of arrays of old paths.
        private static func trace(_ changes: ValidatedChangeSet) -> ([[ItemPath?]], [Int?]) {
            typealias Section = (origin: Int?, items: [ItemPath?])
            var sections: [Section] = changes.oldShape.itemCounts.enumerated().map { index, count in
                (index, (0..<count).map { ItemPath(index, $0) })
            }
            var movedItems: [ItemPath: ItemPath?] = [:]
            for edit in changes.itemRemovals {
                let item = sections[edit.path.section].items.remove(at: edit.path.item)
                if edit.role == .move, let target = edit.associatedWith {
                    movedItems[target] = item
                }
            }
            var movedSections: [Int: Section] = [:]
            for edit in changes.sectionRemovals {
                let section = sections.remove(at: edit.section)
                if edit.role == .move, let target = edit.associatedWith {
                    movedSections[target] = section
                }
            }
            for edit in changes.sectionInsertions {
                let fresh: Section = (nil, Array(repeating: nil, count: edit.freshItemCount))
                sections.insert(movedSections[edit.section] ?? fresh, at: edit.section)
            }
            for edit in changes.itemInsertions {
                let item = movedItems[edit.path] ?? nil
                sections[edit.path.section].items.insert(item, at: edit.path.item)
            }
            return (sections.map(\.items), sections.map(\.origin))
        }

        var survivors: SurvivingPlaces {
            SurvivingPlaces(
                changes,
                old: SourceContent(shape: changes.oldShape, contexts: [], source: nil),
                new: SourceContent(shape: changes.newShape, contexts: [], source: nil)
            )
        }
    }

    @Test(arguments: 0..<Effort.number(120, usually: 40))
    func cellsFollowTheirItems(_ seed: Int) throws {
        let step = try Step(seed)
        let survivors = step.survivors
        var newPaths: [ItemPath: ItemPath] = [:]
        for (section, items) in step.newItems.enumerated() {
            for (item, old) in items.enumerated() {
                let place = LayoutPlace.cell(ItemPath(section, item))
                #expect(survivors.oldPlace(of: place) == old.map { .cell($0) }, "\(seed)")
                if let old { newPaths[old] = place.path }
            }
        }
        for section in -1...step.changes.oldShape.numberOfSections {
            for item in -1...5 {
                let path = ItemPath(section, item)
                let new = newPaths[path]
                #expect(survivors.newPlace(of: .cell(path)) == new.map { .cell($0) }, "\(seed)")
                #expect(step.changes.survivingPath(of: path) == new, "\(seed)")
            }
        }
    }

    @Test(arguments: 0..<Effort.number(120, usually: 40))
    func headersAndDecorationsFollowTheirSectionsButForThoseThatAreAskedForAgain(
        _ seed: Int
    ) throws {
        let step = try Step(seed)
        let survivors = step.survivors
        for section in -1...step.changes.oldShape.numberOfSections {
            let new = step.newSections.firstIndex { $0 != nil && $0 == section }
            #expect(step.changes.survivingSection(of: section) == new, "\(seed)")
            for item in 0...1 {
                for kind in Self.kinds {
                    func place(_ section: Int, _ isDecoration: Bool) -> LayoutPlace {
                        LayoutPlace(
                            isDecoration ? .decoration(kind) : .supplementary(kind),
                            ItemPath(section, item)
                        )
                    }
                    let isAgain = new.map { step.reloaded.contains("\(kind) \($0)") } ?? false
                    let expected = isAgain ? nil : new.map { place($0, false) }
                    let found = survivors.newPlace(of: place(section, false))
                    #expect(found == expected, "\(seed) \(kind) \(section)")
                    let decoration = survivors.newPlace(of: place(section, true))
                    #expect(decoration == new.map { place($0, true) }, "\(seed)")
                    #expect(survivors.oldPlace(of: place(section, false)) == nil, "\(seed)")
                }
            }
        }
    }

    /// Two maps of one shape, of which no element is in both.
    @Test func whatIsAnotherElementIsAnotherViewAlsoWithoutAnEdit() async throws {
        let list = try await List(.dispatch, [.init(["a"], headers: ["H"])])
        let first = MapContent(map: list.controller.visibleMap)
        try await list.controller.reloadData()
        let second = MapContent(map: list.controller.visibleMap)
        let changes = try HierarchyChangeSet().validated(from: [1], to: [1])
        for place in [LayoutPlace.cell(ItemPath(0, 0)), .header(0)] {
            let staying = SurvivingPlaces(changes, old: first, new: first)
            #expect(staying.newPlace(of: place) == place)
            let replaced = SurvivingPlaces(changes, old: first, new: second)
            #expect(replaced.newPlace(of: place) == nil)
        }
        await list.controller.close()
    }

    /// Once each; deletes, inserts, reloads, moves, each ascending, those of sections behind their items.
    @Test(arguments: 0..<Effort.number(120, usually: 40))
    func layoutsAreToldOfEveryEditOnceInTheDocumentedOrder(_ seed: Int) throws {
        let changes = try Step(seed).changes
        typealias Told = (group: Int, path: ItemPath, item: LayoutUpdateItem)
        var told: [Told] = []
        for edit in changes.edits {
            switch edit {
            case .removeItem(let item):
                let new = item.associatedWith ?? ItemPath(-1, -1)
                switch item.role {
                case .delete: told.append((0, item.path, .deleteItem(item.path)))
                case .reload: told.append((2, item.path, .reloadItem(old: item.path, new: new)))
                case .move: told.append((3, item.path, .moveItem(old: item.path, new: new)))
                case .insert: Issue.record("an insert is removed")
                }
            case .removeSection(let section):
                let (old, new) = (section.section, section.associatedWith ?? -1)
                let path = ItemPath(old, .max)
                switch section.role {
                case .delete: told.append((0, path, .deleteSection(old)))
                case .reload: told.append((2, path, .reloadSection(old: old, new: new)))
                case .move: told.append((3, path, .moveSection(old: old, new: new)))
                case .insert: Issue.record("an insert is removed")
                }
            case .insertSection(let section) where section.role == .insert:
                let path = ItemPath(section.section, .max)
                told.append((1, path, .insertSection(section.section)))
            case .insertItem(let item) where item.role == .insert:
                told.append((1, item.path, .insertItem(item.path)))
            case .insertSection, .insertItem: break
            }
        }
        told.sort { ($0.group, $0.path) < ($1.group, $1.path) }
        #expect(LayoutUpdateItem.items(of: changes) == told.map(\.item))
    }
}
