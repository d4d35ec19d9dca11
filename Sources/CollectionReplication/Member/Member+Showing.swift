import CollectionChanges
import CollectionPublishing

extension Member {
    /// Shows what a record changed, or where readers have something else what it led to.
    mutating func show(_ update: PublishedUpdate, _ chain: LogChain, after previous: ChainPosition?)
    {
        guard shown == previous, shown != nil else { return jump(to: chain) }
        shown = chain.position
        effects.append(.show(update, chain.contents))
    }

    mutating func jump(to chain: LogChain) {
        if shown == chain.position { return }
        shown = chain.position
        effects.append(.jump(chain.contents, chain.version))
    }

    /// Shows what was sealed and may be shown by now.
    mutating func showPending() {
        while let next = unshown.first, mayShow(next) {
            _ = unshown.popFirst()
            show(next.update, next.chain, after: shown)
            if let number = next.number {
                effects.append(.shown(source: number, next.chain.version))
            }
        }
    }

    private func mayShow(_ record: PendingRecord) -> Bool {
        switch configuration.visibility {
        case .immediately: true
        case .afterLocalSync:
            !hasJournal || record.sequence <= journaledThrough
        case .afterBroker:
            record.sequence <= chain?.position.sequence ?? 0
        }
    }
}
