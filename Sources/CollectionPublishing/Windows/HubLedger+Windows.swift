// What readers of a window are told. Each has what it was told, and is told what is different in its part of the list
// now; what readers of the same rows are told is one value.

extension HubLedger {
    /// What a reader is told next, who is there afterwards; nil while there is nothing.
    ///
    /// Complexity: O(k log n) for a window of k rows in which something may have happened, once for all readers of the
    /// same rows, and a comparison by number where it has. For those who were paused the composition of what they
    /// missed, once for all at that version.
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
                listen(&reader)
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
            // Who missed several updates is told when that is made good.
            if missesSeveral, !isSame { reader.isOwedMark = true }
            return .update(update)
        }
        if reader.isOwedMark, let told = reader.told {
            reader.isOwedMark = false
            return .upToDate(announced.version, digest: told.contents.digest.value)
        }
        guard isClosed else { return nil }
        leave(&reader)
        return .closed(announced.version)
    }

    /// Gives a reader another window, which is in the rows of the announced version from then on.
    mutating func setWindow(_ window: PublishedWindow, of reader: inout WindowProgress) {
        switch reader.position {
        case .ended: return
        case .joining: reader.position = .joining(window.pinned(at: announced.version))
        case .at, .retaining:
            // Where what it followed is now is of no interest any more, but what it saw may be asked for.
            if isOfLine(reader) { _ = follow(&reader) }
            listen(&reader)
            reader.window = located(window, for: reader)
            reader.isMoved = true
        }
    }

    /// Keeps for a reader that is paused what it needs to go on: nothing, where its window stays in its place.
    mutating func pause(_ reader: inout WindowProgress) {
        guard case .at(let version) = reader.position, reader.window?.follows == true else {
            return
        }
        retain(version)
        reader.position = .retaining(version)
    }

    /// Keeps nothing for a reader: it can be told more, and its window goes along with what is announced.
    mutating func listen(_ reader: inout WindowProgress) {
        guard case .retaining(let version) = reader.position else { return }
        if isOfLine(reader) { release(version) }
        reader.position = .at(version)
    }

    /// Nothing is kept for a reader any more.
    mutating func leave(_ reader: inout WindowProgress) {
        listen(&reader)
        reader.position = .ended
        reader.told = nil
    }

    /// Whether what a reader was told last is of the line of versions that is there.
    private func isOfLine(_ reader: WindowProgress) -> Bool { reader.told?.line == line }

    // MARK: Where windows are

    /// Goes on with a reader's window from an older version.
    ///
    /// - Returns: whether it is known where what it follows is; the window stays in its place otherwise.
    private mutating func follow(_ reader: inout WindowProgress) -> Bool {
        guard let version = reader.version, version != announced.version.number else { return true }
        let isKnown = move(&reader.window, from: version)
        listen(&reader)
        reader.position = .at(announced.version.number)
        return isKnown
    }

    private mutating func move(_ window: inout RowWindow?, from version: Int) -> Bool {
        guard let old = window, old.follows else { return true }
        let pin = newRow(of: old.pin, since: version)
        window?.pin = clamped(pin ?? old.pin)
        return pin != nil
    }

    /// Where a reader's window is that it asks for.
    private mutating func located(
        _ window: PublishedWindow,
        for reader: WindowProgress
    ) -> RowWindow {
        var (pin, follows) = (0, false)
        switch window.pin {
        case .place(let row): pin = row
        case .row(let row, let version):
            follows = true
            pin = clamped(self.row(row, at: version, for: reader))
        }
        return RowWindow(pin: pin, before: window.before, count: window.count, follows: follows)
    }

    /// What is followed is something that is there.
    private mutating func clamped(_ row: Int) -> Int {
        min(max(0, announcedRows.numberOfRows - 1), row)
    }

    /// Where a row of some version is now that a reader asks for, as far as that is known.
    private mutating func row(
        _ row: Int,
        at version: PublishedVersion?,
        for reader: WindowProgress
    ) -> Int {
        guard let version, version.handle == handle,
            version.number != announced.version.number
        else { return row }
        if let row = newRow(of: row, since: version.number) { return row }
        // Since it was told of that version nothing happened in its window, which is somewhere else by now.
        guard let told = reader.told, told.line == line, told.version == version.number,
            told.rows.contains(row),
            let window = reader.window
        else { return row }
        return row - told.rows.lowerBound + window.rows(of: announcedRows.numberOfRows).lowerBound
    }

    // MARK: What is told

    private mutating func reset(
        _ reader: inout WindowProgress,
        _ reason: ResetReason
    ) -> HubMessage {
        let rows = rows(of: reader)
        let state = announced.state.part(rows, announcedRows)
        let told = WindowProgress.Told(
            line: line,
            version: announced.version.number,
            rows: rows,
            place: announcedRows.place(of: rows),
            contents: KeptState(state)
        )
        (reader.told, reader.isMoved, reader.isOwedMark) = (told, false, false)
        let snapshot = PublishedSnapshot(
            version: announced.version,
            state: state,
            digest: told.contents.digest.value,
            place: told.place
        )
        return .reset(snapshot, reason)
    }

    /// What a reader is told that is different in its window, or where that is by now; nil where it has all of that.
    private mutating func update(
        for reader: inout WindowProgress,
        mayDiffer: Bool
    ) -> (PublishedUpdate, isSame: Bool)? {
        guard let told = reader.told else { return nil }
        let isBehind = told.version != announced.version.number
        guard mayDiffer || isBehind && (reader.isOwedMark || isClosed) else { return nil }
        let step = WindowStep(
            version: told.version,
            oldRows: told.rows,
            newRows: rows(of: reader)
        )
        let answer = answer(step, told, mayDiffer: mayDiffer)
        // Where its window is matters when it looks at something else, and now and then.
        let isTold = !isBehind && answer.update.place == told.place
        let matters = reader.isMoved || reader.isOwedMark || isClosed
        reader.isMoved = false
        if answer.isSame, isTold || !matters { return nil }
        reader.told = WindowProgress.Told(
            line: line,
            version: announced.version.number,
            rows: step.newRows,
            place: answer.update.place ?? told.place,
            contents: answer.contents
        )
        return (answer.update, answer.isSame)
    }

    private mutating func answer(
        _ step: WindowStep,
        _ told: WindowProgress.Told,
        mayDiffer: Bool
    ) -> WindowAnswer {
        if let known = windowAnswers[step] { return known }
        let old = told.contents.state
        let state = mayDiffer ? announced.state.part(step.newRows, announcedRows) : old
        let isSame = !mayDiffer || state == old
        let changeSet = isSame ? .unchanged(state.shape) : state.changes(from: old)
        let contents = isSame ? told.contents : KeptState(state)
        let update = PublishedUpdate(
            from: PublishedVersion(handle: handle, number: step.version),
            to: announced.version,
            changeSet: changeSet,
            contents: PublishedContents(of: changeSet, in: state),
            digest: contents.digest.value,
            place: announcedRows.place(of: step.newRows)
        )
        let answer = WindowAnswer(update: update, contents: contents, isSame: isSame)
        if windowAnswers.count < Self.windowAnswerLimit { windowAnswers[step] = answer }
        return answer
    }

    private mutating func rows(of reader: WindowProgress) -> Range<Int> {
        reader.window?.rows(of: announcedRows.numberOfRows) ?? 0..<0
    }
}

/// From which rows of which version to which of the announced one: whoever makes it is told the same.
struct WindowStep: Hashable {
    let version: Int
    let oldRows: Range<Int>
    let newRows: Range<Int>
}

/// What a step is told as, what there is in the window then, and whether that is what there was.
struct WindowAnswer {
    let update: PublishedUpdate
    let contents: KeptState
    let isSame: Bool
}
