// Messages to readers of windows. The ledger keeps what each reader received last, and compares it
// with the current rows of the window. All readers of the same rows share one update.

extension HubLedger {
    /// Returns the next message for a reader and updates its progress; `nil` if the reader has
    /// everything.
    ///
    /// Complexity: O(k log n) for a window of k rows that may have changed, once for all readers of
    /// the same rows, plus a comparison by number if it has changed. For a paused reader, the
    /// missed updates are composed, once for all readers at that version.
    mutating func next(for reader: inout WindowProgress) -> HubMessage? {
        var (mayDiffer, missesSeveral) = (reader.isMoved, false)
        switch reader.position {
        case .ended: return nil
        case .joining(let window):
            reader.window = located(window, for: reader)
            reader.position = .at(announced.version.number)
            return reset(&reader, .joined)
        case .at(let version), .retaining(let version):
            guard isOfLine(reader) else {
                resume(&reader)
                reader.position = .at(announced.version.number)
                return reset(&reader, .otherHistory)
            }
            if version != announced.version.number {
                mayDiffer = true
                missesSeveral = version != recent.last?.from.number
                guard follow(&reader) else { return reset(&reader, .forgotten) }
            }
        }
        if let (update, isSame) = update(for: &reader, mayDiffer: mayDiffer) {
            // A reader that missed several updates receives a confirmation after the last one.
            if missesSeveral, !isSame { reader.owesConfirmation = true }
            return .update(update)
        }
        if reader.owesConfirmation, let sent = reader.sent {
            reader.owesConfirmation = false
            return .upToDate(announced.version, digest: sent.contents.digest.value)
        }
        guard isClosed else { return nil }
        leave(&reader)
        return .closed(announced.version)
    }

    /// Gives a reader another window, relative to the rows of the announced version.
    mutating func setWindow(_ window: PublishedWindow, of reader: inout WindowProgress) {
        switch reader.position {
        case .ended: return
        case .joining: reader.position = .joining(window.pinned(at: announced.version))
        case .at, .retaining:
            // The current position of the old window is not needed, but the new window may refer to
            // rows that were in it.
            if isOfLine(reader) { _ = follow(&reader) }
            resume(&reader)
            reader.window = located(window, for: reader)
            reader.isMoved = true
        }
    }

    /// Retains the version that a paused reader needs to continue, unless its window has fixed
    /// rows.
    mutating func pause(_ reader: inout WindowProgress) {
        // A reader with a version of another line receives everything, so nothing is retained.
        guard case .at(let version) = reader.position, reader.window?.follows == true,
            isOfLine(reader)
        else { return }
        retain(version)
        reader.position = .retaining(version)
    }

    /// Releases the version that is retained for a reader. The reader waits for changes, so its
    /// window moves with each announcement.
    mutating func resume(_ reader: inout WindowProgress) {
        guard case .retaining(let version) = reader.position else { return }
        if isOfLine(reader) { release(version) }
        reader.position = .at(version)
    }

    /// Releases everything that is kept for a reader.
    mutating func leave(_ reader: inout WindowProgress) {
        resume(&reader)
        reader.position = .ended
        reader.sent = nil
    }

    /// Returns whether the reader's last message belongs to the current line of versions.
    private func isOfLine(_ reader: WindowProgress) -> Bool { reader.sent?.line == line }

    // MARK: Positions of windows

    /// Moves a reader's window from an older version to the announced one.
    ///
    /// - Returns: Whether the new position of the followed row is known. Otherwise the window keeps
    ///   its rows.
    private mutating func follow(_ reader: inout WindowProgress) -> Bool {
        guard let version = reader.version, version != announced.version.number else { return true }
        let isKnown = move(&reader.window, from: version)
        resume(&reader)
        reader.position = .at(announced.version.number)
        return isKnown
    }

    private mutating func move(_ window: inout RowWindow?, from version: Int) -> Bool {
        guard let old = window, old.follows else { return true }
        let anchor = newRow(of: old.anchor, since: version)
        window?.anchor = clamped(anchor ?? old.anchor)
        return anchor != nil
    }

    /// Returns the rows of a window that a reader has requested.
    private mutating func located(
        _ window: PublishedWindow,
        for reader: WindowProgress
    ) -> RowWindow {
        var (anchor, follows) = (0, false)
        switch window.anchor {
        case .place(let row): anchor = row
        case .row(let row, let version):
            follows = true
            anchor = clamped(self.row(row, at: version, for: reader))
        }
        return RowWindow(
            anchor: anchor,
            before: window.before,
            count: window.count,
            follows: follows
        )
    }

    /// Returns the nearest existing row.
    private mutating func clamped(_ row: Int) -> Int {
        min(max(0, announcedRows.numberOfRows - 1), row)
    }

    /// Returns the current position of a row that a reader requests in terms of a version, if that
    /// version is known; otherwise returns `row`.
    private mutating func row(
        _ row: Int,
        at version: PublishedVersion?,
        for reader: WindowProgress
    ) -> Int {
        guard let version, version.handle == handle,
            version.number != announced.version.number
        else { return row }
        if let row = newRow(of: row, since: version.number) { return row }
        // The window has not changed since the reader received that version, but it may have moved.
        guard let sent = reader.sent, sent.line == line, sent.version == version.number,
            sent.rows.contains(row),
            let window = reader.window
        else { return row }
        return row - sent.rows.lowerBound + window.rows(of: announcedRows.numberOfRows).lowerBound
    }

    // MARK: Updates

    private mutating func reset(
        _ reader: inout WindowProgress,
        _ reason: ResetReason
    ) -> HubMessage {
        let rows = rows(of: reader)
        let state = announced.state.part(rows, announcedRows)
        let sent = WindowProgress.SentWindow(
            line: line,
            version: announced.version.number,
            rows: rows,
            place: announcedRows.place(of: rows),
            contents: StateWithDigest(state)
        )
        (reader.sent, reader.isMoved, reader.owesConfirmation) = (sent, false, false)
        let snapshot = PublishedSnapshot(
            version: announced.version,
            state: state,
            digest: sent.contents.digest.value,
            place: sent.place
        )
        return .reset(snapshot, reason)
    }

    /// Returns the update for a reader whose window has changed, or has moved if the reader must
    /// receive that; `nil` if the reader has everything.
    private mutating func update(
        for reader: inout WindowProgress,
        mayDiffer: Bool
    ) -> (PublishedUpdate, isSame: Bool)? {
        guard let sent = reader.sent else { return nil }
        let isBehind = sent.version != announced.version.number
        guard mayDiffer || isBehind && (reader.owesConfirmation || isClosed) else { return nil }
        let step = WindowStep(
            version: sent.version,
            oldRows: sent.rows,
            newRows: rows(of: reader)
        )
        let shared = sharedUpdate(step, sent, mayDiffer: mayDiffer)
        // A position without other changes matters only if the reader requested another window, and
        // for confirmations.
        let isKnown = !isBehind && shared.update.place == sent.place
        let matters = reader.isMoved || reader.owesConfirmation || isClosed
        reader.isMoved = false
        if shared.isSame, isKnown || !matters { return nil }
        reader.sent = WindowProgress.SentWindow(
            line: line,
            version: announced.version.number,
            rows: step.newRows,
            place: shared.update.place ?? sent.place,
            contents: shared.contents
        )
        return (shared.update, shared.isSame)
    }

    private mutating func sharedUpdate(
        _ step: WindowStep,
        _ sent: WindowProgress.SentWindow,
        mayDiffer: Bool
    ) -> WindowUpdate {
        if let known = windowUpdates[step] { return known }
        let old = sent.contents.state
        let state = mayDiffer ? announced.state.part(step.newRows, announcedRows) : old
        let isSame = !mayDiffer || state == old
        let changeSet = isSame ? .unchanged(state.shape) : state.changes(from: old)
        let contents = isSame ? sent.contents : StateWithDigest(state)
        let update = PublishedUpdate(
            from: PublishedVersion(handle: handle, number: step.version),
            to: announced.version,
            changeSet: changeSet,
            contents: PublishedContents(of: changeSet, in: state),
            digest: contents.digest.value,
            place: announcedRows.place(of: step.newRows)
        )
        let shared = WindowUpdate(update: update, contents: contents, isSame: isSame)
        if windowUpdates.count < Self.windowUpdateLimit { windowUpdates[step] = shared }
        return shared
    }

    private mutating func rows(of reader: WindowProgress) -> Range<Int> {
        reader.window?.rows(of: announcedRows.numberOfRows) ?? 0..<0
    }
}

/// A key for updates of windows: readers that need the same update have equal keys.
struct WindowStep: Hashable {
    let version: Int
    let oldRows: Range<Int>
    let newRows: Range<Int>
}

/// The update for one key, the resulting contents of the window, and whether they are equal to the
/// old ones.
struct WindowUpdate {
    let update: PublishedUpdate
    let contents: StateWithDigest
    let isSame: Bool
}

/// The position of a windowed reader in the history.
struct WindowProgress {
    enum Position: Hashable {
        /// The reader has received nothing yet, and has requested this window.
        case joining(PublishedWindow)
        /// The window is relative to the rows of a version, and the reader has its contents at that
        /// version.
        case at(Int)
        /// Like `at`, but the version is retained, because the new position of the followed row can
        /// only be found from that version.
        case retaining(Int)
        /// The reader has left, or has received its last message.
        case ended
    }

    /// The contents that a reader received last. If nothing changes in its window, that can be long
    /// ago.
    struct SentWindow {
        /// The line that the version belongs to (``HubLedger/line``).
        var line: UInt16
        /// The version of the contents.
        var version: Int
        /// The rows of the window at that version.
        var rows: Range<Int>
        /// The position of the rows in the list.
        var place: WindowPlace
        /// The contents of the rows.
        var contents: StateWithDigest
    }

    var position: Position
    /// The position of the window; `nil` before the first message.
    var window: RowWindow?
    var sent: SentWindow?
    /// Whether the reader has requested another window since its last message.
    var isMoved = false
    /// Whether the hub must send `upToDate` when the reader has everything.
    var owesConfirmation = false

    init(joining window: PublishedWindow) { position = .joining(window) }

    /// The version whose rows the window is relative to.
    var version: Int? {
        switch position {
        case .at(let version), .retaining(let version): version
        case .joining, .ended: nil
        }
    }
}
