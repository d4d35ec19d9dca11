import CollectionPipeline
import Foundation
import PipelineTestSupport
import Testing

/// What stands with each kind of event about its fields is so.
@Suite("Fields of events", .endsHangs)
struct EventFieldTests {
    /// What a kind's documentation says.
    private struct Fields: Equatable {
        var always: Set<String> = []
        var sometimes: Set<String> = []
    }

    private static let readers: [(name: String, isSet: @Sendable (PipelineEvent) -> Bool)] = [
        ("duration", { $0.duration != nil }),
        ("backlog", { $0.backlog != nil }),
        ("editCount", { $0.editCount != nil }),
        ("elementCount", { $0.elementCount != nil }),
        ("divergence", { $0.divergence != nil }),
        ("wait", { $0.wait != nil }),
        ("disagreement", { $0.disagreement != nil }),
        ("stall", { $0.stall != nil }),
        ("error", { $0.error != nil }),
    ]

    /// By the name of a kind, from its documentation comment.
    private static func documentedFields() throws -> [String: Fields] {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../Sources/CollectionPipeline/Interface")
            .appending(path: "PipelineEvent.Kind.swift")
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        var documented: [String: Fields] = [:]
        var next: Fields?
        for line in lines.map({ $0.trimmingCharacters(in: .whitespaces) }) {
            if line.hasPrefix("/// Fields: ") {
                next = fields(in: String(line.dropFirst(12)))
            } else if line.hasPrefix("public static let ") {
                let name = line.dropFirst(18).prefix { $0 != " " }
                let fields: Fields = try #require(next, "\(name) lists its fields")
                documented[String(name)] = fields
                next = nil
            }
        }
        return documented
    }

    /// Those before a semicolon always, those behind it sometimes.
    private static func fields(in text: String) -> Fields {
        let parts = text.split(separator: ";")
        func names(_ part: Substring?) -> Set<String> {
            let words = part?.split { !$0.isLetter }.map(String.init) ?? []
            return Set(readers.map(\.name)).intersection(words)
        }
        return Fields(
            always: names(parts.first),
            sometimes: names(parts.dropFirst().first)
        )
    }

    private final class Layout: LayoutDelegate {
        func layoutContext(for map: ElementMap) -> any Sendable { map.generation }
        func layout(
            _ map: ElementMap,
            in context: any Sendable,
            measurer: LayoutMeasurer
        ) throws -> any Sendable { throw TestFailure("no layout") }
    }

    /// Something of every kind.
    private func run(_ scene: Scene) async throws {
        scene.nodes.onMake { if $0 == "bad" { throw TestFailure() } }
        let controller = scene.controller
        try await controller.reloadData()
        // The first leaves no doubt about the model.
        await #expect(throws: UpdateError.self) {
            try await scene.onMain { try $0.assumeIsolated().endUpdates(completion: nil) }
        }
        await #expect(throws: UpdateError.self) {
            try await controller.performBatchUpdates { $1.deleteSections([3]) }
        }
        try await controller.performBatchUpdates { $0.append("bad", &$1) }
        try await controller.performBatchUpdates { $1.declareContentCurrent() }
        // Not recorded.
        await scene.onMain { $0.assumeIsolated().dataSource.sections[0].items[0] = "other" }
        try await controller.performBatchUpdates { _, _ in }
        // One waits for a batch, and one that the view refuses for room.
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

    /// One that the view keeps for too long.
    private func stall(_ scene: Scene) async throws {
        try await scene.onMain { try $0.assumeIsolated().reloadData(completion: nil) }
        await scene.events.wait(for: .stalled)
        await scene.onMain { _ in scene.view.catchUp() }
        await scene.events.wait(for: .stallEnded)
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func everyKindHasTheFieldsThatItsDocumentationLists(_ substrate: Substrate) async throws {
        let scenes = [
            Scene(substrate, [["a"]]) { $0.contentCheck = .all },
            Scene(substrate, [["a"]], layoutDelegate: Layout()) { $0.contentCheck = .sample(9) },
        ]
        for scene in scenes { try await run(scene) }
        let last = Scene(substrate, [["a"]], view: RecordingView(.onDemand)) {
            $0.stallTimeout = .milliseconds(20)
        }
        try await stall(last)
        let documented = try Self.documentedFields()
        let events = (scenes + [last]).flatMap(\.events.events)
        #expect(Set(events.map(\.kind.rawValue)) == Set(documented.keys))
        for event in events {
            let fields = try #require(documented[event.kind.rawValue])
            let found = Set(Self.readers.filter { $0.isSet(event) }.map(\.name))
            #expect(found.subtracting(fields.sometimes) == fields.always, "\(event.kind.rawValue)")
        }
        for (name, fields) in documented {
            let ofKind = events.filter { $0.kind.rawValue == name }
            for field in fields.sometimes {
                let reader = try #require(Self.readers.first { $0.name == field })
                let values = Set(ofKind.map(reader.isSet))
                #expect(values == [true, false], "\(name): \(field)")
            }
        }
    }
}
