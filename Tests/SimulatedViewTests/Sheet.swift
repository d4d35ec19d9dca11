import PipelineTestSupport
import SimulatedView

/// A model of a view's content: rows by section, identified by their names, and changed by simple
/// array operations.
///
/// A row's text is its name and one mark for each reconfiguration.
struct Sheet: Equatable {
    struct Section: Equatable {
        var name: String
        var rows: [String]
        /// The number of reloads of the header.
        var headerRevision = 0

        var header: String { "H\(name).\(headerRevision)" }
    }

    var sections: [Section] = []
    private var lastName = 0

    init(_ counts: [Int]) {
        for count in counts { sections.append(newSection(count)) }
    }

    static func name(_ text: String) -> String { String(text.prefix { $0 != "'" }) }

    var texts: [[String]] { sections.map(\.rows) }

    var shape: HierarchyShape { HierarchyShape(sections.map(\.rows.count)) }

    /// The path of every row, by name.
    var places: [String: ItemPath] {
        var places: [String: ItemPath] = [:]
        for (section, rows) in texts.enumerated() {
            for (item, text) in rows.enumerated() {
                places[Self.name(text)] = ItemPath(section, item)
            }
        }
        return places
    }

    subscript(path: ItemPath) -> String { sections[path.section].rows[path.item] }

    func name(at path: ItemPath) -> String { Self.name(self[path]) }

    func somePath(_ random: inout SeededGenerator) -> ItemPath? {
        let filled = sections.indices.filter { !sections[$0].rows.isEmpty }
        guard let section = filled.randomElement(using: &random) else { return nil }
        return ItemPath(section, random.next(below: sections[section].rows.count))
    }

    mutating func newName() -> String {
        lastName += 1
        return "\(lastName)"
    }

    mutating func newSection(_ count: Int) -> Section {
        Section(name: newName(), rows: (0..<count).map { _ in newName() })
    }

    /// Replaces all rows with new ones, as a reload does.
    mutating func replaceAll(_ counts: [Int]) { sections = counts.map { newSection($0) } }

    /// Applies the four runs to an array of arrays, one edit after the other, then the
    /// reconfigurations.
    mutating func apply(_ changes: ValidatedChangeSet) {
        var rows: [ItemPath: String] = [:]
        var moved: [Int: Section] = [:]
        for edit in changes.itemRemovals {
            let row = sections[edit.path.section].rows.remove(at: edit.path.item)
            if edit.role == .move, let target = edit.associatedWith { rows[target] = row }
        }
        for edit in changes.sectionRemovals {
            let section = sections.remove(at: edit.section)
            if edit.role == .move, let target = edit.associatedWith { moved[target] = section }
        }
        for edit in changes.sectionInsertions {
            let section = moved[edit.section] ?? newSection(edit.newItemCount)
            sections.insert(section, at: edit.section)
        }
        for edit in changes.itemInsertions {
            let row = rows[edit.path] ?? newName()
            sections[edit.path.section].rows.insert(row, at: edit.path.item)
        }
        for edit in changes.reconfigurations {
            sections[edit.newPath.section].rows[edit.newPath.item] += "'"
        }
        for reload in changes.supplementaryReloads where reload.kind == .header {
            sections[reload.newSection].headerRevision += 1
        }
    }
}

/// A random update of a sheet, with an option for every edit.
struct SheetUpdate {
    let operations: [HierarchyChangeSet.Operation]
    let changes: ValidatedChangeSet
    let after: Sheet

    static let options: [AnimationOption] = [
        .none, .none, .automatic, .fade, .leading, .trailing, .top, .bottom, .init(rawValue: 77),
    ]

    init(of sheet: Sheet, _ random: inout SeededGenerator, rate: Double) throws {
        let drawn = RandomUpdate(from: sheet.shape, &random, rate: rate)
        var operations = drawn.changes.apart {
            Self.options[random.next(below: Self.options.count)]
        }
        for section in drawn.newShape.itemCounts.indices where random.isTrue(oneIn: 5) {
            let option = Self.options[random.next(below: Self.options.count)]
            operations.append(.reloadSupplementaries(.header, in: [section], option))
        }
        self.operations = operations
        changes = try HierarchyChangeSet(operations)
            .validated(from: sheet.shape, to: drawn.newShape)
        var after = sheet
        after.apply(changes)
        self.after = after
    }

    /// The numbers of removals, insertions and reconfigurations in the log's event for this update.
    var applied: [Int] {
        [
            changes.itemRemovals.count + changes.sectionRemovals.count,
            changes.itemInsertions.count + changes.sectionInsertions.count,
            changes.reconfigurations.count,
        ]
    }

    /// Every edit once, in the order in which layouts receive them: deletes, inserts, reloads,
    /// moves, each ascending, with sections after their items.
    var layoutItems: [LayoutUpdateItem] {
        var items: [(group: Int, path: ItemPath, item: LayoutUpdateItem)] = []
        for edit in changes.itemRemovals {
            let (old, new) = (edit.path, edit.associatedWith ?? ItemPath(-1, -1))
            switch edit.role {
            case .reload: items.append((2, old, .reloadItem(old: old, new: new)))
            case .move: items.append((3, old, .moveItem(old: old, new: new)))
            default: items.append((0, old, .deleteItem(old)))
            }
        }
        for edit in changes.sectionRemovals {
            let (old, new) = (edit.section, edit.associatedWith ?? -1)
            let path = ItemPath(old, .max)
            switch edit.role {
            case .reload: items.append((2, path, .reloadSection(old: old, new: new)))
            case .move: items.append((3, path, .moveSection(old: old, new: new)))
            default: items.append((0, path, .deleteSection(old)))
            }
        }
        for edit in changes.sectionInsertions where edit.role == .insert {
            items.append((1, ItemPath(edit.section, .max), .insertSection(edit.section)))
        }
        for edit in changes.itemInsertions where edit.role == .insert {
            items.append((1, edit.path, .insertItem(edit.path)))
        }
        return items.sorted { ($0.group, $0.path) < ($1.group, $1.path) }.map(\.item)
    }
}
