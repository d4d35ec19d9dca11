import CollectionPipeline

/// A place in a vertical list of headers, items and footers, which can step forward and back.
///
/// Every step is a few queries of the map, so showing a screenful costs a screenful, whatever the
/// size of the list.
struct ListCursor {
    let map: ElementMap
    private(set) var section: Int
    /// The row within the section: its headers, then its items, then its footers.
    private(set) var row: Int

    /// The first row at or after the given place, or nil if there is none.
    init?(_ map: ElementMap, section: Int = 0, row: Int = 0) {
        self.map = map
        self.section = max(0, section)
        self.row = section < 0 ? 0 : max(0, row)
        while self.section < map.numberOfSections, self.row >= rowCount(self.section) {
            self.section += 1
            self.row = 0
        }
        if self.section >= map.numberOfSections { return nil }
    }

    /// The row of `position`, or the first after it.
    init?(_ map: ElementMap, at position: ElementPlace) {
        let section = position.path.section
        let headers = Self.headerCount(map, section)
        let items = map.numberOfItems(inSection: section) ?? 0
        let row =
            switch position.kind {
            case .header: position.path.item
            case nil: headers + position.path.item
            default: headers + items + position.path.item
            }
        self.init(map, section: section, row: row)
    }

    /// The last row, or nil if there is none.
    static func last(of map: ElementMap) -> ListCursor? {
        guard var cursor = ListCursor(map) else { return nil }
        (cursor.section, cursor.row) = (map.numberOfSections, 0)
        _ = cursor.stepBack()
        return cursor
    }

    var position: ElementPlace {
        let headers = Self.headerCount(map, section)
        if row < headers {
            return ElementPlace(path: ItemPath(section: section, item: row), kind: .header)
        }
        let items = map.numberOfItems(inSection: section) ?? 0
        if row < headers + items {
            return ElementPlace(path: ItemPath(section: section, item: row - headers), kind: nil)
        }
        return ElementPlace(
            path: ItemPath(section: section, item: row - headers - items),
            kind: .footer
        )
    }

    var element: (CollectionElement, ElementContent)? {
        let position = position
        if let kind = position.kind {
            guard let element = map.supplementary(ofKind: kind, at: position.path),
                let content = map.supplementaryContent(ofKind: kind, at: position.path)
            else { return nil }
            return (element, content)
        }
        guard let element = map.element(at: position.path),
            let content = map.content(at: position.path)
        else { return nil }
        return (element, content)
    }

    /// Steps to the next row; false, and no step, at the last.
    mutating func stepForward() -> Bool {
        guard let next = ListCursor(map, section: section, row: row + 1) else { return false }
        self = next
        return true
    }

    /// Steps to the row before; false, and no step, at the first.
    mutating func stepBack() -> Bool {
        if row > 0 {
            row -= 1
            return true
        }
        var previous = section - 1
        while previous >= 0 {
            let count = rowCount(previous)
            if count > 0 {
                section = previous
                row = count - 1
                return true
            }
            previous -= 1
        }
        return false
    }

    private func rowCount(_ section: Int) -> Int {
        Self.headerCount(map, section) + (map.numberOfItems(inSection: section) ?? 0)
            + map.numberOfSupplementaries(ofKind: .footer, inSection: section)
    }

    private static func headerCount(_ map: ElementMap, _ section: Int) -> Int {
        map.numberOfSupplementaries(ofKind: .header, inSection: section)
    }
}
