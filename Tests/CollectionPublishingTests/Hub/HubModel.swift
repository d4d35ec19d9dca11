import CollectionPublishing

/// A model of a hub's announcements and of its messages to readers of the whole list, as the guide
/// describes them: versions only, without contents.
struct HubModel {
    struct Reader {
        let joining: PublishedVersion?
        /// The largest number of missed announcements that the reader receives separately.
        let separate: Int
        var room: Int
        var hasJoined = false
        var isPaused = false
        var hasEnded = false
        var owesConfirmation = false
        var version = 0
        var line = 0
        var words: [String] = []

        init(from version: PublishedVersion?, separate: Int, room: Int) {
            (joining, self.separate, self.room) = (version, separate, room)
        }
    }

    let configuration: HubConfiguration
    private(set) var handle: HistoryID
    /// The number of jumps to states that no update leads to.
    private(set) var line = 0
    /// The versions of this line, ascending.
    private(set) var versions = [0]
    private(set) var isClosed = false
    private var announcements = 0
    private var digested: Set<Int> = []
    private var forgotten: Set<Int> = []
    /// The versions from which a composed update to the newest version was made; later readers at
    /// these versions receive the same update.
    private var answered: Set<Int> = []
    var readers: [Int: Reader] = [:]
    /// The versions that window readers hold, with their lines.
    var held: [Int: (version: Int, line: Int)] = [:]

    init(_ configuration: HubConfiguration) {
        self.configuration = configuration
        handle = configuration.handle
    }

    var newest: Int { versions[versions.count - 1] }
    var version: PublishedVersion { PublishedVersion(handle: handle, number: newest) }

    // MARK: Known versions

    private var start: Int { max(0, versions.count - 1 - configuration.resumableUpdateLimit) }

    /// The versions that are older than the limit but held by readers.
    private var retained: [Int] {
        let readers = readers.values.filter { $0.hasJoined && !$0.hasEnded && $0.line == line }
        let held = held.values.filter { $0.line == line }
        let all = Set(readers.map(\.version) + held.map(\.version))
        return versions[..<start].filter { all.contains($0) && !forgotten.contains($0) }
    }

    var knownVersions: Int { versions.count - start + retained.count }

    func knows(_ version: Int) -> Bool {
        versions[start...].contains(version) || retained.contains(version)
    }

    /// Whether the hub knows the current rows of a version's rows; this includes the previous
    /// version even if no reader holds it.
    func knowsRows(of version: Int) -> Bool {
        knows(version) || versions.dropLast().last == version
    }

    // MARK: Events

    mutating func announce(_ version: Int) {
        versions.append(version)
        answered = []
        announcements += 1
        if announcements.isMultiple(of: configuration.digestInterval) { digested.insert(version) }
        forgotten.formUnion(retained.dropLast(configuration.retainedVersionLimit))
        tellEverybody()
    }

    /// Continues from an unrelated state.
    mutating func startLine(at version: PublishedVersion) {
        line += 1
        handle = version.handle
        versions = [version.number]
        (digested, forgotten, answered) = ([], [], [])
        tellEverybody()
    }

    mutating func close() {
        isClosed = true
        tellEverybody()
    }

    mutating func beat() {
        for id in readers.keys where readers[id]!.version == newest && !readers[id]!.isPaused {
            readers[id]!.owesConfirmation = true
            tell(id)
        }
    }

    private mutating func tellEverybody() { for id in readers.keys { tell(id) } }

    mutating func tell(_ id: Int) {
        while let reader = readers[id], !reader.isPaused, !reader.hasEnded, let words = next(id) {
            readers[id]!.words.append(words)
            readers[id]!.room -= 1
            if readers[id]!.room <= 0 { readers[id]!.isPaused = true }
        }
    }

    private mutating func next(_ id: Int) -> String? {
        var reader = readers[id]!
        defer { readers[id] = reader }
        func reset(_ reason: String) -> String {
            (reader.version, reader.line, reader.owesConfirmation) = (newest, line, false)
            return "reset \(newest) \(reason)"
        }
        if !reader.hasJoined {
            reader.hasJoined = true
            guard let wanted = reader.joining else { return reset("joined") }
            if wanted.handle != handle { return reset("otherHistory") }
            if wanted.number < 0 || wanted.number > newest { return reset("unknownVersion") }
            (reader.version, reader.line, reader.owesConfirmation) = (wanted.number, line, true)
        }
        if reader.line != line { return reset("otherHistory") }
        let old = reader.version
        if old == newest {
            if reader.owesConfirmation {
                reader.owesConfirmation = false
                return "upToDate \(newest)"
            }
            reader.hasEnded = isClosed
            return isClosed ? "closed \(newest)" : nil
        }
        let next = versions.firstIndex(of: old).map { $0 + 1 } ?? 0
        let behind = next == 0 ? Int.max : versions.count - next
        reader.owesConfirmation = reader.owesConfirmation || behind > 1
        let single = min(reader.separate, max(1, configuration.recentUpdateLimit))
        let isKnown = knows(old)
        readers[id] = reader
        if behind <= single, knows(versions[next]) {
            reader.version = versions[next]
        } else if behind == 1 || isKnown || answered.contains(old) {
            reader.version = newest
            if behind > 1 { answered.insert(old) }
        } else {
            return reset("forgotten")
        }
        let isDigested = behind > 1 && reader.version == newest || digested.contains(reader.version)
        return "update \(old) \(reader.version)\(isDigested ? " digested" : "")"
    }
}

extension HubMessage {
    var words: String {
        switch self {
        case .reset(let snapshot, let reason): "reset \(snapshot.version.number) \(reason)"
        case .update(let update): "update \(update.from.number) \(update.to.number)"
        case .upToDate(let version, _): "upToDate \(version.number)"
        case .closed(let version): "closed \(version.number)"
        }
    }

    /// The words, followed by "digested" if an update has a digest.
    var fullWords: String {
        guard case .update(let update) = self, update.digest != nil else { return words }
        return words + " digested"
    }
}
