import CollectionElements
import Foundation
import PipelineTestSupport
import Testing

@testable import CollectionPipeline

@Suite("Events", .endsHangs)
struct EventTests {
    private static let life = [
        "recordingStarted", "recordingFinished", "accepted", "measuringStarted",
        "measuringFinished", "handingOverStarted", "handedOver", "deployingStarted", "deployed",
        "completed",
    ]

    /// An event is delivered after the step that it names.
    @Test(arguments: Substrate.allCases)
    func eventsFollowWhatTheyName(_ substrate: Substrate) async throws {
        final class Noting: PipelineObserver {
            let journal: Journal<String>
            init(_ journal: Journal<String>) { self.journal = journal }
            func observe(_ event: PipelineEvent) { journal.append(event.kind.rawValue) }
        }
        let (journal, stage, nodes) = (Journal<String>(), substrate.makeStage(), NodeBook())
        nodes.onMeasure { _, _ in
            journal.append("measure")
            return nil
        }
        let view = RecordingView(.onDemand)
        let source = TextDataSource([["a"]], nodes: nodes)
        let controller = stage.makeController(source, view: view, observer: Noting(journal))
        try await onMain(controller) { controller in
            view.onApply = { [weak controller] _ in
                journal.append("apply \(controller?.visibleMap.generation ?? -1)")
            }
            let list = controller.assumeIsolated()
            try list.performBatchUpdates(
                { _, _ in
                    try list.performBatchUpdates(completion: { _ in journal.append("inner") })
                },
                completion: { _ in journal.append("completion") }
            )
        }
        await view.received.values(count: 1)
        await onMain(controller) { _ in view.catchUp() }
        await controller.close()
        let middle = ["apply 1", "deployed", "inner", "completion", "completed"]
        let expected =
            Self.life.prefix(4) + ["measure"] + Self.life[4..<8] + middle + ["closing", "closed"]
        #expect(journal.values == Array(expected))
    }

    @Test(arguments: [true, false])
    func onlyObserversCauseClockReadsForDurations(
        _ hasObserver: Bool
    ) async throws {
        let recorder = EventRecorder()
        let base = DispatchEnvironment(workerCount: 1)
        let environment = RecordingEnvironment(SteppedEnvironment(base, step: .nanoseconds(1)))
        let controller = DataController(
            dataSource: TextDataSource([["a"]]),
            configuration: .unwatched,
            environment: environment,
            observer: hasObserver ? recorder : nil
        )
        try await controller.reloadData()
        try await controller.performBatchUpdates { $0.append("b", &$1) }
        await #expect(throws: UpdateError.self) {
            try await controller.performBatchUpdates { $1.deleteSections([3]) }
        }
        await controller.close()
        #expect((environment.clockReads.count == 0) == !hasObserver)
        #expect(environment.lanes.values == ["collection.editing"])
        // The clock is read at the start, at the end, and for the events in between.
        let looks = Duration.nanoseconds(1)..<Duration.nanoseconds(40)
        let kinds: [PipelineEvent.Kind] = [.accepted, .measuringFinished, .handedOver, .deployed]
        for kind in kinds where hasObserver {
            let durations = recorder.events(kind).map { $0.duration ?? .zero }
            #expect(durations.count == 2 && durations.allSatisfy { looks.contains($0) }, "\(kind)")
        }
    }
}

/// The fields of each kind of event match its documentation.
@Suite("Fields of events", .endsHangs)
struct EventFieldTests {
    private struct Fields: Equatable {
        var always: Set<String> = []
        var sometimes: Set<String> = []
    }

    private static let readers: [(name: String, isSet: @Sendable (PipelineEvent) -> Bool)] = [
        ("duration", { $0.duration != nil }), ("backlog", { $0.backlog != nil }),
        ("editCount", { $0.editCount != nil }), ("elementCount", { $0.elementCount != nil }),
        ("divergence", { $0.divergence != nil }), ("wait", { $0.wait != nil }),
        ("contentMismatch", { $0.contentMismatch != nil }), ("stall", { $0.stall != nil }),
        ("error", { $0.error != nil }),
    ]

    /// Returns the fields in the documentation comment of each kind: those before the semicolon are
    /// always set, those after it sometimes.
    private static func documentedFields() throws -> [String: Fields] {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../Sources/CollectionPipeline/Interface")
            .appending(path: "PipelineEvent.swift")
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        var documented: [String: Fields] = [:]
        var next: Fields?
        for line in lines.map({ $0.trimmingCharacters(in: .whitespaces) }) {
            if line.hasPrefix("/// Fields: ") {
                let parts = line.dropFirst(12).split(separator: ";").map { part in
                    let words = part.split { !$0.isLetter }.map(String.init)
                    return Set(readers.map(\.name)).intersection(words)
                }
                next = Fields(always: parts[0], sometimes: parts.dropFirst().first ?? [])
            } else if line.hasPrefix("public static let ") {
                let name = String(line.dropFirst(18).prefix { $0 != " " })
                let fields: Fields = try #require(next, "\(name) lists its fields")
                documented[name] = fields
                next = nil
            }
        }
        return documented
    }

    /// Causes nearly all kinds of events.
    private func run(_ scene: Scene) async throws {
        scene.nodes.onMake { if $0 == "bad" { throw TestFailure() } }
        let controller = scene.controller
        try await controller.reloadData()
        // The first rejection causes no divergence.
        await #expect(throws: UpdateError.self) {
            try await scene.onMain { try $0.assumeIsolated().endUpdates(completion: nil) }
        }
        await #expect(throws: UpdateError.self) {
            try await controller.performBatchUpdates { $1.deleteSections([3]) }
        }
        try await controller.performBatchUpdates { $0.append("bad", &$1) }
        try await controller.performBatchUpdates { $1.declareContentCurrent() }
        // This change is not recorded.
        await scene.withModel { $0.sections[0].items[0] = "other" }
        try await controller.performBatchUpdates { _, _ in }
        // One submission waits for a batch; the next one, which the view refuses, waits for
        // capacity.
        try await scene.onMain { try $0.assumeIsolated().beginUpdates() }
        controller.enqueueBatchUpdates({ $0.append("b", &$1) }, completion: scene.completion("b"))
        await scene.events.wait(for: .suspended)
        try await scene.onMain { try $0.assumeIsolated().endUpdates(completion: nil) }
        await scene.outcomes.values(count: 1)
        await scene.onMain { _ in
            scene.view.onApply = { if !$0.changeSet.isReloadData { throw TestFailure() } }
        }
        try await controller.performBatchUpdates { $0.append("c", &$1) }
        await scene.close()
    }

    /// Causes a stall: the view keeps an update for too long.
    private func stall(_ scene: Scene) async throws {
        try await scene.onMain { try $0.assumeIsolated().reloadData(completion: nil) }
        await scene.events.wait(for: .stalled)
        await scene.onMain { _ in scene.view.catchUp() }
        await scene.events.wait(for: .stallEnded)
        await scene.close()
    }

    @Test func everyKindHasItsDocumentedFields() async throws {
        let layout = ScriptedLayout { _, _, _ in throw TestFailure("no layout") }
        let scenes = [
            Scene(.dispatch, [["a"]]) { $0.contentCheck = .all },
            Scene(.dispatch, [["a"]], layoutDelegate: layout) { $0.contentCheck = .sample(9) },
        ]
        for scene in scenes { try await run(scene) }
        let last = Scene(.dispatch, [["a"]], view: RecordingView(.onDemand)) {
            $0.stallTimeout = .milliseconds(20)
        }
        try await stall(last)
        let lost = EventRecorder()
        let source = TextDataSource([["a"]])
        let gone = DataController(dataSource: source, view: RecordingView(), observer: lost)
        try await gone.reloadData()
        await gone.close()
        let documented = try Self.documentedFields()
        let events = (scenes + [last]).flatMap(\.events.events) + lost.events
        #expect(Set(events.map(\.kind.rawValue)) == Set(documented.keys))
        var faults: Set<String> = []
        for (name, fields) in documented {
            let ofKind = events.filter { $0.kind.rawValue == name }
            for reader in Self.readers {
                let values = Set(ofKind.map(reader.isSet))
                let expected: Set<Bool> =
                    fields.sometimes.contains(reader.name)
                    ? [true, false] : [fields.always.contains(reader.name)]
                if values != expected { faults.insert("\(name): \(reader.name)") }
            }
        }
        #expect(faults == [])
    }
}
