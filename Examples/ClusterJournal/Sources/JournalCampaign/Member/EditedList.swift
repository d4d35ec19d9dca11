import CollectionPipeline
import CollectionPublishing
import PipelineTesting

/// The list of a leader, which says of itself which edits led to it (``EditedContents``).
///
/// Lives on its controller's main lane.
final class EditedList: CollectionDataSource {
    private var contents: EditedContents
    private var random: SeededGenerator
    /// Rows that were ever made in this leadership, so that each has another text.
    private var madeRows = 0

    private static let rowLimit = 200

    init(_ contents: EditedContents, seed: UInt64) {
        self.contents = contents
        random = SeededGenerator(seed: seed)
    }

    func numberOfSections() -> Int { EditedContents.numberOfSections }

    func numberOfItems(inSection section: Int) -> Int {
        switch section {
        case 0: contents.marks.count
        case 1: contents.tail.count
        default: contents.rows.count
        }
    }

    func nodeProvider(forItemAt path: ItemPath) -> NodeProvider {
        let text =
            switch path.section {
            case 0: contents.marks[path.item].description
            case 1: contents.tail[path.item].description
            default: contents.rows[path.item]
            }
        return { PayloadNode(PublishedPayload(text)) }
    }

    /// Does one edit: notes it at both places, and changes a row.
    func edit(_ mark: EditMark, _ changes: inout BatchRecorder) {
        if let index = contents.marks.lastIndex(where: { $0.term == mark.term }) {
            contents.marks[index] = mark
            changes.reconfigureItems(at: [ItemPath(section: 0, item: index)])
        } else {
            contents.marks.append(mark)
            changes.insertItems(at: [ItemPath(section: 0, item: contents.marks.count - 1)])
        }
        contents.tail.append(mark)
        if contents.tail.count > EditedContents.tailLimit {
            contents.tail.removeFirst()
            changes.deleteItems(at: [ItemPath(section: 1, item: 0)])
        }
        changes.insertItems(at: [ItemPath(section: 1, item: contents.tail.count - 1)])
        changeRow(mark.term, &changes)
    }

    private func changeRow(_ term: CampaignTerm, _ changes: inout BatchRecorder) {
        let count = contents.rows.count
        let place = random.next(below: max(1, count))
        let path = ItemPath(section: 2, item: place)
        switch random.next(below: 4) {
        case 0 where count > Self.rowLimit / 2:
            contents.rows.remove(at: place)
            changes.deleteItems(at: [path])
        case 1 where count > 0:
            contents.rows[place] = newRow(term)
            changes.reconfigureItems(at: [path])
        case 2 where count > 1:
            let row = contents.rows.remove(at: place)
            let target = random.next(below: count)
            contents.rows.insert(row, at: target)
            changes.moveItem(at: path, to: ItemPath(section: 2, item: target))
        default:
            guard count < Self.rowLimit else { return }
            contents.rows.insert(newRow(term), at: place)
            changes.insertItems(at: [path])
        }
    }

    private func newRow(_ term: CampaignTerm) -> String {
        madeRows += 1
        return "row \(madeRows) of \(term)"
    }
}
