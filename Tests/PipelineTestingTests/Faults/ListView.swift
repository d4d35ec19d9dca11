import CollectionElements
import CollectionPipeline

/// A view of texts as an application may write it: updates wait for a turn of the lane. It may have a bug.
final class ListView: CollectionView, @unchecked Sendable {  // main-lane confined
    enum Bug: CaseIterable {
        case insertsFirst, showsWhatIsReplaced, keepsWhatIsReplaced, changesLater
        case finishesFirst, deploysTwice, deploysLastFirst, neverDeploys, neverFinishes
        case dropsWhatIsEmpty, keepsWhenClosed
    }

    private let bug: Bug?
    private(set) var texts: [[String]] = []
    private var queue: [ViewUpdate] = []
    private var kept: [ViewUpdate] = []
    private var lane: (any Lane)?
    private(set) var isClosed = false
    /// What it was told of updates on their way.
    private(set) var inFlight: [Bool] = []

    init(_ bug: Bug? = nil) { self.bug = bug }

    func attach(to lane: any Lane) { self.lane = lane }

    var elementSizeRange: SizeRange { .width(40) }

    var firstVisiblePath: ItemPath? { nil }

    func perform(_ update: ViewUpdate) {
        queue.append(update)
        lane?.enqueue { [weak self] in self?.turn() }
    }

    func updatesInFlightDidChange(_ areInFlight: Bool) { inFlight.append(areInFlight) }

    func controllerDidClose() { isClosed = true }

    private func turn() {
        guard !queue.isEmpty, bug != .neverDeploys else { return }
        if isClosed, bug == .keepsWhenClosed { return }
        let update = bug == .deploysLastFirst ? queue.removeLast() : queue.removeFirst()
        if bug == .finishesFirst { update.finish() }
        if bug == .dropsWhatIsEmpty, update.changeSet.isEmpty { return }
        guard update.deploy(show) else {
            if bug == .showsWhatIsReplaced { try? show(update) }
            if bug == .keepsWhatIsReplaced { kept.append(update) }
            return
        }
        switch bug {
        case .deploysTwice: update.deploy { _ in }
        case .changesLater: texts[0].append("more")
        case .neverFinishes: return kept.append(update)
        default: break
        }
        update.finish()
    }

    private func show(_ update: ViewUpdate) throws {
        let (changes, new) = (update.changeSet, Self.texts(of: update.newMap))
        if changes.isReloadData {
            texts = new
        } else if bug == .insertsFirst {
            for edit in changes.itemInsertions {
                texts[edit.path.section].insert(
                    new[edit.path.section][edit.path.item],
                    at: edit.path.item
                )
            }
            for edit in changes.itemRemovals { texts[edit.path.section].remove(at: edit.path.item) }
        } else {
            texts = try changes.apply(to: texts) { new[$0.section][$0.item] }
        }
    }

    /// What should be shown of a map.
    static func texts(of map: ElementMap) -> [[String]] {
        var texts = Array(repeating: [String](), count: map.numberOfSections)
        for item in map.items {
            texts[item.path.section].append(item.content.model as? String ?? "no text")
        }
        return texts
    }
}
