import CollectionPublishing
import Foundation

// Samples in the documentation comments of `CollectionPublishing` and `ChangeRecording` that no
// document contains.

func prepend(_ count: Int, to changes: inout some ChangeRecording & ~Copyable) {
    changes.insertItems(at: (0..<count).map { ItemPath(section: 0, item: $0) })
}

private func recordingIntoEither(_ controller: DataController<TitleSource>) async throws {
    var changes = HierarchyChangeSet()
    prepend(2, to: &changes)
    try await controller.performBatchUpdates { _, changes in prepend(2, to: &changes) }
}

private final class TitleSource: CollectionDataSource {
    let rows: [(title: String, id: Int)] = []
    func numberOfItems(inSection section: Int) -> Int { rows.count }
    func nodeProvider(forItemAt path: ItemPath) -> NodeProvider {
        let row = rows[path.item]
        return { PayloadNode("<li>\(row.title)</li>") }
    }
}

private struct Connection {
    func write(_ data: Data) async throws {}
    func write(_ message: HubMessage) async throws {}
}

private func publishing(
    _ board: sending TitleSource,
    to connection: Connection,
    from lastVersion: PublishedVersion?
) async throws {
    let hub = UpdateHub()
    let controller = DataController(dataSource: board, view: hub)

    for await message in try hub.messages(from: lastVersion) {
        try await connection.write(message)  // as slow as it may be
    }
    await controller.close()
}

private struct Outbox: Sendable {
    func add(_ message: HubMessage) -> Bool { false }
}

private func window(of hub: UpdateHub, to outbox: Outbox) throws -> HubReader {
    let reader = try hub.addReader(window: .rows(0, count: 50)) { message in
        outbox.add(message) ? .more : .pause
    }
    try reader.setWindow(.rows(200, count: 50))
    return reader
}

private func windows(_ replica: CollectionReplica) -> [PublishedWindow] {
    let top = PublishedWindow.rows(0, count: 50)
    // The row stays in the middle while rows above it are inserted and removed.
    let reading = PublishedWindow.around(row: 1_200, at: replica.version, before: 50, after: 50)
    return [top, reading]
}

private func writing(_ hub: UpdateHub, to body: Connection) async throws {
    var writer = try MessageWriter(.reset(hub.snapshot, .joined))
    while let chunk = try writer.next() { try await body.write(Data(chunk)) }
}

private func markup() -> HTML {
    let title = #"Fish & "Chips""#
    let row: HTML = "<p title=\"\(title)\">\(title)</p>"
    // <p title="Fish &amp; &quot;Chips&quot;">Fish &amp; &quot;Chips&quot;</p>
    return row
}

private func receiving(_ data: Data, _ replica: inout CollectionReplica) throws {
    let wire = try JSONDecoder().decode(WireMessage.self, from: data)
    try replica.apply(wire)
}
