/// Where a reader is. There may be very many, so it takes 16 bytes.
package struct ReaderProgress: Hashable {
    package enum Position: Hashable {
        /// It has been told nothing yet, and has what was there at a version, or nothing.
        indirect case joining(PublishedVersion?)
        /// It has been told everything up to a version, which is retained for it.
        case at(Int)
        /// It has left, or was told that nothing comes any more.
        case ended
    }

    package internal(set) var position: Position

    /// Whether it is to be told when it has everything.
    var isOwedMark = false

    /// Which line of versions its version is of (``HubLedger/line``).
    var line: UInt16 = 0

    /// How many announcements it may be behind to be told them one by one.
    let individualLimit: Int32

    /// One that is to be told everything, or what has changed since `version`.
    package init(joiningFrom version: PublishedVersion? = nil, policy: ReaderPolicy = .merged) {
        position = .joining(version)
        individualLimit =
            switch policy {
            case .merged: 0
            case .individually(let limit): Int32(clamping: max(0, limit))
            }
    }
}
