import PipelineTestSupport
import Testing

@testable import CollectionElements
@testable import CollectionPipeline

/// The ledger of rejections against a list of sections, each with a mark for what was there at the last one.
@Suite("The ledger of rejections")
struct DivergenceLedgerTests {
    private enum Step: CaseIterable {
        case refuse, acceptWithoutAsking, acceptEverything
        case insertSection, deleteFirst, deleteLast, reloadFirst, moveFirstSection
        case moveItemToLast, moveItemToFirst, shiftItems, rescueFromFirst, deleteItem, reloadItem
    }

    private struct Section {
        var isOld = false
        var count: Int
    }

    private struct Books {
        var ledger = DivergenceLedger()
        var map = ElementMap.empty(generation: 0)
        var nextSectionID = 0
        var submissions = 0
        var sections: [Section] = []
        /// What the model says of counts and of content, by the number of the first rejection.
        var counts: Int?
        var content: Int?
        var hasStrays = false
        let surroundings = ElementSurroundings(Traits())

        var expected: Divergence? {
            counts.map { .counts(since: SubmissionID(rawValue: $0)) }
                ?? content.map { .content(since: SubmissionID(rawValue: $0)) }
        }

        mutating func load(_ counts: [Int]) throws {
            sections = counts.map { Section(count: $0) }
            _ = try apply(HierarchyChangeSet([.reloadData()]))
        }

        private func element() -> CollectionElement {
            ProvidedElement(
                model: nil,
                provider: nil,
                terms: ElementTerms(sizeRange: .unconstrained, surroundings: surroundings)
            )
        }

        /// Brings the map to the sections; what was validated.
        private mutating func apply(_ changes: HierarchyChangeSet) throws -> ValidatedChangeSet {
            let update = try changes.validated(
                from: map.shape,
                to: HierarchyShape(sections.map(\.count))
            )
            var change = ElementMapChange()
            for edit in update.sectionInsertions where edit.role != .move {
                let section = CollectionSection(id: nextSectionID, context: nil)
                nextSectionID += 1
                let elements = (0..<edit.freshItemCount).map { _ in element() }
                change.freshSections.append(.init(section: section, elements: elements))
            }
            change.insertedItems = update.itemInsertions.map { $0.role == .move ? nil : element() }
            map = map.applying(update, change, generation: map.generation + 1)
            return update
        }

        mutating func perform(_ step: Step) throws {
            submissions += 1
            switch step {
            case .refuse:
                let id = SubmissionID(rawValue: submissions)
                ledger.rejected(id, map, nextSectionID: nextSectionID)
                counts = counts ?? submissions
                content = sections.isEmpty ? nil : content ?? submissions
                for index in sections.indices { sections[index].isOld = true }
                hasStrays = false
            case .acceptWithoutAsking: ledger.accepted(.nothing)
            case .acceptEverything:
                ledger.accepted(.everything)
                (counts, content, hasStrays) = (nil, nil, false)
                for index in sections.indices { sections[index].isOld = false }
            default:
                var changes = HierarchyChangeSet()
                record(step, &changes)
                let oldMap = map
                let update = try apply(changes)
                ledger.accepted(.edits(update, oldMap: oldMap, newMap: map))
                counts = nil
                let isAnyOld = sections.contains { $0.isOld }
                if !isAnyOld, !hasStrays { content = nil }
            }
        }

        private mutating func record(_ step: Step, _ changes: inout HierarchyChangeSet) {
            let last = sections.count - 1
            if step == .insertSection {
                changes.insertSections([sections.count])
                sections.append(Section(count: 1))
                return
            }
            guard last >= 0 else { return }
            switch step {
            case .deleteFirst:
                changes.deleteSections([0])
                sections.removeFirst()
            case .deleteLast:
                changes.deleteSections([last])
                sections.removeLast()
            case .reloadFirst:
                changes.reloadSections([0])
                sections[0].isOld = false
            case .moveFirstSection:
                changes.moveSection(0, toSection: last)
                sections.append(sections.removeFirst())
            case .moveItemToLast: move(from: 0, to: last, &changes)
            case .moveItemToFirst: move(from: last, to: 0, &changes)
            case .shiftItems:
                // The counts before, since all of them leave before any arrives.
                let sources = (0..<last).filter { sections[$0].count > 0 }
                for section in sources { move(from: section, to: section + 1, &changes) }
            case .rescueFromFirst:
                guard last > 0 else { return }
                if sections[0].count > 0 {
                    changes.moveItem(at: ItemPath(0, 0), to: ItemPath(last - 1, 0))
                    noteMove(from: 0, to: last)
                }
                changes.deleteSections([0])
                sections.removeFirst()
            case .deleteItem where sections[0].count > 0:
                changes.deleteItems(at: [ItemPath(0, 0)])
                sections[0].count -= 1
            case .reloadItem where sections[0].count > 0:
                changes.reloadItems(at: [ItemPath(0, 0)])
            default: break
            }
        }

        private mutating func move(
            from source: Int,
            to target: Int,
            _ changes: inout HierarchyChangeSet
        ) {
            guard source != target, sections[source].count > 0 else { return }
            changes.moveItem(at: ItemPath(source, 0), to: ItemPath(target, 0))
            noteMove(from: source, to: target)
        }

        private mutating func noteMove(from source: Int, to target: Int) {
            sections[source].count -= 1
            sections[target].count += 1
            if sections[source].isOld, !sections[target].isOld { hasStrays = true }
        }

        var difference: String? {
            ledger.current == expected
                ? nil : "\(ledger.current as Any) instead of \(expected as Any)"
        }
    }

    private func start() throws -> Books {
        var books = Books()
        try books.load([2, 1])
        return books
    }

    @Test func afterAnyFewStepsItSaysWhatAListOfSectionsWould() throws {
        func walk(_ books: Books, _ steps: [Step]) throws -> String? {
            guard steps.count < 4 else { return nil }
            for step in Step.allCases {
                var books = books
                try books.perform(step)
                if let difference = books.difference { return "\(steps + [step]): \(difference)" }
                if let fault = try walk(books, steps + [step]) { return fault }
            }
            return nil
        }
        var refused = try start()
        try refused.perform(.refuse)
        #expect(try walk(refused, [.refuse]) == nil)
    }

    @Test(arguments: UInt64(1)...8)
    func afterManyStepsItSaysWhatAListOfSectionsWould(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<10 {
            var (books, steps) = (try start(), [Step]())
            for _ in 0..<25 {
                let step = Step.allCases[random.next(below: Step.allCases.count)]
                steps.append(step)
                try books.perform(step)
                if let difference = books.difference {
                    Issue.record("seed \(seed), \(steps): \(difference)")
                    return
                }
            }
        }
    }

    @Test func beforeAnyRejectionNothingIsInDoubt() throws {
        for step in Step.allCases where step != .refuse {
            var books = try start()
            try books.perform(step)
            #expect(books.ledger.current == nil, "\(step)")
        }
    }
}
