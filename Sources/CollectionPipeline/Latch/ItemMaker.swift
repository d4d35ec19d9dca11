import CollectionElements

/// Makes the elements of new items from what the data source gives: a model and a provider for each, or
/// models by the range. Main lane.
protocol ItemMaker {
    /// Whether the elements have nodes, which step 3 then makes.
    var makesNodes: Bool { get }

    /// Appends the elements of the items of a section at `items`, asking the data source for them.
    func make(
        _ items: Range<Int>,
        inSection section: Int,
        _ ranges: SizeRangeRule,
        into elements: inout [CollectionElement]
    ) throws(UpdateError)
}

/// Which sizes elements may take.
struct SizeRangeRule {
    /// A layout delegate chooses sizes itself.
    let isUnconstrained: Bool
    /// For elements without a range of their own.
    let viewRange: SizeRange

    func range(_ own: @autoclosure () -> SizeRange?) -> SizeRange {
        isUnconstrained ? .unconstrained : own() ?? viewRange
    }

    /// What elements are measured for that it is the rule for; nil where a layout delegate decides.
    var offer: RelayoutLedger.Offer? { isUnconstrained ? nil : .range(viewRange) }
}

/// One item at a time.
final class ProvidedItemMaker: ItemMaker {
    let makesNodes = true
    // The core, which owns the maker, owns the data source.
    private unowned(unsafe) let source: any CollectionDataSource
    private let surroundings: ElementSurroundings
    /// Most elements come on the same terms as the one before.
    private var lastTerms: ElementTerms

    init(_ source: any CollectionDataSource, _ surroundings: ElementSurroundings) {
        self.source = source
        self.surroundings = surroundings
        lastTerms = ElementTerms(sizeRange: .unconstrained, surroundings: surroundings)
    }

    func make(
        _ items: Range<Int>,
        inSection section: Int,
        _ ranges: SizeRangeRule,
        into elements: inout [CollectionElement]
    ) throws(UpdateError) {
        for item in items {
            let path = ItemPath(section: section, item: item)
            let model = source.model(forItemAt: path)
            let range = ranges.range(source.sizeRange(forItemAt: path))
            if lastTerms.sizeRange != range {
                lastTerms = ElementTerms(sizeRange: range, surroundings: surroundings)
            }
            let provider = source.nodeProvider(forItemAt: path)
            elements.append(ProvidedElement(model: model, provider: provider, terms: lastTerms))
        }
    }
}

/// A range of items at a time.
final class ModelItemMaker<Source: ModelSource>: ItemMaker {
    let makesNodes: Bool
    // The core, which owns the maker, owns the data source.
    private unowned(unsafe) let source: Source
    /// Most elements come on the same terms as the one before.
    private var lastTerms: ModelTerms<Source.Model>

    /// - Parameter makeNode: nil where there are no nodes.
    init(
        _ source: Source,
        _ surroundings: ElementSurroundings,
        makeNode: (@Sendable (Source.Model) throws -> any CollectionNode)?
    ) {
        self.source = source
        makesNodes = makeNode != nil
        lastTerms = ModelTerms(
            sizeRange: .unconstrained,
            surroundings: surroundings,
            makeNode: makeNode ?? { _ in throw ElementError.modelOnly }
        )
    }

    func make(
        _ items: Range<Int>,
        inSection section: Int,
        _ ranges: SizeRangeRule,
        into elements: inout [CollectionElement]
    ) throws(UpdateError) {
        let models = source.models(at: items, inSection: section)
        let range = ranges.range(source.sizeRange(forItemsAt: items, inSection: section))
        if lastTerms.sizeRange != range { lastTerms = lastTerms.with(sizeRange: range) }
        let start = elements.count
        // One more is enough to know.
        source._makeElements(
            of: models,
            atMost: items.count + 1,
            on: _ModelTerms(lastTerms),
            into: &elements
        )
        let count = elements.count - start
        guard count == items.count else {
            throw UpdateError(
                .dataSourceChangedDuringLatch,
                "The data source gave \(count > items.count ? "more than \(items.count)" : "\(count)")"
                    + " models for the \(items.count) items from \(items.lowerBound) on in section"
                    + " \(section)"
            )
        }
    }
}

/// The maker that fits the data source.
func makeItemMaker(_ source: any CollectionDataSource, _ surroundings: ElementSurroundings)
    -> any ItemMaker
{
    func shown<Source: ModelDataSource>(_ source: Source) -> any ItemMaker {
        ModelItemMaker(source, surroundings, makeNode: source.makeNode)
    }
    func unshown<Source: ModelSource>(_ source: Source) -> any ItemMaker {
        ModelItemMaker(source, surroundings, makeNode: nil)
    }
    func perhapsShown<Source: OptionallyShownSource>(_ source: Source) -> any ItemMaker {
        ModelItemMaker(source, surroundings, makeNode: source.makeNode)
    }
    return switch source {
    case let source as any OptionallyShownSource: perhapsShown(source)
    case let source as any ModelDataSource: shown(source)
    case let source as any ModelSource: unshown(source)
    default: ProvidedItemMaker(source, surroundings)
    }
}
