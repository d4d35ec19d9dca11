import CollectionPipeline

/// The model of a run that is asked for its items by the range.
package final class RangedModel: ReferenceModel, ModelDataSource {
    package var makeNode: @Sendable (ModelItem) throws -> any CollectionNode {
        { [nodes] in try nodes.make($0) }
    }

    package func models(at items: Range<Int>, inSection section: Int) -> ArraySlice<ModelItem> {
        sections[section].items[items]
    }
}
