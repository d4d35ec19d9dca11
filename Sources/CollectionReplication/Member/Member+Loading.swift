import CollectionChanges
import CollectionPublishing

extension Member {
    mutating func load(_ head: LogHead) {
        if isLeading { leave(.overwritten) }
        tellLookedAgain()
        (isFollowing, isCurrent) = (false, false)
        dropPending()
        let snapshot = head.snapshot
        // It would lead here again.
        if chain?.position == snapshot.position { return recover(.gap, isLate: true) }
        guard snapshot.chunks > 0, snapshot.chunks <= snapshot.bytes,
            snapshot.bytes <= configuration.snapshotByteLimit
        else {
            return loadedInVain(head)
        }
        reading = .loading(head, [], next: 0)
        readChunk(0, of: head)
    }

    private mutating func loadedInVain(_ head: LogHead) {
        triedSnapshot = head.snapshot.name
        recover(.damagedSnapshot, isLate: true)
    }

    mutating func readChunk(_ index: Int, of head: LogHead) {
        read(.chunk(index: index, snapshot: head.snapshot.name))
    }

    mutating func take(_ chunk: [UInt8]?, _ head: LogHead, _ bytes: [UInt8], _ index: Int) {
        guard let chunk, !chunk.isEmpty, bytes.count + chunk.count <= head.snapshot.bytes else {
            return loadedInVain(head)
        }
        // Given up before they are added to, or they would be copied.
        reading = .idle
        var bytes = bytes
        bytes += chunk
        if index + 1 < head.snapshot.chunks {
            reading = .loading(head, bytes, next: index + 1)
            return readChunk(index + 1, of: head)
        }
        reading = .decoding(head)
        let ticket = ticket(.reading)
        readingTicket = ticket
        effects.append(.decode(bytes, ticket))
    }

    mutating func decoded(_ snapshot: SnapshotForm?, _ ticket: LogTicket) {
        guard ticket == readingTicket, case .decoding(let head) = reading else { return }
        guard let snapshot, snapshot.position == head.snapshot.position else {
            return loadedInVain(head)
        }
        let chain = LogChain(snapshot, key: configuration.key, limits: configuration.limits)
        self.chain = chain
        ancestors = snapshot.ancestors
        remember(chain.position)
        (aheadSince, stuckSince, fruitlessRecoveries) = (nil, nil, 0)
        jump(to: chain)
        scan(from: head)
    }
}
