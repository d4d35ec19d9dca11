import CollectionElements

/// Creates the elements of new items from a model and a provider for each item, or from models for
/// ranges of items. It belongs to the main lane.
protocol ItemMaker {
    /// Whether the elements have nodes, which step 3 then creates.
    var makesNodes: Bool { get }

    /// Appends the elements of the items of a section at `items`, which it reads from the data
    /// source.
    func make(
        _ items: Range<Int>,
        inSection section: Int,
        _ ranges: SizeRangeRule,
        into elements: inout [CollectionElement]
    ) throws(UpdateError)
}

/// The rule that determines the size ranges of elements.
struct SizeRangeRule {
    /// Whether a layout delegate chooses the sizes.
    let isUnconstrained: Bool
    /// The range of elements without a range of their own.
    let viewRange: SizeRange

    func range(_ own: @autoclosure () -> SizeRange?) -> SizeRange {
        isUnconstrained ? .unconstrained : own() ?? viewRange
    }

    /// The sizes that elements are measured for under this rule; `nil` if a layout delegate
    /// decides.
    var conditions: RelayoutLedger.MeasuringConditions? {
        isUnconstrained ? nil : .range(viewRange)
    }
}

/// A maker that reads one item at a time.
private final class ProvidedItemMaker: ItemMaker {
    let makesNodes = true
    // The core owns both the maker and the data source.
    private unowned(unsafe) let source: any CollectionDataSource
    private let elementEnvironment: ElementEnvironment
    /// The configuration of the previous element, which most elements share.
    private var lastConfiguration: ElementConfiguration

    init(_ source: any CollectionDataSource, _ elementEnvironment: ElementEnvironment) {
        self.source = source
        self.elementEnvironment = elementEnvironment
        lastConfiguration = ElementConfiguration(
            sizeRange: .unconstrained,
            elementEnvironment: elementEnvironment
        )
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
            if lastConfiguration.sizeRange != range {
                lastConfiguration = ElementConfiguration(
                    sizeRange: range,
                    elementEnvironment: elementEnvironment
                )
            }
            let provider = source.nodeProvider(forItemAt: path)
            elements.append(
                ProvidedElement(model: model, provider: provider, configuration: lastConfiguration)
            )
        }
    }
}

/// A maker that reads a range of items at a time.
private final class ModelItemMaker<Source: ModelSource>: ItemMaker {
    let makesNodes: Bool
    // The core owns both the maker and the data source.
    private unowned(unsafe) let source: Source
    /// The configuration of the previous element, which most elements share.
    private var lastConfiguration: ModelElementConfiguration<Source.Model>

    /// Creates a maker.
    ///
    /// - Parameters:
    ///   - source: The data source.
    ///   - elementEnvironment: The common properties of all elements.
    ///   - makeNode: A closure that creates a node; `nil` if there are no nodes.
    init(
        _ source: Source,
        _ elementEnvironment: ElementEnvironment,
        makeNode: (@Sendable (Source.Model) throws -> any CollectionNode)?
    ) {
        self.source = source
        makesNodes = makeNode != nil
        lastConfiguration = ModelElementConfiguration(
            sizeRange: .unconstrained,
            elementEnvironment: elementEnvironment,
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
        if lastConfiguration.sizeRange != range {
            lastConfiguration = lastConfiguration.with(sizeRange: range)
        }
        let start = elements.count
        // One additional model is enough to detect that there are too many.
        source._makeElements(
            of: models,
            atMost: items.count + 1,
            on: _ModelConfiguration(lastConfiguration),
            into: &elements
        )
        let count = elements.count - start
        guard count == items.count else {
            throw UpdateError(
                .dataSourceChangedDuringRead,
                "The data source returned \(count > items.count ? "more than \(items.count)" : "\(count)")"
                    + " models for the \(items.count) items from \(items.lowerBound) on in section"
                    + " \(section)"
            )
        }
    }
}

/// Returns the maker for the type of the data source.
func makeItemMaker(_ source: any CollectionDataSource, _ elementEnvironment: ElementEnvironment)
    -> any ItemMaker
{
    func shown<Source: ModelDataSource>(_ source: Source) -> any ItemMaker {
        ModelItemMaker(source, elementEnvironment, makeNode: source.makeNode)
    }
    func unshown<Source: ModelSource>(_ source: Source) -> any ItemMaker {
        ModelItemMaker(source, elementEnvironment, makeNode: nil)
    }
    func perhapsShown<Source: OptionalNodeSource>(_ source: Source) -> any ItemMaker {
        ModelItemMaker(source, elementEnvironment, makeNode: source.makeNode)
    }
    return switch source {
    case let source as any OptionalNodeSource: perhapsShown(source)
    case let source as any ModelDataSource: shown(source)
    case let source as any ModelSource: unshown(source)
    default: ProvidedItemMaker(source, elementEnvironment)
    }
}
