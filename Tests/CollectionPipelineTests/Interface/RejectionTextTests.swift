import CollectionPipeline
import PipelineTestSupport
import Testing

@Suite("What a rejection says", .endsHangs)
struct RejectionTextTests {
    private func errors(
        _ count: Int,
        of body: (Int) async throws -> Void
    ) async -> [UpdateError] {
        var errors: [UpdateError] = []
        for number in 0..<count {
            do { try await body(number) } catch let error as UpdateError {
                errors.append(error)
            } catch {
                Issue.record("another error: \(error)")
            }
        }
        return errors
    }

    /// One rejection after the other, of every code that there is.
    private func everyRejection(_ scene: Scene) async throws -> [UpdateError] {
        let controller = scene.controller
        try await controller.reloadData()
        let map = controller.pendingMap
        var all = await errors(4) { number in
            switch number {
            case 0: try await scene.onMain { _ = try $0.assumeIsolated().endUpdates() }
            case 1: try await controller.performBatchUpdates { $1.deleteSections([7]) }
            case 2: try await controller.performBatchUpdates { _, _ in throw TestFailure("model") }
            default: try await controller.relayoutAllNodes()
            }
        }
        try await controller.reloadData()
        all += await errors(4) { number in
            switch number {
            case 0: try await controller.relayoutItems(at: [ItemPath(8, 9)])
            case 1:
                let inner = Journal<UpdateError>()
                await scene.withModel { source in
                    source.onCall = { [weak controller, unowned source] _ in
                        source.onCall = nil
                        do throws(UpdateError) {
                            try controller?.assumeIsolated().reloadData(completion: nil)
                        } catch {
                            inner.append(error)
                        }
                    }
                }
                defer { all += inner.values }
                try await controller.performBatchUpdates { _, _ in }
            case 2:
                try await controller.submit(
                    HierarchyChangeSet(),
                    recordedAgainst: map
                ) { _ in }
            default:
                await scene.onMain { _ in scene.view.mode = .onDemand }
                try await scene.onMain { try $0.assumeIsolated().reloadData(completion: nil) }
                try await scene.onMain {
                    _ = try $0.assumeIsolated().performBatchUpdates(completion: nil)
                }
            }
        }
        all += await errors(1) { _ in
            let waiting = Task { try await controller.performBatchUpdates { _, _ in } }
            waiting.cancel()
            _ = try await waiting.value
        }
        controller.close {}
        all += await errors(2) { number in
            if number == 0 {
                try await scene.onMain { _ = try $0.assumeIsolated().reloadData(completion: nil) }
            } else {
                try await controller.reloadData()
            }
        }
        await scene.onMain { _ in scene.view.catchUp() }
        return all
    }

    @Test(arguments: Substrate.allCases)
    func everyErrorCarriesItsSubmissionAndSaysSo(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a"]]) { $0.backlogLimit = 1 }
        let errors = try await everyRejection(scene)
        #expect(
            Set(errors.map(\.code)) == [
                .unbalancedEnd, .invalidUpdate, .updatesThrew, .diverged, .unknownElement,
                .submissionDuringLatch, .dataSourceChangedDuringLatch, .stale, .backlogFull,
                .closed, .cancelled,
            ]
        )
        for error in errors {
            let number = try #require(error.submission, "\(error.code.rawValue)")
            let lines = error.description.split(separator: "\n").map(String.init)
            let code = error.hierarchyError?.code.rawValue ?? error.code.rawValue
            #expect(lines.first == error.summary && error.summary.count < 100)
            #expect(error.hint != nil && lines[1].hasSuffix(error.hint ?? ""))
            #expect(lines.last?.hasPrefix("[\(code)]") == true)
            #expect(lines.contains("Submission: \(number)"))
        }
        let numbers = errors.compactMap(\.submission)
        #expect(Set(numbers).count == numbers.count)
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func messagesHaveTheirValues(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a"]]) { $0.backlogLimit = 1 }
        let errors = try await everyRejection(scene)
        let values: [(UpdateError.Code, [String])] = [
            (.updatesThrew, ["\(TestFailure("model"))"]), (.diverged, ["since submission #"]),
            (.unknownElement, ["8 - 9", "1 section with item counts: [1]"]),
            (.stale, ["generation 1", "2 is the newest"]),
            (.backlogFull, ["1 change sets", "1 is the limit"]), (.closed, ["'collection'"]),
        ]
        for (code, texts) in values {
            let message = errors.first { $0.code == code }?.message ?? ""
            for text in texts { #expect(message.contains(text), "\(message)") }
        }
        let threw = errors.first { $0.code == .updatesThrew }
        #expect(threw?.underlyingError as? TestFailure == TestFailure("model"))
        #expect(
            threw?.divergence?.countsSince == errors.first { $0.code == .invalidUpdate }?.submission
        )
        let invalid = errors.first { $0.code == .invalidUpdate }
        #expect(invalid?.hierarchyError?.dataSourceName == "TextDataSource")
        #expect(invalid?.message == invalid?.hierarchyError?.message)
        #expect(invalid?.divergence?.countsSince == invalid?.submission)
        await scene.close()
    }

    @Test func codesKeepTheirNames() {
        #expect(UpdateError.Code(rawValue: "stale") == .stale)
        #expect(UpdateError.Code.backlogFull.rawValue == "backlogFull")
        #expect(HierarchyUpdateError.Code(rawValue: "itemCount") == .itemCount)
        #expect(PipelineEvent.Kind(rawValue: "accepted") == .accepted)
        #expect(PipelineEvent.Kind.handedOver.rawValue == "handedOver")
    }
}
