import CollectionElements
import Synchronization

/// Measures elements for a ``LayoutDelegate``, each within ranges of the delegate's choice.
///
/// The node is made first if need be. Asked again with the same range it answers from memory, which holds
/// the first range of an element and the last four others; what earlier maps show does not change. An
/// element that a later change set removed is not measured any more, and has an estimated size. What fails throws
/// whenever it is asked for, and the first time it is told and counted with the change set, as an
/// ``ElementFailure``, whatever the delegate makes of it.
///
/// Threading: valid during the call that it is given to, on the same thread.
public struct LayoutMeasurer {
    private let core: PipelineCore
    private let submission: Submission
    private var map: ElementMap { submission.newMap }

    init(core: PipelineCore, submission: Submission) {
        self.core = core
        self.submission = submission
    }

    /// What somebody wants the size of and nobody has measured, in the space of the map: what comes into sight while a
    /// view scrolls. Items first, each ascending; empty but for delegates that measure on demand
    /// (``LayoutDelegate/measuresOnDemand``). What is not measured then is not asked for again.
    public var wantedPlaces: [ElementPlace] {
        guard !submission.asked.isEmpty else { return [] }
        return submission.remeasuredPlaces.filter { map.content(at: $0)?.isAsked == true }
    }

    /// The size of the item at `path` within `range`.
    ///
    /// - Throws: what its provider or measurement threw, that there is no such item, or that the
    ///   controller was closed.
    public func size(ofItemAt path: ItemPath, in range: SizeRange) throws -> Size {
        guard let content = map.content(at: path) else {
            throw unknown("item \(path)")
        }
        return try size(content, range)
    }

    /// The size of the supplementary element of `kind` at `path` within `range`.
    ///
    /// - Throws: as ``size(ofItemAt:in:)`` does.
    public func size(
        ofSupplementary kind: SupplementaryKind,
        at path: ItemPath,
        in range: SizeRange
    ) throws -> Size {
        guard let content = map.supplementaryContent(ofKind: kind, at: path) else {
            throw unknown("element \(path) of kind '\(kind)'")
        }
        return try size(content, range)
    }

    private func size(_ content: ElementContent, _ range: SizeRange) throws -> Size {
        guard !core.isCancelled.load(ordering: .acquiring) else {
            throw UpdateError(.closed, "The controller was closed while a layout was measured")
        }
        do {
            return try content.element.measure(content, in: range) {
                core.isCancelled.load(ordering: .acquiring)
            }
        } catch {
            core.report(error, of: content, submission)
            throw error
        }
    }

    private func unknown(_ what: String) -> UpdateError {
        UpdateError(
            .unknownElement,
            "A layout delegate asked to measure \(what), but the map has \(map.shape)"
        )
    }
}
