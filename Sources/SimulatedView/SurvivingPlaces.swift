import CollectionChanges
import CollectionLayouts

/// Which views an update leaves, and where their places are then.
///
/// What is deleted or reloaded is not the same afterwards, neither are supplementary elements that are
/// others in the new content.
struct SurvivingPlaces {
    private let changes: ValidatedChangeSet
    private let old: any ViewContent
    private let new: any ViewContent

    init(_ changes: ValidatedChangeSet, old: any ViewContent, new: any ViewContent) {
        self.changes = changes
        self.old = old
        self.new = new
    }

    /// Where the cell was that is at `place` now; nil where it is new, and for other views.
    ///
    /// Complexity: O(log k).
    func oldPlace(of place: LayoutPlace) -> LayoutPlace? {
        guard place.category == .cell, let oldPath = changes.oldPath(for: place.path),
            changes.survivingPath(of: oldPath) != nil
        else { return nil }
        return .cell(oldPath)
    }

    /// Complexity: O(log k) for k edits, and two look-ups in the content.
    func newPlace(of place: LayoutPlace) -> LayoutPlace? {
        let path: ItemPath
        if place.category == .cell {
            guard let newPath = changes.survivingPath(of: place.path) else { return nil }
            path = newPath
        } else {
            guard let section = changes.survivingSection(of: place.path.section) else { return nil }
            path = ItemPath(section: section, item: place.path.item)
            if case .supplementary(let kind) = place.category,
                changes.supplementaryReloads.contains(where: {
                    $0.newSection == section && $0.kind == kind
                })
            {
                return nil
            }
        }
        let newPlace = LayoutPlace(place.category, path)
        return old.element(at: place) === new.element(at: newPlace) ? newPlace : nil
    }
}

extension ValidatedChangeSet {
    /// Where the item at `oldPath` is now, unless it was deleted or replaced.
    ///
    /// Complexity: O(log k).
    func survivingPath(of oldPath: ItemPath) -> ItemPath? {
        guard let path = newPath(for: oldPath) else { return nil }
        let position = itemPutIns.sortedPosition(of: path) { $0.path }
        return position.map { itemPutIns[$0].role } == .reload ? nil : path
    }

    /// Where the section at `oldSection` is now, unless it was deleted or replaced.
    ///
    /// Complexity: O(log k).
    func survivingSection(of oldSection: Int) -> Int? {
        guard let section = newSection(for: oldSection),
            sectionPutIn(at: section)?.role != .reload
        else { return nil }
        return section
    }
}

extension LayoutUpdateItem {
    /// The edits of an update, in the order in which layouts are told of them.
    static func items(of changes: ValidatedChangeSet) -> [LayoutUpdateItem] {
        var deletes: [Entry] = []
        var inserts: [Entry] = []
        var reloads: [Entry] = []
        var moves: [Entry] = []
        for edit in changes.itemTakeOuts {
            if edit.role == .delete { deletes.append(Entry(edit.path, .deleteItem(edit.path))) }
            guard let new = edit.counterpart else { continue }
            if edit.role == .reload {
                reloads.append(Entry(edit.path, .reloadItem(old: edit.path, new: new)))
            } else if edit.role == .move {
                moves.append(Entry(edit.path, .moveItem(old: edit.path, new: new)))
            }
        }
        for edit in changes.sectionTakeOuts {
            let section = edit.section
            if edit.role == .delete { deletes.append(Entry(section, .deleteSection(section))) }
            guard let new = edit.counterpart else { continue }
            if edit.role == .reload {
                reloads.append(Entry(section, .reloadSection(old: section, new: new)))
            } else if edit.role == .move {
                moves.append(Entry(section, .moveSection(old: section, new: new)))
            }
        }
        for edit in changes.itemPutIns where edit.role == .insert {
            inserts.append(Entry(edit.path, .insertItem(edit.path)))
        }
        for edit in changes.sectionPutIns where edit.role == .insert {
            inserts.append(Entry(edit.section, .insertSection(edit.section)))
        }
        return [deletes, inserts, reloads, moves].flatMap { $0.sorted().map(\.item) }
    }

    /// An edit by its path; one of a section sorts behind those of its items.
    private struct Entry: Comparable {
        let path: ItemPath
        let item: LayoutUpdateItem

        init(_ path: ItemPath, _ item: LayoutUpdateItem) {
            self.path = path
            self.item = item
        }

        init(_ section: Int, _ item: LayoutUpdateItem) {
            self.init(ItemPath(section: section, item: .max), item)
        }

        static func < (left: Entry, right: Entry) -> Bool { left.path < right.path }
    }
}
