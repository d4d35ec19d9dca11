import PersistentTrees

/// The states that a hub has published and announced, and the logic that finds the next message for
/// each reader.
///
/// A value without lanes, timers or callbacks. A *published* update has arrived from the
/// controller; an *announced* one may be sent to readers. The ledger knows a reader only as a
/// ``ReaderProgress``.
package struct HubLedger {
    let configuration: HubConfiguration

    /// The identifier of the published history.
    private(set) var handle: HistoryID

    /// The number of times that the ledger has continued from a state to which no update leads,
    /// modulo 2¹⁶. Versions with the same number but different lines are unrelated.
    private(set) var line: UInt16 = 0

    /// The state that readers may receive.
    package private(set) var announced: PublishedSnapshot

    /// The published state.
    private var published = StateWithDigest()
    /// The changes that are published but not announced, and the version that they lead to.
    private var unannounced: (changes: ChangeSetComposition, version: Int)?

    private var history: VersionHistory
    /// The newest announcements.
    private(set) var recent = FIFO<PublishedUpdate>()
    private var announcements = 0
    /// The number of sections and items in the contents of ``recent``.
    private var recentContents = 0
    /// The updates from some older versions to the announced one.
    private var composedUpdates: [Int: PublishedUpdate] = [:]
    /// The number of sections and items in the contents of ``composedUpdates``.
    private var composedSize = 0

    // Caches for windows: each is made when it is needed, and dropped at the next announcement.

    /// The rows of the announced state.
    private var rows: RowTable?
    /// The rows of the previously announced state, if they were needed.
    private var rowsBefore: RowTable?
    /// The mappings from the rows of some older versions to the current rows.
    private var mappings: [Int: RowMapping] = [:]
    /// The updates for readers that have moved between the same rows.
    var windowUpdates: [WindowStep: WindowUpdate] = [:]

    private var lastItem: UInt64 = 0
    private var lastSection: UInt64 = 0
    private(set) var isClosed = false

    /// The maximum number of cached updates, and of cached mappings.
    static let cacheLimit = 16
    /// The maximum number of cached updates for windows.
    static let windowUpdateLimit = 256

    package init(_ configuration: HubConfiguration) {
        self.configuration = configuration
        handle = configuration.handle
        announced = PublishedSnapshot(
            version: PublishedVersion(handle: configuration.handle, number: 0),
            state: published.state,
            digest: published.digest.value
        )
        history = VersionHistory(at: 0, configuration)
    }

    /// The number of versions that a reader can resume from.
    package var knownVersions: Int { history.knownVersions }
    /// The number of change sets that are kept for resuming readers.
    package var keptChangeSets: Int { history.keptChangeSets }
    private var state: PublishedState { published.state }

    // MARK: Publishing

    /// Publishes a deployed update.
    ///
    /// Complexity: O(k log n) for k edits, new items and reconfigurations.
    package mutating func publish(_ update: RenderedUpdate) {
        advance(by: start(of: update.changeSet), contents(of: update), to: update.version)
        if let (changeSet, contents) = remeasured(in: update) {
            advance(by: changeSet, contents, to: update.version)
        }
    }

    /// Publishes an update that was published elsewhere; `contents` is the resulting state.
    mutating func publish(_ update: PublishedUpdate, leadingTo contents: StateWithDigest) {
        compose(update.changeSet, to: update.to.number)
        published = contents
    }

    /// Continues from a state that was published elsewhere without updates. If it is a later
    /// version of this history, readers receive the difference; otherwise they receive the whole
    /// state.
    mutating func jump(to contents: StateWithDigest, at version: PublishedVersion) {
        announce()
        if version.handle == handle, version.number > announced.version.number {
            compose(contents.state.changes(from: state), to: version.number)
            published = contents
            return
        }
        handle = version.handle
        line &+= 1
        published = contents
        history = VersionHistory(at: version.number, configuration)
        (recent, recentContents) = (FIFO(), 0)
        replaceAnnouncement(at: version)
        rowsBefore = nil
    }

    /// Returns the change set. A reload is made to start from the published shape, because the
    /// controller may have deployed updates that did not reach the hub.
    private func start(of changeSet: ValidatedChangeSet) -> ValidatedChangeSet {
        guard changeSet.isReloadData, changeSet.oldShape != state.shape else { return changeSet }
        return .reloadingData(from: state.shape, to: changeSet.newShape, animation: .automatic)
    }

    private mutating func advance(
        by changeSet: ValidatedChangeSet,
        _ contents: PublishedContents,
        to version: Int
    ) {
        compose(changeSet, to: version)
        published.apply(changeSet, contents)
    }

    private mutating func compose(_ changeSet: ValidatedChangeSet, to version: Int) {
        var composition =
            unannounced?.changes ?? ChangeSetComposition(from: state.shape)
        // Releases the composition before it is changed, to avoid a copy.
        unannounced = nil
        do throws(HierarchyUpdateError) {
            try composition.append(changeSet)
        } catch {
            fatalError("an update must start where the one before it ended: \(error)")
        }
        unannounced = (composition, version)
    }

    /// Returns the contents of an update, with numbers for new sections and items.
    private mutating func contents(of update: RenderedUpdate) -> PublishedContents {
        var contents = PublishedContents()
        contents.insertedSections = update.insertedSections.map { header, items in
            lastSection += 1
            return PublishedContents.InsertedSection(
                section: PublishedSection(number: lastSection, payload: header),
                items: items.map { makeItem($0) }
            )
        }
        contents.insertedItems = update.insertedItems.map { makeItem($0) }
        let reconfigurations = update.changeSet.reconfigurations
        contents.changedItems = zip(reconfigurations, update.changedItems).map { change, payload in
            let old = state.entries[change.oldPath.section].items[change.oldPath.item]
            // If rendering failed, readers keep the old payload, like an outdated node.
            return PublishedItem(number: old.number, payload: payload ?? old.payload)
        }
        let sections = zip(update.changeSet.changedSections, update.changedSections)
        contents.changedSections = sections.compactMap { newIndex, payload in
            update.changeSet.oldSection(for: newIndex).map { oldIndex in
                let number = state.entries[oldIndex].section.number
                return PublishedContents.ChangedSection(
                    newIndex: newIndex,
                    section: PublishedSection(number: number, payload: payload)
                )
            }
        }
        return contents
    }

    private mutating func makeItem(_ payload: PublishedPayload?) -> PublishedItem {
        lastItem += 1
        return PublishedItem(number: lastItem, payload: payload)
    }

    /// Returns the in-place changes for elements that were measured without an edit and whose
    /// payload differs from the published one; `nil` if there are none.
    private func remeasured(in update: RenderedUpdate) -> (ValidatedChangeSet, PublishedContents)? {
        var changes = HierarchyChangeSet()
        var contents = PublishedContents()
        for (path, payload) in update.remeasuredItems {
            let old = state.entries[path.section].items[path.item]
            guard old.payload != payload else { continue }
            changes.reconfigureItems(at: [path])
            contents.changedItems.append(PublishedItem(number: old.number, payload: payload))
        }
        for (index, payload) in update.lateSections.sorted(by: { $0.section < $1.section }) {
            let old = state.entries[index].section
            guard old.payload != payload else { continue }
            changes.reloadSupplementaries(ofKind: .header, in: [index])
            contents.changedSections.append(
                PublishedContents.ChangedSection(
                    newIndex: index,
                    section: PublishedSection(number: old.number, payload: payload)
                )
            )
        }
        if contents.count == 0 { return nil }
        return (changes.inPlace(in: state.shape), contents)
    }

    // MARK: Announcing

    /// Makes everything that is published available to readers; does nothing if it already is.
    package mutating func announce() {
        guard let (changes, version) = unannounced else { return }
        unannounced = nil
        let changeSet = changes.update
        announcements += 1
        let isDigested = announcements.isMultiple(of: max(1, configuration.digestInterval))
        let to = PublishedVersion(handle: handle, number: version)
        let update = PublishedUpdate(
            from: announced.version,
            to: to,
            changeSet: changeSet,
            contents: PublishedContents(of: changeSet, in: state),
            digest: isDigested ? published.digest.value : nil
        )
        history.append(changeSet, to: version)
        recent.append(update)
        recentContents += update.contents.count
        // Announcements with many contents reduce the number that is kept whole.
        while recent.count > max(1, configuration.recentUpdateLimit)
            || recentContents > configuration.resumableEditLimit && recent.count > 1
        {
            recentContents -= recent.popFirst()?.contents.count ?? 0
        }
        replaceAnnouncement(at: to)
    }

    /// Announces the published state, and drops the caches for the previous one.
    private mutating func replaceAnnouncement(at version: PublishedVersion) {
        (composedUpdates, composedSize) = ([:], 0)
        (rowsBefore, rows, mappings, windowUpdates) = (rows, nil, [:], [:])
        announced = PublishedSnapshot(
            version: version,
            state: state,
            digest: published.digest.value
        )
    }

    /// The rows of the announced state. Complexity: O(sections) for the first access after an
    /// announcement.
    var announcedRows: RowTable {
        mutating get {
            if let rows { return rows }
            let table = RowTable(announced.state.shape)
            rows = table
            return table
        }
    }

    /// Returns the changes of the newest announcement in terms of rows; `nil` before the first
    /// announcement.
    mutating func announcedChanges() -> RowChanges? {
        guard let version = recent.last?.from.number, makeMapping(since: version) else {
            return nil
        }
        return mappings[version]?.changes
    }

    /// Returns the current position of a row of an older version; `nil` if that version is not
    /// known.
    mutating func newRow(of row: Int, since version: Int) -> Int? {
        makeMapping(since: version) ? mappings[version]?.newRow(of: row) : nil
    }

    /// Makes the mapping from an older version.
    ///
    /// - Returns: Whether that version is known.
    private mutating func makeMapping(since version: Int) -> Bool {
        if mappings[version] != nil { return true }
        let newest = recent.last.flatMap { $0.from.number == version ? $0.changeSet : nil }
        guard let changeSet = newest ?? history.changes(since: version) else { return false }
        if mappings.count >= Self.cacheLimit { mappings = [:] }
        let known = newest == nil ? nil : rowsBefore
        mappings[version] = RowMapping(
            changeSet,
            from: known ?? RowTable(changeSet.oldShape),
            to: announcedRows
        )
        return true
    }

    mutating func retain(_ version: Int) { history.retain(version) }
    mutating func release(_ version: Int) { history.release(version) }

    /// Announces what is published and closes the ledger. Nothing is published after this.
    mutating func close() {
        announce()
        isClosed = true
    }

    // MARK: Readers

    /// Returns the next message for a reader and updates its progress; `nil` if the reader has
    /// everything.
    package mutating func next(for reader: inout ReaderProgress) -> HubMessage? {
        switch reader.position {
        case .joining(let wanted):
            guard let wanted else { return reset(&reader, .joined) }
            if wanted.handle != handle { return reset(&reader, .otherHistory) }
            if !isAnnounced(wanted.number) { return reset(&reader, .unknownVersion) }
            history.retain(wanted.number)
            (reader.position, reader.line) = (.at(wanted.number), line)
            reader.owesConfirmation = true
            return next(for: &reader)
        case .at where reader.line != line:
            return reset(&reader, .otherHistory)
        case .at(announced.version.number):
            if reader.owesConfirmation {
                reader.owesConfirmation = false
                return .upToDate(announced.version, digest: announced.digest)
            }
            guard isClosed else { return nil }
            leave(&reader)
            return .closed(announced.version)
        case .at(let version):
            let newest = recent.last?.from.number
            if version != newest { reader.owesConfirmation = true }
            guard let update = update(since: version, limit: Int(reader.individualLimit)) else {
                return reset(&reader, .forgotten)
            }
            move(&reader, to: update.to.number)
            return .update(update)
        case .ended:
            return nil
        }
    }

    /// Makes the next message to an up-to-date reader confirm that the reader is up to date.
    mutating func beat(for reader: inout ReaderProgress) {
        if case .at = reader.position { reader.owesConfirmation = true }
    }

    /// Releases everything that is kept for a reader.
    package mutating func leave(_ reader: inout ReaderProgress) {
        release(reader)
        reader.position = .ended
    }

    /// Returns whether a reader of this history may have received a version.
    private func isAnnounced(_ version: Int) -> Bool {
        version >= 0 && version <= announced.version.number
    }

    private mutating func reset(_ reader: inout ReaderProgress, _ reason: ResetReason) -> HubMessage
    {
        move(&reader, to: announced.version.number)
        reader.owesConfirmation = false
        return .reset(announced, reason)
    }

    private mutating func move(_ reader: inout ReaderProgress, to version: Int) {
        release(reader)
        history.retain(version)
        (reader.position, reader.line) = (.at(version), line)
    }

    /// Releases the version that is retained for a reader, unless its number belongs to another
    /// line by now.
    private mutating func release(_ reader: ReaderProgress) {
        if case .at(let version) = reader.position, reader.line == line {
            history.release(version)
        }
    }

    // MARK: Updates since a version

    /// Returns the update for a reader at an older version; `nil` if that version is not known.
    ///
    /// - Parameters:
    ///   - version: The reader's version.
    ///   - limit: The number of recent announcements that the reader receives separately.
    private mutating func update(since version: Int, limit: Int) -> PublishedUpdate? {
        for behind in 0..<min(recent.count, limit) {
            let update = recent[recent.count - 1 - behind]
            guard update.from.number == version else { continue }
            // The reader must be able to continue from the version that the update leads to.
            if history.knows(update.to.number) { return update }
        }
        if let update = recent.last, update.from.number == version {
            return update
        }
        if let known = composedUpdates[version] { return known }
        guard let changeSet = history.changes(since: version) else { return nil }
        let contents = PublishedContents(of: changeSet, in: announced.state)
        let update = PublishedUpdate(
            from: PublishedVersion(handle: handle, number: version),
            to: announced.version,
            changeSet: changeSet,
            contents: contents,
            digest: announced.digest
        )
        if composedUpdates.count >= Self.cacheLimit
            || composedSize > configuration.resumableEditLimit
        {
            (composedUpdates, composedSize) = ([:], 0)
        }
        composedUpdates[version] = update
        composedSize += update.contents.count
        return update
    }
}

extension VersionHistory {
    /// Creates a history with the limits of a hub's configuration.
    fileprivate init(at version: Int, _ configuration: HubConfiguration) {
        self.init(
            at: version,
            limits: Limits(
                updates: configuration.resumableUpdateLimit,
                edits: configuration.resumableEditLimit,
                retained: configuration.retainedVersionLimit,
                retainedEditLimit: configuration.retainedEditLimit
            )
        )
    }
}
