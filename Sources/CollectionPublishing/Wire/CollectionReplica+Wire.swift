extension CollectionReplica {
    /// Does what a message says that has travelled, of which nothing is believed.
    ///
    /// Beside what is checked of any message: that it makes sense by itself, with lists in order, numbers that can be and
    /// occur once in it, and moves from places that things are removed from (``ReplicaError/Code/unreadable``); and that
    /// what it leads to stays within the limits. That no item has the number of one that is there already, the digest tells.
    /// Whatever comes in, nothing stops the process, and memory is in proportion to the message and to what there is.
    ///
    /// Complexity: as for any message, and O(k log k + s) for an update of k edits between s sections.
    ///
    /// - Throws: where the message makes no sense or cannot follow on what there is; nothing has changed then.
    public mutating func apply(_ wire: WireMessage) throws(ReplicaError) {
        switch wire.body {
        case .reset(let reset): try take(try reset.snapshot(within: limits))
        case .update(let update): try apply(update)
        case .upToDate(let version, let digest): try apply(.upToDate(version, digest: digest))
        case .closed(let version): try apply(.closed(version))
        }
    }

    private mutating func apply(_ update: WireUpdate) throws(ReplicaError) {
        let moves = try update.checked()
        let place = try update.place?.checked()
        try checkStep(from: update.from, to: update.to, place)
        var next = contents
        if let step = try update.edits(moves, from: state.shape, within: limits) {
            next.go(by: step.changeSet, step.contents)
        }
        if let step = try update.changes(in: next.state, within: limits) {
            next.go(by: step.changeSet, step.contents)
        }
        try take(next, place, at: update.to, expecting: update.digest)
    }
}
