import CollectionElements
import PersistentTrees

/// What a hub has published and announced, and what each reader is told next.
///
/// A value without lanes, timers or callbacks. *Published* is what came of the controller; *announced* what readers may
/// know of it. Readers are nothing here but a ``ReaderProgress``.
package struct HubLedger {
    let configuration: HubConfiguration

    /// Which history is published.
    private(set) var handle: HistoryHandle

    /// How often it went on from something that no update leads to, modulo 2¹⁶: a number of before says nothing of what
    /// has that number now.
    private(set) var line: UInt16 = 0

    /// What readers may know.
    package private(set) var announced: PublishedSnapshot

    /// What was published.
    private var published = KeptState()
    /// What was published and not announced, and the version that it leads to.
    private var unannounced: (changes: ChangeSetComposition, version: Int)?

    private var history: VersionHistory
    /// The newest announcements.
    private(set) var recent = FIFO<PublishedUpdate>()
    private var announcements = 0
    /// How many contents these bring.
    private var recentContents = 0
    /// What leads from some older versions to the announced one.
    private var answers: [Int: PublishedUpdate] = [:]
    /// How many contents these bring.
    private var answeredContents = 0

    // For windows, each made when it is asked for and dropped with the next announcement.

    /// Where everything that is announced is, in the order of rows.
    private var rows: RowTable?
    /// Where everything was that was announced before, if somebody had asked.
    private var rowsBefore: RowTable?
    /// Where the rows of some older versions are now.
    private var mappings: [Int: RowMapping] = [:]
    /// What readers of some rows are told.
    var windowAnswers: [WindowStep: WindowAnswer] = [:]

    private var lastItem: UInt64 = 0
    private var lastSection: UInt64 = 0
    private(set) var isClosed = false

    /// How many answers are kept for readers that are at the same version.
    static let answerLimit = 16
    /// How many answers are kept for readers of the same rows.
    static let windowAnswerLimit = 256

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

    /// How many versions somebody can resume from.
    package var knownVersions: Int { history.knownVersions }
    /// How many change sets are kept for that.
    package var keptChangeSets: Int { history.keptChangeSets }
    private var state: PublishedState { published.state }

    // MARK: Publishing

    /// Takes in what was deployed.
    ///
    /// Complexity: O(k log n) for k edits, fresh items and reconfigurations.
    package mutating func publish(_ update: RenderedUpdate) {
        go(by: start(of: update.changeSet), contents(of: update), to: update.version)
        if let (changeSet, contents) = late(of: update) {
            go(by: changeSet, contents, to: update.version)
        }
    }

    /// Takes in what was published elsewhere, and what it leads to.
    mutating func publish(_ update: PublishedUpdate, leadingTo contents: KeptState) {
        compose(update.changeSet, to: update.to.number)
        published = contents
    }

    /// Goes on from what was published elsewhere and did not come as updates: by what is different where that is a later
    /// version of this history, and from nothing where it is another history.
    mutating func jump(to contents: KeptState, at version: PublishedVersion) {
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
        startAnew(at: version)
        rowsBefore = nil
    }

    /// A reload starts from whatever is there: what stands between the controller and the hub may have lost updates.
    private func start(of changeSet: ValidatedChangeSet) -> ValidatedChangeSet {
        guard changeSet.isReloadData, changeSet.oldShape != state.shape else { return changeSet }
        return .reloadingData(from: state.shape, to: changeSet.newShape, animation: .automatic)
    }

    private mutating func go(
        by changeSet: ValidatedChangeSet,
        _ contents: PublishedContents,
        to version: Int
    ) {
        compose(changeSet, to: version)
        published.go(by: changeSet, contents)
    }

    private mutating func compose(_ changeSet: ValidatedChangeSet, to version: Int) {
        var composition =
            unannounced?.changes ?? ChangeSetComposition(from: state.shape)
        // Given up before it is changed, or it would be copied.
        unannounced = nil
        do throws(HierarchyUpdateError) {
            try composition.append(changeSet)
        } catch {
            fatalError("an update must start where the one before it ended: \(error)")
        }
        unannounced = (composition, version)
    }

    /// What an update brings, with numbers.
    private mutating func contents(of update: RenderedUpdate) -> PublishedContents {
        var contents = PublishedContents()
        contents.freshSections = update.freshSections.map { header, items in
            lastSection += 1
            return PublishedContents.FreshSection(
                section: PublishedSection(number: lastSection, payload: header),
                items: items.map { fresh($0) }
            )
        }
        contents.insertedItems = update.insertedItems.map { fresh($0) }
        let reconfigurations = update.changeSet.reconfigurations
        contents.changedItems = zip(reconfigurations, update.changedItems).map { change, payload in
            let old = state.entries[change.oldPath.section].items[change.oldPath.item]
            // What could not be rendered is shown as it was, as the pipeline shows an outdated node.
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

    private mutating func fresh(_ payload: PublishedPayload?) -> PublishedItem {
        lastItem += 1
        return PublishedItem(number: lastItem, payload: payload)
    }

    /// What was measured without an edit of its own and shows something else than what was published: a change in
    /// place.
    private func late(of update: RenderedUpdate) -> (ValidatedChangeSet, PublishedContents)? {
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

    /// Lets readers know everything that was published; does nothing where they do.
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
        // Of long ones fewer: each keeps what it brings.
        while recent.count > max(1, configuration.recentUpdates)
            || recentContents > configuration.resumableEdits && recent.count > 1
        {
            recentContents -= recent.popFirst()?.contents.count ?? 0
        }
        startAnew(at: to)
    }

    /// Announces what is published, and drops what was found out about what was announced before.
    private mutating func startAnew(at version: PublishedVersion) {
        (answers, answeredContents) = ([:], 0)
        (rowsBefore, rows, mappings, windowAnswers) = (rows, nil, [:], [:])
        announced = PublishedSnapshot(
            version: version,
            state: state,
            digest: published.digest.value
        )
    }

    /// Where everything that is announced is, in the order of rows. Complexity: O(sections) for the first who asks.
    var announcedRows: RowTable {
        mutating get {
            if let rows { return rows }
            let table = RowTable(announced.state.shape)
            rows = table
            return table
        }
    }

    /// What the newest announcement does to rows; nil where there was none.
    mutating func announcedChanges() -> RowChanges? {
        guard let version = recent.last?.from.number, learnMapping(since: version) else {
            return nil
        }
        return mappings[version]?.changes
    }

    /// Where a row of an older version is now; nil where that version is not known.
    mutating func newRow(of row: Int, since version: Int) -> Int? {
        learnMapping(since: version) ? mappings[version]?.newRow(of: row) : nil
    }

    /// Makes the mapping from an older version, where it can be.
    private mutating func learnMapping(since version: Int) -> Bool {
        if mappings[version] != nil { return true }
        let newest = recent.last.flatMap { $0.from.number == version ? $0.changeSet : nil }
        guard let changeSet = newest ?? history.changes(since: version) else { return false }
        if mappings.count >= Self.answerLimit { mappings = [:] }
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

    /// Nothing is published any more.
    mutating func close() {
        announce()
        isClosed = true
    }

    // MARK: Readers

    /// What a reader is told next, who is there afterwards; nil while there is nothing.
    package mutating func next(for reader: inout ReaderProgress) -> HubMessage? {
        switch reader.position {
        case .joining(let wanted):
            guard let wanted else { return reset(&reader, .joined) }
            if wanted.handle != handle { return reset(&reader, .otherHistory) }
            if !isAnnounced(wanted.number) { return reset(&reader, .unknownVersion) }
            history.retain(wanted.number)
            (reader.position, reader.line) = (.at(wanted.number), line)
            reader.isOwedMark = true
            return next(for: &reader)
        case .at where reader.line != line:
            return reset(&reader, .otherHistory)
        case .at(announced.version.number):
            if reader.isOwedMark {
                reader.isOwedMark = false
                return .upToDate(announced.version, digest: announced.digest)
            }
            guard isClosed else { return nil }
            leave(&reader)
            return .closed(announced.version)
        case .at(let version):
            let newest = recent.last?.from.number
            if version != newest { reader.isOwedMark = true }
            guard let update = update(since: version, limit: Int(reader.individualLimit)) else {
                return reset(&reader, .forgotten)
            }
            move(&reader, to: update.to.number)
            return .update(update)
        case .ended:
            return nil
        }
    }

    /// Tells a reader at the announced version that it is.
    mutating func beat(for reader: inout ReaderProgress) {
        if case .at = reader.position { reader.isOwedMark = true }
    }

    /// Nothing is kept for a reader any more.
    package mutating func leave(_ reader: inout ReaderProgress) {
        release(reader)
        reader.position = .ended
    }

    /// Whether a reader of this history can have been at a version.
    private func isAnnounced(_ version: Int) -> Bool {
        version >= 0 && version <= announced.version.number
    }

    private mutating func reset(_ reader: inout ReaderProgress, _ reason: ResetReason) -> HubMessage
    {
        move(&reader, to: announced.version.number)
        reader.isOwedMark = false
        return .reset(announced, reason)
    }

    private mutating func move(_ reader: inout ReaderProgress, to version: Int) {
        release(reader)
        history.retain(version)
        (reader.position, reader.line) = (.at(version), line)
    }

    /// Lets go of the version that is retained for a reader, where it is not that of something else by now.
    private mutating func release(_ reader: ReaderProgress) {
        if case .at(let version) = reader.position, reader.line == line {
            history.release(version)
        }
    }

    // MARK: Answers

    /// - Parameter limit: how many announcements behind updates are told one by one.
    private mutating func update(since version: Int, limit: Int) -> PublishedUpdate? {
        for behind in 0..<min(recent.count, limit) {
            let update = recent[recent.count - 1 - behind]
            guard update.from.number == version else { continue }
            // Who is there must be able to go on from there.
            if history.knows(update.to.number) { return update }
        }
        if let update = recent.last, update.from.number == version {
            return update
        }
        if let known = answers[version] { return known }
        guard let changeSet = history.changes(since: version) else { return nil }
        let contents = PublishedContents(of: changeSet, in: announced.state)
        let update = PublishedUpdate(
            from: PublishedVersion(handle: handle, number: version),
            to: announced.version,
            changeSet: changeSet,
            contents: contents,
            digest: announced.digest
        )
        if answers.count >= Self.answerLimit || answeredContents > configuration.resumableEdits {
            (answers, answeredContents) = ([:], 0)
        }
        answers[version] = update
        answeredContents += update.contents.count
        return update
    }
}

extension VersionHistory {
    /// One that keeps what a hub is to keep.
    fileprivate init(at version: Int, _ configuration: HubConfiguration) {
        self.init(
            at: version,
            limits: Limits(
                updates: configuration.resumableUpdates,
                edits: configuration.resumableEdits,
                retained: configuration.retainedVersions,
                retainedEdits: configuration.retainedEdits
            )
        )
    }
}
