import CollectionChanges
import CollectionPublishing
import PipelineTestSupport

@testable import PipelineTesting

/// A source, and what it has said before it published it.
final class SourceScene {
    private(set) var told: [(mark: SourceMark, state: PublishedState)] = []
    private(set) var source: SimulatedSource?

    /// Nothing of it is run: what sources tell, they tell at once.
    private static let simulation = Simulation(seed: 1, strategy: .inOrder)

    init(_ number: Int = 7, from snapshot: PublishedSnapshot, seed: UInt64) {
        source = SimulatedSource(
            number,
            from: snapshot,
            SeededGenerator(seed: seed),
            Self.simulation.environment,
            label: "source"
        ) { [unowned self] mark, state in told.append((mark, state)) }
    }

    /// Changes something, and returns what there is then.
    func change() -> PublishedState {
        source?.change()
        return told.last?.state ?? PublishedState()
    }

    /// Sections of items that show so, with numbers of their own.
    static func snapshot(_ payloads: [[String?]]) -> PublishedSnapshot {
        var number: UInt64 = 100
        func next() -> UInt64 {
            number += 1
            return number
        }
        let sections = payloads.enumerated().map { index, items in
            PublishedContents.FreshSection(
                section: PublishedSection(number: next(), payload: PublishedPayload("s\(index)")),
                items: items.map { text in
                    PublishedItem(number: next(), payload: text.map { PublishedPayload($0) })
                }
            )
        }
        let state = PublishedState(sections, shape: HierarchyShape(payloads.map(\.count)))
        return PublishedSnapshot(
            version: PublishedVersion(handle: HistoryHandle(rawValue: 1), number: 1),
            state: state,
            digest: state.digest
        )
    }

    static let nothing = snapshot([])
}

extension PublishedState {
    var allSections: [PublishedSection] {
        (0..<numberOfSections).compactMap { section(at: $0) }
    }

    var allItems: [PublishedItem] {
        (0..<numberOfSections).flatMap { items(inSection: $0) }
    }

    /// The header of each section, and what its items show.
    var rows: [[String?]] {
        (0..<numberOfSections).map { index in
            let payloads = [section(at: index)?.payload] + items(inSection: index).map(\.payload)
            return payloads.map { $0.map { String(decoding: $0.bytes, as: UTF8.self) } }
        }
    }

    /// The same without what differs in each state.
    var unmarkedRows: [[String?]] {
        rows.map { row in row.map { $0?.first == "#" ? nil : $0 } }
    }

    var marks: [SourceMark] {
        allItems.compactMap { $0.payload.flatMap { SourceMark($0) } }
    }

    /// By its number, in which section an item is and what it shows.
    var places: [UInt64: (section: UInt64, payload: PublishedPayload?)] {
        var places: [UInt64: (section: UInt64, payload: PublishedPayload?)] = [:]
        for index in 0..<numberOfSections {
            for item in items(inSection: index) {
                places[item.number] = (section(at: index)?.number ?? 0, item.payload)
            }
        }
        return places
    }
}
