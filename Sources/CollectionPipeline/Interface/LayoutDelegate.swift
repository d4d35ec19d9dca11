import CollectionElements
import Synchronization

/// A delegate that decides in the background which elements are measured, and how.
///
/// With a layout delegate, step 3 measures nothing by itself. The controller requests a context
/// from the delegate on the main lane, before it accepts a change set, which may still be rejected.
/// The delegate then computes the layout on a worker, using only that context.
///
/// Shape: a map's paths and sections are in the data source's index space after the change set.
/// When the result reaches the view, the same paths are valid in the view's index space.
///
/// Source: Texture's asynchronous layout delegate.
public protocol LayoutDelegate<LayoutContext, Layout>: AnyObject, Sendable {
    /// The information that laying out needs in addition to the map.
    associatedtype LayoutContext: Sendable

    /// The layout that the view receives with the update.
    associatedtype Layout: Sendable

    /// Whether the delegate measures the elements in ``LayoutMeasurer/wantedPlaces``, so that views
    /// may request more measurements while they scroll. The default is `false`: requests for
    /// elements that the delegate did not measure are then ignored.
    var measuresOnDemand: Bool { get }

    /// Returns the information that the layout of `map` needs. This is the last opportunity to read
    /// state of the main lane.
    func layoutContext(for map: ElementMap) -> LayoutContext

    /// Returns whether a layout made in `layoutContext` would now be different for a reason other
    /// than the map, for example because the view was resized. The controller calls this method on
    /// the main lane, for example when it accepts a change set. If the view requests it
    /// (``ElementMap/setNeedsRelayout()``), everything is laid out in a new context. The default
    /// implementation returns `false`.
    func isOutdated(_ layoutContext: LayoutContext) -> Bool

    /// Returns a function that maps each element of `map` to the size range for which it would be
    /// measured now, or `nil`, the default, if the ranges are known only during layout. The method
    /// and the function are called on the main lane. A relayout of everything measures again each
    /// element that was measured for another range. The layout may still use any other range.
    func sizeRanges(for map: ElementMap) -> ((ElementPlace) -> SizeRange)?

    /// Lays out `map` on a worker, and measures the elements that it needs with `measurer`. The
    /// result reaches the view with the update. An error is reported, and the update deploys
    /// without a layout.
    func layout(
        _ map: ElementMap,
        in layoutContext: LayoutContext,
        measurer: LayoutMeasurer
    ) throws -> Layout
}

extension LayoutDelegate {
    /// Returns `false`.
    public var measuresOnDemand: Bool { false }

    /// Returns `false`.
    public func isOutdated(_ layoutContext: LayoutContext) -> Bool { false }

    /// Returns `nil`.
    public func sizeRanges(for map: ElementMap) -> ((ElementPlace) -> SizeRange)? { nil }

    /// Returns whether a context of this delegate, whose type the pipeline does not know, is
    /// outdated.
    func isOutdated(_ layoutContext: any Sendable) -> Bool {
        guard let layoutContext = layoutContext as? LayoutContext else { return false }
        return isOutdated(layoutContext)
    }

    /// Lays out with a context of this delegate, whose type the pipeline does not know.
    func layOut(
        _ map: ElementMap,
        in layoutContext: any Sendable,
        _ measurer: LayoutMeasurer
    ) throws -> (any Sendable)? {
        guard let layoutContext = layoutContext as? LayoutContext else { return nil }
        return try layout(map, in: layoutContext, measurer: measurer)
    }
}

/// A measurer of elements for a ``LayoutDelegate``, which chooses the size ranges.
///
/// The node is created first if necessary. A repeated call with the same range returns a stored
/// size; the first range of an element and the last four others are stored. Earlier maps are not
/// affected. An element that a later change set removed is no longer measured and has an estimated
/// size. A failed element throws on every call. Its first failure is reported and counted with the
/// change set as an ``ElementFailure``, even if the delegate handles the error.
///
/// Threading: valid during the call that receives it, on the same thread.
public struct LayoutMeasurer {
    private let core: PipelineCore
    private let submission: Submission
    private var map: ElementMap { submission.newMap }

    init(core: PipelineCore, submission: Submission) {
        self.core = core
        self.submission = submission
    }

    /// The places of elements whose size was requested but not measured, in the index space of the
    /// map: elements that become visible while a view scrolls. Items are first, each group
    /// ascending. The array is empty except for delegates that measure on demand
    /// (``LayoutDelegate/measuresOnDemand``). Elements that are not measured during this call are
    /// not requested again.
    public var wantedPlaces: [ElementPlace] {
        guard !submission.requested.isEmpty else { return [] }
        return submission.remeasuredPlaces.filter { map.content(at: $0)?.isRequested == true }
    }

    /// Returns the size of the item at `path` within `range`.
    ///
    /// - Throws: The error of its provider or measurement, or an error if there is no such item or
    ///   the controller was closed.
    public func size(ofItemAt path: ItemPath, in range: SizeRange) throws -> Size {
        guard let content = map.content(at: path) else {
            throw unknown("item \(path)")
        }
        return try size(content, range)
    }

    /// Returns the size of the supplementary element of `kind` at `path` within `range`.
    ///
    /// - Throws: The same errors as ``size(ofItemAt:in:)``.
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
            "A layout delegate requested the size of \(what), but the map has \(map.shape)"
        )
    }
}
