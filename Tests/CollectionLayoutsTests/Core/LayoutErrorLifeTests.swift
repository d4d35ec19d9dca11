import TestSupport
import Testing

@testable import CollectionLayouts

@Suite("How long layouts keep their errors")
struct LayoutErrorLifeTests {
    private let bad = Size(width: -1, height: -1)

    /// Of many mistakes the first are kept, oldest first, and all are counted; what is laid out again without
    /// any has none.
    @Test(arguments: LayoutEngine.allCases)
    func theFirstErrorsSinceEverythingWasLaidOutAreKept(_ engine: LayoutEngine) {
        let host = ScriptedHost([ScriptedSection(items: Array(repeating: bad, count: 200))])
        let layout = host.lay(engine.make())
        let perItem = engine == .composed ? 2 : 1
        #expect(layout.errorCount == 200 * perItem)
        let expected = (0..<64).map { LayoutPlace.cell(ItemPath(section: 0, item: $0 / perItem)) }
        #expect(layout.errors.map(\.place) == expected)
        #expect(layout.errors.allSatisfy { $0.code == .itemSize && $0.description == $0.message })
        // Twice is not more than once.
        layout.invalidateLayout()
        layout.prepare()
        #expect(layout.errorCount == 200 * perItem && layout.errors.count == 64)
        host.sections = [.uniform(3, 10, 10)]
        let context = type(of: layout).invalidationContextClass.init()
        context.invalidatesEverything = true
        layout.invalidateLayout(with: context)
        layout.prepare()
        #expect(layout.errorCount == 0 && layout.errors.isEmpty)
    }

    /// What an update brings is added to what there was.
    @Test(arguments: LayoutEngine.allCases)
    func anUpdateForgetsNoErrors(_ engine: LayoutEngine) throws {
        let host = ScriptedHost([ScriptedSection(items: [bad, Size(width: 9, height: 9)])])
        let layout = host.lay(engine.make())
        let count = layout.errorCount
        var sections = host.sections
        sections[0].items.append(bad)
        try layout.update(host, to: sections) {
            $0.insertItems(at: [ItemPath(section: 0, item: 2)])
        }
        #expect(layout.errorCount == 2 * count)
        #expect(layout.errors.last?.place == .cell(ItemPath(section: 0, item: 2)))
    }

    @Test func aLayoutOfOnesOwnReportsAndForgets() {
        final class Own: CollectionLayout {
            override func prepare() {
                clearErrors()
                for number in 0..<70 {
                    report(LayoutError(.itemSize, message: "number \(number)"))
                }
            }
        }
        let layout = ScriptedHost().lay(Own())
        layout.prepare()
        #expect(layout.errorCount == 70)
        #expect(layout.errors.map(\.message) == (0..<64).map { "number \($0)" })
        layout.clearErrors()
        #expect(layout.errorCount == 0 && layout.errors.isEmpty)
    }

    // MARK: What led to everything being laid out

    @Test func aContextOfAnotherLayoutIsFoundAfterPreparing() {
        let host = ScriptedHost([.uniform(1, 50, 50)])
        let layout = host.lay(FlowLayout())
        layout.invalidateLayout(with: LayoutInvalidationContext())
        layout.prepare()
        #expect(layout.errors.map(\.code) == [.invalidationContext])
        layout.invalidateLayout()
        layout.prepare()
        #expect(layout.errors.isEmpty, "and not for ever")
    }

    @Test(arguments: [true, false])
    func countsThatAreNotThoseOfTheUpdateAreFoundAfterPreparing(_ isSection: Bool) throws {
        let host = ScriptedHost([.uniform(2, 50, 50)])
        let layout = host.lay(FlowLayout())
        var changes = HierarchyChangeSet()
        changes.insertItems(at: [ItemPath(section: 0, item: 0)])
        let update = try changes.validated(from: [2], to: [3])
        host.sections = [.uniform(isSection ? 3 : 9, 50, 50)]
        if isSection { host.sections.append(.uniform(1, 5, 5)) }
        let context = FlowLayoutInvalidationContext()
        context.invalidatesDataSourceCounts = true
        layout.invalidateLayout(with: context)
        layout.prepare(applying: update)
        #expect(layout.errors.map(\.code) == [.updateMismatch])
        let expected =
            isSection
            ? "expected 1 sections after the update, found 2"
            : "expected 3 items in section 0 after the update, found 9"
        #expect(layout.errors.first?.message.hasPrefix(expected) == true)
        #expect(layout.errors.first?.place == nil)
        layout.invalidateLayout()
        layout.prepare()
        #expect(layout.errors.isEmpty)
    }
}
