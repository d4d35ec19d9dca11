extension Member {
    mutating func remember(_ position: ChainPosition) { ancestors.remember(position) }

    /// A snapshot of a chain, with what is known of how it came there.
    func snapshot(of chain: LogChain) -> SnapshotForm {
        var snapshot = chain.snapshot
        snapshot.ancestors = ancestors.filter { $0.epoch < chain.position.epoch }
        return snapshot
    }

    /// Whether a position is one that its chain came through, as far back as is known.
    func isOnWay(_ place: ChainPosition) -> Bool {
        guard let oldest = ancestors.first, place.epoch >= oldest.epoch else { return true }
        return ancestors.contains { $0.has(place) }
    }
}

extension [ChainPosition] {
    /// Of how many leaderships the last record is known.
    private static var limit: Int { 64 }

    /// Keeps the last position of each leadership.
    mutating func remember(_ position: ChainPosition) {
        if let last, last.epoch == position.epoch, last.writer == position.writer {
            self[count - 1] = position
            return
        }
        append(position)
        if count > Self.limit { removeFirst(count - Self.limit) }
    }
}

extension ChainPosition {
    /// Whether a record is this one or lies before it: one leadership seals one record behind the other, so whatever it
    /// sealed earlier does.
    func has(_ other: ChainPosition) -> Bool {
        other.epoch == epoch && other.writer == writer && other.sequence <= sequence
    }
}
