// What readers of a window are told. Nothing is remembered of windows here: each reader has what it was told, and is
// told what is different in its part of the list now.

extension HubLedger {
    /// What a reader is told next, who is there afterwards; nil while there is nothing.
    ///
    /// Complexity: O(k log k) for a window of k rows, where its part of the list may be another; and a composition for the
    /// first of those who are at an older version.
    mutating func next(for reader: inout WindowProgress) -> HubMessage? {
        switch reader.position {
        case .ended: return nil
        case .joining:
            locate(&reader)
            reader.position = .at(announced.version.number)
            return reset(&reader, .joined)
        case .at(let version):
            let isMoved = reader.wanted != nil
            if version != announced.version.number {
                guard follow(&reader, from: version) else {
                    locate(&reader)
                    return reset(&reader, .forgotten)
                }
            }
            locate(&reader)
            if let update = update(for: &reader, isMoved: isMoved) { return .update(update) }
            if reader.isOwedMark {
                reader.isOwedMark = false
                return .upToDate(announced.version, digest: reader.contents.digest.value)
            }
            guard isClosed, !Mutant.closesSilently.isActive else { return nil }
            leave(&reader)
            return .closed(announced.version)
        }
    }

    /// Tells a reader at the announced version that it is.
    func beat(for reader: inout WindowProgress) { reader.isOwedMark = true }

    /// Keeps for a reader that is paused what it needs to go on.
    mutating func pause(_ reader: inout WindowProgress) {
        guard case .at(let version) = reader.position, !reader.isRetained else { return }
        history.retain(version)
        reader.isRetained = true
    }

    /// Nothing is kept for a reader any more.
    mutating func leave(_ reader: inout WindowProgress) {
        release(&reader)
        reader.position = .ended
    }

    /// Keeps no version for a reader: it can be told more, and its window goes along with what is announced.
    mutating func release(_ reader: inout WindowProgress) {
        guard case .at(let version) = reader.position, reader.isRetained else { return }
        history.release(version)
        reader.isRetained = false
    }

    // MARK: Where windows are

    /// Goes on with a reader's window from an older version.
    ///
    /// - Returns: whether it is known what has changed since; the window stays in its place otherwise.
    private mutating func follow(_ reader: inout WindowProgress, from version: Int) -> Bool {
        defer { reader.position = .at(announced.version.number) }
        // One that was announced since.
        if version != recent.last?.from.number { reader.isOwedMark = true }
        let changeSet = update(since: version, limit: 0)?.changeSet
        release(&reader)
        guard let changeSet else { return false }
        guard reader.window.follows, !Mutant.forgetsWindowPins.isActive else { return true }
        reader.window.pin = announcedRow(of: reader.window.pin, before: changeSet)
        return true
    }

    /// Gives a reader the window that it wants.
    private mutating func locate(_ reader: inout WindowProgress) {
        if let wanted = reader.wanted {
            reader.wanted = nil
            var (pin, follows) = (0, false)
            switch wanted.pin {
            case .place(let row): pin = row
            case .row(let row, let version):
                follows = true
                pin = self.row(row, at: version, for: reader)
            }
            reader.window = RowWindow(
                pin: pin,
                before: wanted.before,
                count: wanted.count,
                follows: follows
            )
        }
        // What is followed is something that is there.
        guard reader.window.follows else { return }
        reader.window.pin = min(max(0, announcedRows.numberOfRows - 1), reader.window.pin)
    }

    /// Where a row of some version is now that a reader asks for, as far as that is known.
    private mutating func row(
        _ row: Int,
        at version: PublishedVersion?,
        for reader: WindowProgress
    ) -> Int {
        guard let version, version.handle == configuration.handle,
            version.number != announced.version.number
        else { return row }
        if let changeSet = update(since: version.number, limit: 0)?.changeSet {
            return announcedRow(of: row, before: changeSet)
        }
        // Since it was told of that version nothing happened in its window, which is somewhere else by now.
        guard case .at = reader.position, version.number == reader.toldVersion else { return row }
        let moved = reader.window.rows(of: announcedRows.numberOfRows).lowerBound - reader.toldRow
        let (sum, overflows) = row.addingReportingOverflow(moved)
        return overflows ? row : max(0, sum)
    }

    /// The row now of what was in a row before an update; where it is gone, of what came after it and stayed.
    private mutating func announcedRow(of row: Int, before changeSet: ValidatedChangeSet) -> Int {
        let old = RowTable(changeSet.oldShape)
        let new = announcedRows
        guard old.numberOfRows > 0 else { return row }
        let row = min(row, old.numberOfRows - 1)
        let section = old.section(ofRow: row)
        let header = old.row(ofHeader: section)
        if row == header {
            if let section = changeSet.newSection(for: section) {
                return new.row(ofHeader: section)
            }
        } else if let path = changeSet.newPath(
            for: ItemPath(section: section, item: row - header - 1)
        ) {
            return new.row(at: path)
        }
        return RowChanges(changeSet, from: old, to: new).firstSurvivor(from: row) ?? row
    }

    // MARK: What is told

    private mutating func reset(
        _ reader: inout WindowProgress,
        _ reason: ResetReason
    ) -> HubMessage {
        reader.isOwedMark = false
        let (state, place) = look(through: reader.window)
        take(&reader, KeptState(state), place)
        let snapshot = PublishedSnapshot(
            version: announced.version,
            state: state,
            digest: reader.contents.digest.value,
            place: place
        )
        return .reset(snapshot, reason)
    }

    /// What is different in a reader's window; nil where nothing is that it has to be told.
    private mutating func update(
        for reader: inout WindowProgress,
        isMoved: Bool
    ) -> PublishedUpdate? {
        let (state, place) = look(through: reader.window)
        let old = reader.contents
        let isSame = state == old.state
        // Where its window is in the list matters when it looks at something else, and now and then.
        let isTold = reader.toldVersion == announced.version.number && reader.place == place
        if isSame, isTold || !(isMoved || reader.isOwedMark || isClosed) { return nil }
        let from = PublishedVersion(handle: configuration.handle, number: reader.toldVersion)
        let changeSet = isSame ? .unchanged(state.shape) : state.changes(from: old.state)
        take(&reader, isSame ? old : KeptState(state), place)
        return PublishedUpdate(
            from: from,
            to: announced.version,
            changeSet: changeSet,
            contents: PublishedContents(of: changeSet, in: state),
            digest: reader.contents.digest.value,
            place: place
        )
    }

    private mutating func look(through window: RowWindow) -> (PublishedState, WindowPlace) {
        let table = announcedRows
        return announced.state.window(window.rows(of: table.numberOfRows), table)
    }

    private mutating func take(
        _ reader: inout WindowProgress,
        _ contents: KeptState,
        _ place: WindowPlace
    ) {
        reader.toldVersion = announced.version.number
        reader.toldRow = reader.window.rows(of: announcedRows.numberOfRows).lowerBound
        reader.contents = contents
        reader.place = place
    }
}
