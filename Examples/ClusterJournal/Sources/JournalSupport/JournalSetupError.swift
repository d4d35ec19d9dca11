import CollectionReplication

/// A fault of the options of a connection, or of the name of a log, that is found before any broker is asked.
public struct JournalSetupError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The name of the fault.
    public let code: Code

    /// A sentence about the fault, with its values.
    public let description: String

    package init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }
}

extension JournalSetupError {
    /// The name of a fault. Later releases may add codes, so a `switch` over them needs a default.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The name, stable over releases.
        public let rawValue: String

        /// Makes a code from its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        private init(_ name: String) { rawValue = name }

        /// A name of a collection or a namespace that a broker's names cannot hold.
        public static let name = Code("name")
        /// An option that the client library of the broker does not take, such as a file that cannot be read.
        public static let option = Code("option")
    }
}

/// The rules for names of streams, subjects and keys.
package enum JournalNames {
    package static func checkNamespace(_ name: String) throws(JournalSetupError) {
        if isPlain(name, upTo: 32) { return }
        throw JournalSetupError(
            .name,
            "A namespace has 1 to 32 letters and digits, and this one is \(name.debugDescription)."
        )
    }

    package static func checkCollection(_ name: String) throws(JournalSetupError) {
        if isPlain(name, upTo: 64, or: "-_") { return }
        throw JournalSetupError(
            .name,
            """
            The name of a collection has 1 to 64 letters, digits, hyphens and underscores, \
            and this one is \(name.debugDescription).
            """
        )
    }

    /// Returns why a chunk cannot have this number, or the snapshot this name.
    package static func fault(ofChunk index: Int, of snapshot: String) -> LogError? {
        if !isPlain(snapshot, upTo: 100, or: "-") {
            return LogError(
                .rejected,
                """
                The name of a snapshot has 1 to 100 letters, digits and hyphens, \
                and this one is \(snapshot.debugDescription).
                """
            )
        }
        if index >= 0 { return nil }
        return LogError(.rejected, "Chunks are numbered from 0, and this one is \(index).")
    }

    private static func isPlain(
        _ name: String,
        upTo length: Int,
        or others: StaticString = ""
    ) -> Bool {
        (1...length).contains(name.utf8.count)
            && name.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                default: others.withUTF8Buffer { $0.contains(byte) }
                }
            }
    }
}
