import CollectionChanges
import PipelineTestSupport
import PipelineTesting
import Testing

@testable import CollectionPublishing
@testable import CollectionReplication

/// A member as a value with a broker that gives arbitrary responses: "the broker is untrusted".
@Suite("A broker that lies", .endsHangs)
struct HostileBrokerTests {
    /// An effect that expects a response.
    enum Open {
        case ask(LogTicket, LogRequest)
        case wait(LogTicket)
        case encode(EncodableSnapshot, LogTicket)
        case decode([UInt8], LogTicket)
        case journal(UInt64)
    }

    /// Draws the responses of a broker that has the key or copies of valid records.
    struct Liar {
        var random: SeededGenerator
        var records: [[UInt8]] = []
        var registers: [[UInt8]] = []
        var snapshots: [[UInt8]] = []

        init(seed: UInt64) { random = SeededGenerator(seed: seed) }

        mutating func number() -> UInt64 {
            switch random.next(below: 8) {
            case 0: 0
            case 1: .max
            case 2: .max - 1
            case 3: UInt64(Int.max)
            case 4: 1 << 53
            default: UInt64(random.next(below: 12))
            }
        }

        mutating func bytes(of known: [[UInt8]]) -> [UInt8] {
            if known.isEmpty || random.chance(0.1) {
                return (0..<random.next(below: 60)).map { _ in
                    UInt8(truncatingIfNeeded: random.next())
                }
            }
            return known[random.next(below: known.count)]
        }

        mutating func position() -> ChainPosition {
            ChainPosition(
                handle: Samples.handle,
                epoch: number(),
                writer: number(),
                sequence: number(),
                version: Int(clamping: number()),
                hash: StateDigest(low: 1, high: 1)
            )
        }

        /// Returns a validly signed head with random contents.
        mutating func head() -> [UInt8] {
            var head = Samples.head
            head.snapshot.position = position()
            head.snapshot.chunks = Int(clamping: number())
            head.snapshot.bytes = Int(clamping: number())
            head.snapshot.logPosition = number()
            if random.chance(0.5) { head.previous = nil }
            head.previous?.logPosition = number()
            // A readable snapshot with this position.
            let form = EncodableSnapshot(
                position: head.snapshot.position,
                numbers: LastNumbers(item: 3, section: 2),
                state: Samples.snapshot.state
            )
            if random.chance(0.7) {
                let bytes = form.encoded(key: .usual)
                snapshots.append(bytes)
                (head.snapshot.chunks, head.snapshot.bytes) = (1, bytes.count)
            }
            return head.encoded(key: .usual)
        }

        mutating func answer(_ request: LogRequest) -> LogAnswer {
            if random.chance(0.15) { return failure() }
            if random.chance(0.02) { return .done }
            switch request {
            case .create, .purge, .put, .removeSnapshots: return .done
            case .append(let bytes, _, _):
                records.append(bytes)
                return .position(number())
            case .read(let from, let limit, _):
                let count = random.next(below: min(5, limit.records) + 1)
                let start = random.chance(0.5) ? from : number()
                return .batch(
                    LogBatch(
                        start: start,
                        records: (0..<count).map { _ in bytes(of: records) },
                        first: random.chance(0.5) ? 1 : number(),
                        last: random.chance(0.5) ? start &+ UInt64(count) : number()
                    )
                )
            case .chunk: return .chunk(random.chance(0.1) ? nil : snapshots.last ?? [])
            case .register(.head) where random.chance(0.5): return .register(value(head()))
            case .register:
                return .register(random.chance(0.2) ? nil : value(bytes(of: registers)))
            case .set(let bytes, _, _):
                registers.append(bytes)
                return .revision(number())
            }
        }

        private mutating func value(_ bytes: [UInt8]) -> LogRegisterValue {
            LogRegisterValue(bytes: bytes, revision: number())
        }

        private mutating func failure() -> LogAnswer {
            let codes: [LogError.Code] = [
                .conflict, .missing, .unavailable, .unanswered, .rejected, .init(rawValue: "new"),
            ]
            let last = random.chance(0.5) ? number() : nil
            return .failed(LogError(codes[random.next(below: 6)], "as it likes", last: last))
        }
    }

    @Test(arguments: 0..<Effort.number(4_000, usually: 60))
    func noBrokerResponseStopsAMember(_ seed: Int) throws {
        var liar = Liar(seed: UInt64(seed))
        var configuration = ReplicationConfiguration()
        configuration.snapshotInterval = 2
        configuration.visibility =
            [.immediately, .afterLocalSync, .afterBroker][seed % 3]
        if seed.isMultiple(of: 4) { configuration.pendingRecordLimit = 3 }
        var member = Member(configuration, hasJournal: seed % 2 == 0, seed: UInt64(seed))
        if seed.isMultiple(of: 5) {
            let chain = try Samples.opened()
            member.restore(chain, [chain.position])
        }
        var open: [Open] = []
        var now = Duration.zero
        var ledger = HubLedger(HubConfiguration())
        var reader = ReaderProgress()
        var replica = CollectionReplica()
        var number = 0
        func take(_ effects: [Member.Effect]) {
            for effect in effects {
                switch effect {
                case .ask(let ticket, let request): open.append(.ask(ticket, request))
                case .wait(let ticket, _): open.append(.wait(ticket))
                case .encode(let form, let ticket): open.append(.encode(form, ticket))
                case .decode(let bytes, let ticket): open.append(.decode(bytes, ticket))
                case .journal(let record): open.append(.journal(record.sequence))
                case .rebaseJournal(let form): open.append(.journal(form.position.sequence))
                case .show(let update, let contents):
                    ledger.publish(update, leadingTo: contents)
                    ledger.announce()
                case .jump(let contents, let version):
                    ledger.jump(to: contents, at: version)
                    ledger.announce()
                case .began, .ended, .resumeSource, .notify, .shown: break
                }
            }
        }
        take(member.handle(.begin, at: now))
        take(member.handle(.campaign, at: now))
        for _ in 0..<400 {
            now += .milliseconds(liar.random.next(below: 900))
            if member.isLeading, liar.random.chance(0.3) {
                number += 1
                let state = Samples.state([["\(number)"]])
                take(member.handle(.published(.everything(state, number: number)), at: now))
            }
            if liar.random.chance(0.02) {
                take(member.handle(liar.random.chance(0.5) ? .resign : .campaign, at: now))
            }
            if liar.random.chance(0.5), let message = ledger.next(for: &reader) {
                #expect(throws: Never.self) { try replica.apply(message) }
            }
            guard !open.isEmpty else { continue }
            // Some effects get responses out of order, some twice, and some never.
            let index = liar.random.chance(0.7) ? 0 : liar.random.next(below: open.count)
            let next = open[index]
            if !liar.random.chance(0.05) { open.remove(at: index) }
            switch next {
            case .ask(let ticket, let request):
                take(member.handle(.answered(ticket, liar.answer(request)), at: now))
            case .wait(let ticket): take(member.handle(.elapsed(ticket), at: now))
            case .encode(let form, let ticket):
                let bytes = form.encoded(key: .usual)
                liar.snapshots.append(bytes)
                take(member.handle(.encoded(bytes, ticket), at: now))
            case .decode(let bytes, let ticket):
                let form = try? EncodableSnapshot(
                    decoding: bytes,
                    key: .usual,
                    limits: ShapeLimits()
                )
                take(member.handle(.decoded(form, ticket), at: now))
            case .journal(let sequence):
                take(member.handle(.journaled(through: sequence), at: now))
            }
            #expect(open.count < 1_000)
        }
        // The member is not stuck: it still waits for something.
        #expect(!open.isEmpty)
    }
}
