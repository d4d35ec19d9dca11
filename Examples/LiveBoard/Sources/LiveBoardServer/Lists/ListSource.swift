import CollectionPublishing

/// The data source of a list: a state, and nodes that are rendered rows. It lives on the controller's main lane.
final class ListSource: CollectionDataSource {
    var state: ListState
    private let names: RowNames
    private var lastName: Int

    init(_ state: ListState = ListState(), names: RowNames = RowNames()) {
        self.state = state
        self.names = names
        lastName = names.last
    }

    /// A name that no row of the list had.
    func makeName() -> String {
        lastName += 1
        return "\(names.prefix)\(lastName)"
    }

    func numberOfSections() -> Int { state.headers.count }

    func numberOfItems(inSection section: Int) -> Int { state.rows.rows[section].count }

    func nodeProvider(forItemAt path: ItemPath) -> NodeProvider {
        let row = state.rows.rows[path.section][path.item]
        // Rendered on a worker, once, for all who read it.
        return { PayloadNode(row.payload) }
    }

    func supplementaryKinds(inSection section: Int) -> [SupplementaryKind] { [.header] }

    func supplementaryNodeProvider(
        ofKind kind: SupplementaryKind,
        at path: ItemPath
    ) -> NodeProvider {
        let header = state.headers[path.section]
        return { PayloadNode(PublishedPayload(header.html)) }
    }
}

/// How rows are named that are added.
struct RowNames: Sendable {
    /// What no other maker of the same list has.
    var prefix = "c"
    /// The number of the last that there is.
    var last = 0
}
