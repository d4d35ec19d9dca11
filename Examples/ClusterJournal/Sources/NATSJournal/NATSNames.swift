import CollectionReplication

/// The streams and subjects of a collection.
struct NATSNames: Hashable, Sendable {
    /// The stream of records, whose numbers are the positions.
    let logStream: String
    /// The stream of what is kept beside: one message a subject.
    let keptStream: String
    /// The subject of records.
    let log: String
    /// How the subjects of chunks begin.
    let snapshots: String
    private let prefix: String

    init(_ collection: String, _ options: NATSOptions) {
        // A namespace has no underscore and the ends differ, so that no two collections make the same name.
        let stream = "\(options.namespace)_\(collection)"
        logStream = stream + "_log"
        keptStream = stream + "_kept"
        prefix = "\(options.namespace).\(collection)."
        log = prefix + "log"
        snapshots = prefix + "snap."
    }

    func chunk(_ index: Int, of snapshot: String) -> String { "\(snapshots)\(snapshot).\(index)" }

    func register(_ register: LogRegister) -> String { prefix + register.rawValue }

    /// The subjects of the second stream.
    var kept: [String] { LogRegister.allCases.map(self.register) + [snapshots + ">"] }
}
