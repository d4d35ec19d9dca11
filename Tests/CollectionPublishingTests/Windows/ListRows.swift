@testable import CollectionPublishing

/// The rows of a list in order: a simple model of the rows that windows count.
struct ListRows: Equatable {
    enum Row: Hashable {
        case header(PublishedSection)
        case item(PublishedItem)

        /// An identity that stays the same when the payload changes.
        var identity: String {
            switch self {
            case .header(let section): "section \(section.number)"
            case .item(let item): "item \(item.number)"
            }
        }
    }

    var rows: [Row] = []

    init(_ model: StateModel) {
        rows = model.sections.flatMap { section in
            [.header(section.section)] + section.items.map { .item($0) }
        }
    }

    func row(of identity: String) -> Int? { rows.firstIndex { $0.identity == identity } }

    /// Returns the part of the list that a reader of these rows has; some of them may not exist.
    func seen(from first: Int, count: Int) -> (model: StateModel, place: WindowPlace) {
        let start = min(max(0, first), rows.count)
        let end = min(max(start, first + count), rows.count)
        let headers = rows[..<start].count(where: \.isHeader)
        var place = WindowPlace(
            totalSections: rows.count(where: \.isHeader),
            totalItems: rows.count { !$0.isHeader },
            firstSection: headers,
            firstItem: 0,
            itemsBefore: start - headers
        )
        var model = StateModel()
        for (index, row) in rows[start..<end].enumerated() {
            switch row {
            case .header(let section): model.sections.append(StateModel.Section(section: section))
            case .item(let item):
                if index == 0, let header = rows[..<start].lastIndex(where: \.isHeader),
                    case .header(let section) = rows[header]
                {
                    model.sections.append(StateModel.Section(section: section))
                    place = WindowPlace(
                        totalSections: place.totalSections,
                        totalItems: place.totalItems,
                        firstSection: headers - 1,
                        firstItem: start - header - 1,
                        itemsBefore: start - headers
                    )
                }
                model.sections[model.sections.count - 1].items.append(item)
            }
        }
        return (model, place)
    }
}

extension ListRows.Row {
    var isHeader: Bool {
        if case .header = self { true } else { false }
    }
}
