import CollectionElements
import CollectionPipeline

/// A view of texts, like one that an application writes: each update waits for a turn of the lane.
/// It can have a bug.
final class ListView: CollectionView, @unchecked Sendable {  // main-lane confined
    enum Bug: CaseIterable {
        case insertsFirst, showsWhatIsReplaced, keepsWhatIsReplaced, changesLater, clearsWhenClosed
        case finishesFirst, deploysTwice, deploysLastFirst, neverDeploys, neverFinishes, waits
        case dropsWhatIsEmpty, keepsWhatIsEmpty, waitsForWhatIsEmpty, keepsWhenClosed
    }

    struct Refusal: Error {}

    private let bug: Bug?
    /// Called in each turn; a correct view does not wait in it.
    private let wait: () -> Void
    /// Whether the view refuses every third update, which is allowed.
    private let refuses: Bool
    private var deployments = 0
    private(set) var texts: [[String]] = []
    private var queue: [ViewUpdate] = []
    private var kept: [ViewUpdate] = []
    private var lane: (any Lane)?
    private(set) var isClosed = false
    /// The notifications whether updates are in flight.
    private(set) var inFlight: [Bool] = []

    init(_ bug: Bug? = nil, refuses: Bool = false, wait: @escaping () -> Void = {}) {
        (self.bug, self.refuses, self.wait) = (bug, refuses, wait)
    }

    func attach(to lane: any Lane) { self.lane = lane }

    var elementSizeRange: SizeRange { .width(40) }

    var firstVisiblePath: ItemPath? { nil }

    func perform(_ update: ViewUpdate) {
        queue.append(update)
        if bug == .waitsForWhatIsEmpty, !update.changeSet.isEmpty { return }
        lane?.enqueue { [weak self] in
            for _ in 0..<(self?.bug == .waitsForWhatIsEmpty ? .max : 1) {
                if self?.queue.isEmpty != false { break }
                self?.turn()
            }
        }
    }

    func updatesInFlightDidChange(_ areInFlight: Bool) { inFlight.append(areInFlight) }

    func controllerDidClose() {
        isClosed = true
        if bug == .clearsWhenClosed { texts = [] }
        guard bug == .keepsWhatIsEmpty else { return }
        for update in kept { update.finish() }
        kept = []
    }

    private func turn() {
        guard !queue.isEmpty, bug != .neverDeploys else { return }
        if isClosed, bug == .keepsWhenClosed { return }
        if bug == .waits { wait() }
        let update = bug == .deploysLastFirst ? queue.removeLast() : queue.removeFirst()
        if bug == .finishesFirst { update.finish() }
        if bug == .dropsWhatIsEmpty, update.changeSet.isEmpty { return }
        guard update.deploy(deploy) else {
            if bug == .showsWhatIsReplaced { try? show(update) }
            if bug == .keepsWhatIsReplaced { kept.append(update) }
            return
        }
        switch bug {
        case .deploysTwice: update.deploy { _ in }
        case .changesLater: texts[0].append("more")
        case .neverFinishes: return kept.append(update)
        case .keepsWhatIsEmpty where update.changeSet.isEmpty: return kept.append(update)
        default: break
        }
        update.finish()
    }

    private func deploy(_ update: ViewUpdate) throws {
        deployments += 1
        if refuses, deployments.isMultiple(of: 3) { throw Refusal() }
        try show(update)
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

    /// Returns the texts that the view should show for a map.
    static func texts(of map: ElementMap) -> [[String]] {
        var texts = Array(repeating: [String](), count: map.numberOfSections)
        for item in map.items {
            texts[item.path.section].append(item.content.model as? String ?? "no text")
        }
        return texts
    }
}
