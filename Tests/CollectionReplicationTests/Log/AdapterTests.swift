import CollectionElements
import PipelineTestSupport
import Testing

@testable import CollectionReplication

/// Adapters that respond twice, or before the call returns.
@Suite("Adapters", .endsHangs)
struct AdapterTests {
    private func check(_ name: String, _ twist: @escaping TwistedLog.Twist) {
        for seed in 0..<UInt64(Effort.number(20, usually: 4)) {
            let stage = ReplicaStage(seed: seed)
            var configuration = ReplicationConfiguration()
            configuration.answerTimeout = .milliseconds(300)
            configuration.snapshotInterval = 5
            let members = ["first", "second"].map {
                stage.add($0, configured: configuration, over: { TwistedLog($0, twist) })
            }
            members[0].campaign()
            stage.run(.seconds(20))
            #expect(members[0].replica.status.isLeading, "\(name): \(members[0].events)")
            for _ in 0..<20 {
                members[0].publish()
                stage.run(.milliseconds(200))
            }
            stage.run(.seconds(20))
            #expect(members[1].state.numberOfSections > 0)
            stage.checkConverged("\(name), seed \(seed)", leader: "first")
        }
    }

    @Test func secondResponsesAreIgnored() {
        check("another") { request, log, answer in
            log.ask(request) { response in
                answer(response)
                answer(.failed(LogError(.conflict, "no", last: 1 << 40)))
                answer(.failed(LogError(.missing, "no")))
            }
        }
    }

    /// Performs the request at the broker immediately if possible, and responds within the call.
    @Test func responsesWithinTheCallAreTolerated() {
        check("inline") { request, log, answer in
            let broker = log.broker
            if case .create = request {
                if case .success = broker.create() { return answer(.done) }
                return log.ask(request, answer)
            }
            let response = broker.perform { contents throws(LogError) -> LogAnswer? in
                switch request {
                case .append(let record, let id, let position):
                    let configuration = broker.configuration
                    return .position(
                        try contents.append(record, id: id, after: position, configuration)
                    )
                case .register(let register): return .register(contents.read(register))
                case .set(let bytes, let register, let revision):
                    return .revision(try contents.set(bytes, in: register, expecting: revision))
                case .chunk(let index, let name):
                    return .chunk(contents.chunk(at: index, of: name))
                case .read(let position, let limit, _):
                    return contents.read(from: position, limit: limit).map { .batch($0) }
                case .create, .purge, .put, .removeSnapshots: return nil
                }
            }
            switch response {
            case .success(let response?): answer(response)
            case .success(nil): log.ask(request, answer)
            case .failure(let error): answer(.failed(error))
            }
        }
    }
}
