import CollectionElements
import PipelineTestSupport
import Testing

@testable import CollectionReplication
@testable import PipelineTesting

/// Adapters that answer late, never, twice, or before the call returns.
@Suite("Adapters", .endsHangs)
struct AdapterTests {
    private func check(
        _ name: String,
        isQuiet: Bool = true,
        _ twist: @escaping TwistedLog.Twist
    ) {
        for seed in 0..<UInt64(Effort.number(20, usually: 4)) {
            let stage = ReplicaStage(seed: seed)
            var configuration = ReplicationConfiguration()
            configuration.answerTimeout = .milliseconds(300)
            configuration.snapshotInterval = 5
            let members = ["first", "second"].map {
                stage.add($0, configured: configuration) { TwistedLog($0, twist) }
            }
            members[0].lead()
            stage.run(.seconds(20))
            #expect(members[0].replica.status.isLeading, "\(name): \(members[0].events)")
            for _ in 0..<20 {
                members[0].publish()
                stage.run(.milliseconds(200))
            }
            stage.run(.seconds(20))
            #expect(members[1].state.numberOfSections > 0)
            stage.checkConverged("\(name), seed \(seed)", leader: "first", isQuiet: isQuiet)
        }
    }

    @Test func answersThatComeTwice() {
        check("twice") { request, log, answer in
            log.ask(request) { said in
                answer(said)
                answer(said)
            }
        }
    }

    @Test func secondAnswersThatAreOthers() {
        check("another") { request, log, answer in
            log.ask(request) { said in
                answer(said)
                answer(.failed(LogError(.conflict, "no", last: 1 << 40)))
                answer(.failed(LogError(.missing, "no")))
            }
        }
    }

    @Test func answersThatNeverComeNowAndThen() {
        let count = Lock(0)
        check("never", isQuiet: false) { request, log, answer in
            let isLost = count.withLock { count in
                count += 1
                return count.isMultiple(of: 9)
            }
            log.ask(request) { if !isLost { answer($0) } }
        }
    }

    @Test func requestsThatNeverArriveNowAndThen() {
        let count = Lock(0)
        check("lost", isQuiet: false) { request, log, answer in
            let isLost = count.withLock { count in
                count += 1
                return count.isMultiple(of: 7)
            }
            if !isLost { log.ask(request, answer) }
        }
    }

    @Test func answersAfterTheyWereGivenUp() {
        let count = Lock(0)
        check("late", isQuiet: false) { request, log, answer in
            let isLate = count.withLock { count in
                count += 1
                return count.isMultiple(of: 6)
            }
            log.ask(request) { said in
                guard isLate else { return answer(said) }
                log.broker.environment.schedule(after: .seconds(3), on: log.lanes.answers) {
                    answer(said)
                }
            }
        }
    }

    /// Does at the broker what can be done at once, and answers within the call.
    @Test func answersWithinTheCall() {
        check("inline") { request, log, answer in
            let broker = log.broker
            let configuration = broker.configuration
            switch request {
            case .create: answer(LogAnswer(broker.create().map { LogAnswer.done }))
            case .append(let record, let id, let position):
                answer(
                    LogAnswer(
                        broker.perform { contents throws(LogError) in
                            .position(
                                try contents.append(
                                    record,
                                    id: id,
                                    after: position,
                                    configuration
                                )
                            )
                        }
                    )
                )
            case .register(let register):
                answer(LogAnswer(broker.perform { .register($0.read(register)) }))
            case .set(let bytes, let register, let revision):
                answer(
                    LogAnswer(
                        broker.perform { contents throws(LogError) in
                            .revision(try contents.set(bytes, in: register, expecting: revision))
                        }
                    )
                )
            case .chunk(let index, let name):
                answer(LogAnswer(broker.perform { .chunk($0.chunk(at: index, of: name)) }))
            case .read(let position, let limit, _):
                let found = broker.perform { $0.read(from: position, limit: limit) }
                guard case .success(let batch?) = found else { return log.ask(request, answer) }
                answer(.batch(batch))
            case .purge, .put, .removeSnapshots: log.ask(request, answer)
            }
        }
    }
}

extension LogAnswer {
    fileprivate init(_ result: Result<LogAnswer, LogError>) {
        switch result {
        case .success(let answer): self = answer
        case .failure(let error): self = .failed(error)
        }
    }
}
