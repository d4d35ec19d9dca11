import CollectionPipeline
import CollectionPublishing
import PipelineTesting

/// A list of rows whose change sets have ten edits each: four rows show something else, three come and three go.
///
/// Lives on its controller's main lane.
final class BenchList: CollectionDataSource {
    private var rows: [Int]
    private var lastRow: Int
    private var random = SeededGenerator(seed: 7)

    static let editsEach = 10

    init(rows count: Int) {
        rows = Array(0..<count)
        lastRow = count
    }

    func numberOfItems(inSection section: Int) -> Int { rows.count }

    func nodeProvider(forItemAt path: ItemPath) -> NodeProvider {
        let row = rows[path.item]
        return { PayloadNode(PublishedPayload("row \(row) of a list")) }
    }

    func edit(_ changes: inout BatchRecorder) {
        // Far from each other, so that no two are of one row.
        let stride = rows.count / Self.editsEach
        let places = (0..<Self.editsEach).map { $0 * stride + random.next(below: stride) }
        for place in places[..<4] { rows[place] = newRow() }
        changes.reconfigureItems(at: places[..<4].map { ItemPath(section: 0, item: $0) })
        for place in places[4..<7].reversed() { rows.remove(at: place) }
        changes.deleteItems(at: places[4..<7].map { ItemPath(section: 0, item: $0) })
        // Behind what was removed, by their places afterwards.
        for place in places[7...] { rows.insert(newRow(), at: place - 3) }
        changes.insertItems(at: places[7...].map { ItemPath(section: 0, item: $0 - 3) })
    }

    private func newRow() -> Int {
        lastRow += 1
        return lastRow
    }
}
