import CollectionChanges
import CollectionPublishing
import CollectionReplication
import PipelineTesting

/// Checks the guarantees of a cluster. It knows every appended record and every state that an
/// application published, and compares what members accept and show.
final class ClusterOracle: @unchecked Sendable {  // one thread
    private unowned let cluster: SimulatedCluster
    /// Every record that a member has appended, by its hash.
    private var records: [StateDigest: LogRecord] = [:]
    private var hashes: [PublishedVersion: StateDigest] = [:]
    /// The states that applications published.
    private var states: [SourceMark: PublishedState] = [:]
    /// The digest and the mark of the shown state at each version.
    private var shown: [PublishedVersion: (digest: StateDigest, mark: SourceMark?)] = [:]
    /// The versions shown by members that show only what the broker has.
    private var confirmed: [PublishedVersion] = []
    private var confirmedSet: Set<PublishedVersion> = []
    private var sources = 0
    /// The members that have opened each epoch.
    private var openers: [UInt64: Set<Int>] = [:]

    init(_ cluster: SimulatedCluster) { self.cluster = cluster }

    private func note(_ guarantee: String, _ message: String) { cluster.note(guarantee, message) }

    func takeSourceNumber() -> Int {
        sources += 1
        return sources
    }

    // MARK: Events

    func published(_ mark: SourceMark, _ state: PublishedState) {
        // A new leader begins with the state that the previous one published.
        if states[mark] == nil { states[mark] = state }
    }

    /// Records that a member appends a record, or tries to.
    func sealed(_ bytes: [UInt8], by member: SimulatedMember) {
        guard let record = try? LogRecord(decoding: bytes, key: member.configuration.key) else {
            return note("Prefix", "member \(member.index) appends what is no record")
        }
        cluster.simulation.annotate("\(member.index): appends \(record.position.text)")
        changes(by: member)
        guard records[record.position.hash] == nil else { return }
        records[record.position.hash] = record
        if record.isOpening { openers[record.position.epoch, default: []].insert(member.index) }
        let version = record.position.published
        if let other = hashes[version], other != record.position.hash {
            note("No Gap No Double", "two records lead to \(version)")
        }
        hashes[version] = record.position.hash
    }

    /// Checks that a member that changes the log has a lease that no other member can have taken.
    func changes(by member: SimulatedMember) {
        let duration = member.configuration.leaseDuration
        let age = member.track.leaseSetAt.map { cluster.simulation.environment.now - $0 }
        if let age, age < duration { return }
        note(
            "One Writer",
            "member \(member.index) changes the log with a lease of \(duration) that was set"
                + (age.map { " \($0) ago" } ?? " never")
        )
    }

    func observe(_ event: ReplicationEvent, of member: SimulatedMember) {
        cluster.simulation.annotate("\(member.index): \(event)")
        switch event {
        case .following, .caughtUp: member.track.isLost = false
        // The member may search for its position.
        case .failed: member.track.isLost = true
        case .recovering(let reason):
            member.track.isLost = true
            cluster.mark("recovering \(reason.rawValue)")
        case .leading: cluster.mark("leading")
        case .resigned(let reason):
            // The member loses records that the log does not have.
            member.track.isLost = true
            cluster.mark("resigned \(reason.rawValue)")
        case .ignoredRecord(let reason): cluster.mark("passed over \(reason.rawValue)")
        case .snapshotTaken: cluster.mark("snapshot")
        case .unpublishable(let message):
            note("No Gap No Double", "member \(member.index) cannot publish: \(message)")
        case .journalFailed(let message):
            cluster.mark("journal failed")
            if !member.isDying, !message.hasPrefix("the last ") {
                note(Self.durable, "the journal of \(member.index) failed: \(message)")
            }
        }
    }

    static let durable = "Durable As Promised"

    // MARK: Checks after each step

    /// Checks a position that a member may have accepted.
    func inspect(_ member: SimulatedMember) {
        guard let position = member.replica?.status.position, position != member.track.position
        else { return }
        defer { member.track.position = position }
        cluster.mark("accepted")
        let place = member.replica?.status.logPosition ?? 0
        cluster.simulation.annotate("\(member.index): at \(position.text), log \(place)")
        guard let old = member.track.position, !member.track.isLost else { return }
        check(position, after: old, of: member)
    }

    /// Checks that the new position follows the previous one, record by record.
    private func check(_ new: ChainPosition, after old: ChainPosition, of member: SimulatedMember) {
        func fail(_ what: String) {
            let way = "from \(old.text) to \(new.text)"
            note("One Writer", "member \(member.index) went \(way): \(what)")
        }
        guard new.handle == old.handle, new.sequence > old.sequence else {
            return fail("that is not further")
        }
        var record = records[new.hash]
        while let current = record {
            let place = current.position
            if place.sequence == old.sequence + 1 {
                if current.previous != old.hash { return fail("it does not follow") }
                check(current, after: old, fail)
                return
            }
            guard let previous = records[current.previous] else { return }
            if place.sequence != previous.position.sequence + 1 { return fail("there is a hole") }
            check(current, after: previous.position, fail)
            record = previous
        }
    }

    private func check(_ record: LogRecord, after old: ChainPosition, _ fail: (String) -> Void) {
        let new = record.position
        if new.epoch < old.epoch { return fail("an epoch comes after a later one") }
        if new.epoch == old.epoch, new.writer != old.writer { return fail("two writers mix") }
        if (new.epoch > old.epoch) != record.isOpening { fail("an epoch is not opened, or twice") }
    }

    // MARK: Shown states

    /// Checks a state that a reader or member is shown at a version.
    func shown(_ replica: CollectionReplica, at version: PublishedVersion, to label: String) {
        if replica.state.digest != replica.digest {
            note("Converges", "the digest of \(label) at \(version) is not that of the state")
        }
        if let known = shown[version] {
            if known.digest != replica.digest {
                note("Prefix", "\(label) is shown another state at \(version) than others")
            }
            return
        }
        if let hash = hashes[version], let record = records[hash], record.digest != replica.digest {
            note("Prefix", "\(label) is shown another state at \(version) than was sealed")
        }
        let mark = check(replica.state, at: version, label)
        shown[version] = (replica.digest, mark)
    }

    /// Checks that a shown state is one that an application published.
    private func check(
        _ state: PublishedState,
        at version: PublishedVersion,
        _ label: String
    ) -> SourceMark? {
        guard let mark = state.mark else {
            if state.numberOfItems > 0 || state.numberOfSections > 0 {
                note("Prefix", "\(label) is shown at \(version) what nobody published")
            }
            return nil
        }
        if states[mark]?.payloads != state.payloads {
            note(
                "Prefix",
                "\(label) is shown \(mark) at \(version) otherwise than it was published"
            )
        }
        return mark
    }

    /// Checks a state that a member shows to its readers.
    func shown(_ replica: CollectionReplica, by member: SimulatedMember, isReset: Bool) {
        guard let version = replica.version else { return }
        let mark = shown[version]?.mark
        cluster.simulation.annotate(
            "\(member.index): shows \(mark.map { "\($0)" } ?? "nothing")\(isReset ? " anew" : "")"
        )
        // A member that shows more than the broker has may show less under another leader.
        let isLasting =
            member.configuration.visibility == .afterBroker && !cluster.brokerHasLost
        if let last = member.track.lastMark, let mark, isLasting, !isReset,
            mark.source == last.source, mark.number < last.number
        {
            note("Prefix", "member \(member.index) shows \(mark) after \(last)")
        }
        member.track.lastMark = mark
        if let owed = member.track.owed, version.number != 0 {
            member.track.owed = nil
            check(owed, mark, of: member)
        }
        switch member.configuration.visibility {
        case .afterBroker:
            if confirmedSet.insert(version).inserted { confirmed.append(version) }
        case .afterLocalSync where member.hasJournal:
            // The state shown at an opening is that of the log.
            let record = hashes[version].flatMap { records[$0] }
            guard let mark, mark.source == member.lastPublished?.source,
                record?.isOpening != true,
                let epoch = member.replica?.status.position?.epoch
            else { break }
            member.track.promise = MemberTrack.Promise(mark: mark, epoch: epoch)
        default: break
        }
    }

    // MARK: Promises

    /// Checks that a version contains a state, as a caller was told.
    func checkPromise(
        of mark: SourceMark,
        at version: PublishedVersion,
        by member: SimulatedMember
    ) {
        guard let found = shown[version] else {
            let what = "\(version), which nobody was shown"
            return note("Prefix", "member \(member.index) promised \(mark) at \(what)")
        }
        // The first state of a source can be the one that another source published last.
        let isThere =
            found.mark?.source == mark.source
            ? found.mark!.number >= mark.number : mark.number <= 1
        if isThere { return }
        let what = found.mark.map { "\($0)" } ?? "nothing"
        note("Prefix", "member \(member.index) promised \(mark) at \(version), which shows \(what)")
    }

    /// After a crash, the member owes the states that its own journal made durable as a leader.
    func died(_ member: SimulatedMember) {
        member.track.owed = member.track.promise
        member.track.promise = nil
    }

    /// After a voluntary resignation the promise no longer applies.
    func left(_ member: SimulatedMember) { member.track.promise = nil }

    private func check(_ owed: MemberTrack.Promise, _ mark: SourceMark?, of member: SimulatedMember)
    {
        let hasOtherLeader = openers.contains { epoch, members in
            epoch > owed.epoch || epoch == owed.epoch && members != [member.index]
        }
        if hasOtherLeader { return }
        cluster.mark("came back")
        // No other member has led, so a later source is its own as well.
        let isThere =
            mark.map { mark in
                mark.source == owed.mark.source
                    ? mark.number >= owed.mark.number : mark.source > owed.mark.source
            } ?? false
        guard isThere else {
            let found = mark.map { "\($0)" } ?? "nothing"
            return note(
                Self.durable,
                "member \(member.index) came back with \(found), and had shown \(owed.mark)"
            )
        }
    }

    /// Checks that states shown after the broker had them are in the final chain, unless the broker
    /// has lost them.
    func checkConfirmed(in end: ChainPosition) {
        var greatest: [Int: Int] = [:]
        // Nothing is known of the chain before a record that purging removed.
        var first = Int.min
        var record = records[end.hash]
        while let current = record {
            first = current.position.sequence > 1 ? current.from : Int.min
            if let mark = shown[current.position.published]?.mark {
                greatest[mark.source] = max(greatest[mark.source] ?? 0, mark.number)
            }
            record = records[current.previous]
        }
        for version in confirmed where version.number > first {
            guard let mark = shown[version]?.mark, mark.number > greatest[mark.source] ?? 0 else {
                continue
            }
            note(Self.durable, "\(version) was shown as the broker's, and is lost")
        }
    }
}

extension ChainPosition {
    /// The version that the position leads to.
    var published: PublishedVersion { PublishedVersion(handle: handle, number: version) }

    fileprivate var text: String { "\(epoch)/\(sequence)" }
}

extension PublishedState {
    /// The mark of the state, from its marked item.
    fileprivate var mark: SourceMark? {
        for section in 0..<numberOfSections {
            for item in items(inSection: section) {
                if let payload = item.payload, let mark = SourceMark(payload) { return mark }
            }
        }
        return nil
    }

    /// All visible payloads, one row per section.
    fileprivate var payloads: [[PublishedPayload?]] {
        (0..<numberOfSections).map { index in
            [section(at: index)?.payload] + items(inSection: index).map(\.payload)
        }
    }
}
