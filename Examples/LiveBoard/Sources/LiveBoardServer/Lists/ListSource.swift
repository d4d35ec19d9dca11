import CollectionPublishing

/// The data source of a list: a state, and nodes that are rendered rows. It lives on the controller's main lane.
final class ListSource: CollectionDataSource {
    var state: ListState

    init(_ state: ListState = ListState()) { self.state = state }

    func numberOfSections() -> Int { state.headers.count }

    func numberOfItems(inSection section: Int) -> Int { state.rows.rows[section].count }

    func nodeProvider(forItemAt path: ItemPath) -> NodeProvider {
        let row = state.rows.rows[path.section][path.item]
        // Rendered on a worker, once, for all who read it.
        return { PayloadNode(PublishedPayload(row.html)) }
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
