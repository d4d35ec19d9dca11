import TestSupport
import Testing

@testable import CollectionLayouts

/// Every layout beside an obvious one that computes each frame from the beginning: through updates of all
/// kinds, invalidations, other bounds, properties, view's insets and wishes for sizes, several of them pending
/// at once. Compared are all attributes, the content size, what rectangles find, sections, what was asked,
/// errors, contexts, and where views come from and go to.
@Suite("Layouts, compared with ones from scratch")
struct LayoutModelTests {
    enum Kind: CaseIterable, Sendable {
        case flow, list, composed, pager

        func model(_ world: World) -> LayoutModel {
            switch self {
            case .flow: FlowModel(world)
            case .list: ListModel(world)
            case .composed: ComposedModel(world)
            case .pager: PagerModel(world)
            }
        }
    }

    @Test(arguments: Kind.allCases)
    func aLayoutIsAsOneFromScratchWhateverHappens(_ kind: Kind) throws {
        let usual = kind == .pager ? 30 : kind == .list ? 60 : 90
        for seed in 0..<UInt64(Effort.number(3_000, usually: usual)) {
            var run = LayoutRun(seed, kind.model)
            if let fault = try run.go(14) {
                let story = run.story.suffix(12).joined(separator: "\n")
                Issue.record("seed \(seed): \(fault)\n\(story)")
                return
            }
        }
    }
}
