// Reading a storage that may hold anything.

extension JournalStorage {
    /// The whole record at `offset`, and where the next one begins; nil where there is none.
    package func frame(
        at offset: Int,
        before end: Int
    ) throws(JournalError) -> (frame: JournalFrame, end: Int)? {
        let bodyStart = offset + JournalFrame.headLength
        guard bodyStart <= end else { return nil }
        let bytes = try read(offset..<bodyStart)
        guard let head = JournalFrame.Head(bytes[...], at: offset),
            head.bodyLength <= end - bodyStart
        else { return nil }
        let bodyEnd = bodyStart + head.bodyLength
        let body = try read(bodyStart..<bodyEnd)
        return JournalFrame(head, body: body).map { ($0, bodyEnd) }
    }

    /// The last record that anything after `offset` says was durable; nil where no whole record follows.
    ///
    /// Complexity: O(n) for n bytes, and the bodies of at most a thousand records that turn out not to be
    /// whole, which only an adversary could add.
    func durableSequence(saidAfter offset: Int, before end: Int) throws(JournalError) -> UInt64? {
        var durable: UInt64?
        var position = offset + 1
        var attempts = 0
        while attempts < 1_000, let found = try marker(from: position, before: end) {
            if let (frame, next) = try frame(at: found, before: end) {
                durable = max(durable ?? 0, frame.durable)
                position = next
            } else {
                attempts += 1
                position = found + 1
            }
        }
        return durable
    }

    /// The first place from `start` on where a head with a right checksum lies.
    private func marker(from start: Int, before end: Int) throws(JournalError) -> Int? {
        let length = JournalFrame.headLength
        var chunkStart = start
        while end - chunkStart >= length {
            let chunk = try read(chunkStart..<min(end, chunkStart + 65_536))
            // The chunks overlap by a head.
            for index in 0...(chunk.count - length) where chunk[index] == JournalFrame.marker[0] {
                let bytes = chunk[index..<(index + length)]
                if JournalFrame.Head(bytes, at: chunkStart + index) != nil {
                    return chunkStart + index
                }
            }
            chunkStart += chunk.count - length + 1
        }
        return nil
    }
}
