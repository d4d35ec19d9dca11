import CollectionPipeline

/// A section context that knows as which it was asked for.
final class NumberedContext: SectionContext {
    let number: Int

    init(number: Int) { self.number = number }
}
