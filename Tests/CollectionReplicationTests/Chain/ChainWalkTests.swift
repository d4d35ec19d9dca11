import CollectionChanges
import CollectionPublishing
import PipelineTestSupport
import Testing

@testable import CollectionReplication

/// Compares a chain with a model after every short sequence of valid and invalid records.
@Suite("Chains accept only extensions", .endsHangs)
struct ChainWalkTests {
    enum Input: CaseIterable {
        /// The next update of the same leader.
        case update
        /// The opening of the next epoch.
        case opening
        /// The opening of a much later epoch.
        case lateOpening
        case lastAgain
        case firstAgain
        case staleUpdate
        case staleOpening
        case otherWriter
        case otherPrevious
        case otherAtSamePlace
        case openingOfSameEpoch
        case updateOfLaterEpoch
        case gap
        case gapBeforeOpening
        case fork
        case forkAtSamePlace
        case foreign
        case digestMismatch
        case otherFrom
        case sameVersion
        case endlessVersion
        case noBody
    }

    /// A chain with the accepted records and the expected texts.
    struct Run: MachineRun {
        var chain = Samples.beginning()
        var taken: [LogRecord] = []
        var texts: [String] = []
        var fault: String?

        mutating func take(_ input: Input) -> Bool {
            do {
                guard let (record, verdict) = try made(input) else { return false }
                try check(record, verdict, "\(input)")
            } catch {
                fault = "\(input): \(error)"
            }
            return true
        }

        /// Returns a record with a valid hash and the expected verdict.
        private func made(_ input: Input) throws -> (LogRecord, String)? {
            let place = chain.position
            var update = try changed(try nextUpdate()) { _ in }
            var opening = try changed(opening(epoch: place.epoch + 1)) { _ in }
            let isOpened = place.epoch > 0
            switch input {
            case .update: return isOpened ? (update, "extended") : nil
            case .opening: return (opening, "extended")
            case .lateOpening:
                return (try changed(self.opening(epoch: place.epoch + 7)) { _ in }, "extended")
            case .lastAgain:
                return taken.last.map { ($0, "duplicate") }
            case .firstAgain:
                return taken.first.map {
                    ($0, $0.position.epoch < place.epoch ? "stale" : "duplicate")
                }
            case .staleUpdate where isOpened:
                return (try changed(update) { $0.position.epoch -= 1 }, "stale")
            case .staleOpening where isOpened:
                opening = try changed(opening) { $0.position.epoch -= 2 }
                return (opening, "stale")
            case .otherWriter where isOpened:
                return (try changed(update) { $0.position.writer += 1 }, "rival")
            case .otherPrevious where isOpened:
                return (try changed(update) { $0.previous = Self.noHash }, "rival")
            case .otherAtSamePlace where isOpened:
                return (try changed(update) { $0.position.sequence -= 1 }, "rival")
            case .openingOfSameEpoch where isOpened:
                return (try changed(opening) { $0.position.epoch -= 1 }, "rival")
            case .updateOfLaterEpoch:
                return (try changed(update) { $0.position.epoch += 1 }, "rival")
            case .gap where isOpened:
                return (try changed(update) { $0.position.sequence += 1 }, "gap")
            case .gapBeforeOpening:
                return (try changed(opening) { $0.position.sequence += 1 }, "gap")
            case .fork: return (try changed(opening) { $0.previous = Self.noHash }, "fork")
            case .forkAtSamePlace where isOpened:
                return (try changed(opening) { $0.position.sequence -= 1 }, "fork")
            case .foreign:
                update = try changed(update) { $0.position.handle = HistoryID(rawValue: 1) }
                return (update, "foreign")
            case .digestMismatch:
                return (try changed(opening) { $0.digest = Self.noHash }, "invalid")
            case .otherFrom: return (try changed(opening) { $0.from += 1 }, "invalid")
            case .sameVersion:
                return (try changed(opening) { $0.position.version = place.version }, "invalid")
            case .endlessVersion:
                let version = Int(LogChain.greatestNumber) + 1
                return (try changed(opening) { $0.position.version = version }, "invalid")
            case .noBody where isOpened:
                return (try changed(update) { $0.body = .update([]) }, "invalid")
            default: return nil
            }
        }

        private static let noHash = StateDigest(low: 1, high: 1)

        /// Seals an update that inserts a text at the beginning, and a section for it if there is
        /// none.
        private func nextUpdate() throws -> LogRecord {
            let next = Samples.state([["text \(chain.position.sequence)"] + texts])
            let record = try chain.sealed(next, version: chain.position.version + 1)
            return try LogRecord(decoding: record.bytes, key: .usual)
        }

        private func opening(epoch: UInt64) throws -> LogRecord {
            let record = try chain.opening(epoch: epoch, writer: epoch * 3, jump: 10)
            return try LogRecord(decoding: record.bytes, key: .usual)
        }

        /// Returns a changed record with a valid hash.
        private func changed(
            _ record: LogRecord,
            _ change: (inout LogRecord) -> Void
        ) throws -> LogRecord {
            var record = record
            change(&record)
            return try LogRecord(decoding: record.seal(key: .usual), key: .usual)
        }

        private mutating func check(
            _ record: LogRecord,
            _ expected: String,
            _ name: String
        ) throws {
            let before = chain
            let verdict = chain.take(record)
            if verdict.name != expected {
                fault = "\(name) is \(verdict), expected \(expected)"
            }
            guard expected == "extended" else {
                if chain.position != before.position || chain.numbers != before.numbers
                    || chain.contents.state != before.contents.state
                    || chain.contents.value != before.contents.value
                {
                    fault = "\(name) changed the chain"
                }
                return
            }
            taken.append(record)
            if record.body != .opening { texts.insert("text \(before.position.sequence)", at: 0) }
            if case .extended(let update) = verdict,
                update.from != before.version || update.to != chain.version
                    || update.to.number != record.position.version
            {
                fault = "\(name) leads from \(update.from) to \(update.to)"
            }
            if chain.position != record.position { fault = "\(name) leads to \(chain.position)" }
            if chain.contents.state.texts.flatMap({ $0 }) != texts {
                fault = "\(name) leads to \(chain.contents.state.texts)"
            }
            if chain.contents.value != StateWithDigest(chain.contents.state).value {
                fault = "the digest is not maintained"
            }
        }
    }

    @Test func shortSequencesOfRecordsMatchTheModel() {
        let (fault, count) = walk(Run(), length: Effort.number(4, usually: 3))
        #expect(fault == nil)
        #expect(count > 1_000)
    }
}

extension LogChain.Verdict {
    var name: String {
        switch self {
        case .extended: "extended"
        case .duplicate: "duplicate"
        case .stale: "stale"
        case .rival: "rival"
        case .foreign: "foreign"
        case .gap: "gap"
        case .fork: "fork"
        case .invalid: "invalid"
        }
    }
}
