import CollectionReplication

/// What may stand in the names of streams, subjects and keys.
package enum JournalNames {
    /// Checks a namespace: ASCII letters and digits, 1 to 32.
    package static func checkNamespace(_ name: String) throws(JournalSetupError) {
        let allowed = name.utf8.allSatisfy {
            isPlain($0) && $0 != UInt8(ascii: "_") && $0 != UInt8(ascii: "-")
        }
        guard (1...32).contains(name.utf8.count), allowed else {
            throw JournalSetupError(
                .name,
                "A namespace has 1 to 32 letters and digits, and this one is \(name.debugDescription)."
            )
        }
    }

    /// Checks the name of a collection: ASCII letters, digits, hyphen and underscore, 1 to 64.
    package static func checkCollection(_ name: String) throws(JournalSetupError) {
        guard (1...64).contains(name.utf8.count), name.utf8.allSatisfy(isPlain) else {
            throw JournalSetupError(
                .name,
                """
                The name of a collection has 1 to 64 letters, digits, hyphens and underscores, \
                and this one is \(name.debugDescription).
                """
            )
        }
    }

    /// Why this cannot be the name of a snapshot: letters, digits and hyphens, 1 to 100.
    package static func fault(ofSnapshot name: String) -> LogError? {
        let allowed = name.utf8.allSatisfy { isPlain($0) && $0 != UInt8(ascii: "_") }
        if (1...100).contains(name.utf8.count), allowed { return nil }
        return LogError(
            .rejected,
            """
            The name of a snapshot has 1 to 100 letters, digits and hyphens, \
            and this one is \(name.debugDescription).
            """
        )
    }

    /// Why this cannot be the number of a chunk.
    package static func fault(ofChunk index: Int) -> LogError? {
        if index >= 0 { return nil }
        return LogError(.rejected, "Chunks are numbered from 0, and this one is \(index).")
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
