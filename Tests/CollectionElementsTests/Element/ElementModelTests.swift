import TestSupport
import Testing

@testable import CollectionElements

/// The uses of an element with one content.
private enum Use: CaseIterable {
    case prepare, prepareCancelled, allocate, measureNarrow, measureWide, waitForNode
    case release, requestMeasuring, reportFailure, changeTraits, remove
    /// The next use fails, in the provider or in measuring.
    case breakProvider, breakMeasuring
}

/// An element with one content and an obviously correct model of it.
private struct ElementRun {
    private let element: CollectionElement
    private let book = NodeBook()
    private let elementEnvironment: ElementEnvironment
    private let releasesNodes: Bool
    private let broken = Failures()
    private var content: ElementContent { element.firstContent }

    /// Whether the next use fails.
    private final class Failures: Sendable {
        let provider = LiveCount()
        let measuring = LiveCount()
    }

    // The expected values of the element.
    private var state = "pending"
    private var (isRequested, isReleased, isRemoved, isReported) = (false, false, false, false)
    private var hasNode = false
    /// Whether the provider may still run, if it runs once.
    private var hasProvider = true
    private var size: Size?
    private var range = ElementRun.range
    private var releasedRange: SizeRange?
    private var otherSizes: [(range: SizeRange, size: Size)] = []
    private var (generation, measuredGeneration): (UInt32, UInt32?) = (0, nil)
    private var (madeCount, measuredCount) = (0, 0)

    private static let range = SizeRange.width(10)
    private static let text = "twelve chars"
    private static let estimate = Size(width: 10, height: 0)
    private static let providerError = TestFailure("provider")
    private static let measuringError = TestFailure("measuring")

    init(ofModel: Bool, releasesNodes: Bool) {
        self.releasesNodes = releasesNodes
        elementEnvironment = ElementEnvironment(Traits(textScale: 0), releasesNodes: releasesNodes)
        let (book, broken) = (book, broken)
        book.onMake { _ in if broken.provider.value > 0 { throw ElementRun.providerError } }
        book.onMeasure { _, _ in
            if broken.measuring.value > 0 { throw ElementRun.measuringError }
            return nil
        }
        element =
            ofModel
            ? ModelElement(
                Self.text,
                configuration: ModelElementConfiguration(
                    sizeRange: Self.range,
                    elementEnvironment: elementEnvironment
                ) {
                    try book.makeNode($0)
                }
            )
            : ProvidedElement(
                model: Self.text,
                provider: { try book.makeNode(Self.text) },
                configuration: ElementConfiguration(
                    sizeRange: Self.range,
                    elementEnvironment: elementEnvironment
                )
            )
    }

    // MARK: Uses

    /// Performs the use and returns the first difference from the model.
    mutating func take(_ use: Use) -> String? {
        let broken = (provider: broken.provider.value > 0, measuring: broken.measuring.value > 0)
        defer {
            // Only the next use fails.
            if use != .breakProvider, use != .breakMeasuring {
                self.broken.provider.add(-self.broken.provider.value)
                self.broken.measuring.add(-self.broken.measuring.value)
            }
        }
        let (found, expected): (String, String)
        switch use {
        case .prepare, .prepareCancelled:
            let isCancelled = use == .prepareCancelled
            expected = prepare(isCancelled, broken.provider, broken.measuring)
            found = text(element.prepare(content) { isCancelled })
        case .allocate:
            expected = allocate(broken.provider)
            found = text(element.allocate(content))
        case .measureNarrow, .measureWide:
            let range = SizeRange.width(use == .measureWide ? 6 : Double(3 + otherSizes.count))
            expected = measure(in: range, broken.provider, broken.measuring)
            found = text { "\(try element.measure(content, in: range))" }
        case .waitForNode:
            expected = waitForNode(broken.provider)
            found = text { try element.waitForNode() is TextNode ? "node" : "another" }
        case .release:
            expected = "\(release())"
            found = "\(element.releaseNode(showing: content))"
        case .requestMeasuring:
            expected = "\(state == "pending" && !isRequested)"
            if state == "pending" { isRequested = true }
            found = "\(content.noteRequest() == .prepare)"
        case .reportFailure:
            let isNews = ["failed", "measured"].contains(state) && !isReported
            if isNews { isReported = true }
            (found, expected) = ("\(content.noteFailure() == .report)", "\(isNews)")
        case .changeTraits:
            generation += 1
            _ = elementEnvironment.traits.replace(with: Traits(textScale: Double(generation)))
            element.refreshTraits()
            return fault
        case .remove:
            isRemoved = true
            element.markRemoved()
            return fault
        case .breakProvider:
            self.broken.provider.add(1)
            return nil
        case .breakMeasuring:
            self.broken.measuring.add(1)
            return nil
        }
        return found == expected ? fault : "\(found), not \(expected)"
    }

    private func text(_ preparation: CollectionElement.Preparation) -> String {
        switch preparation {
        case .measured: "measured"
        case .alreadyPrepared: "already"
        case .skipped: "skipped"
        case .failed(let error): "\(error)"
        }
    }

    private func text(_ body: () throws -> String) -> String {
        do { return try body() } catch { return "\(error)" }
    }

    // MARK: The model

    private var error: TestFailure?

    private mutating func fail(_ error: TestFailure) -> String {
        (state, self.error, isReleased, isRequested) = ("failed", error, false, false)
        (size, hasProvider) = (Self.estimate, releasesNodes)
        return "\(error)"
    }

    /// - Returns: The reason for the missing node, or `nil`.
    private mutating func makeNode(_ isBroken: Bool) -> String? {
        if hasNode { return nil }
        guard hasProvider else { return "\(ElementError.removedBeforeAllocation)" }
        madeCount += 1
        hasProvider = releasesNodes
        // A skipped content keeps its estimate, whether or not its node can be made.
        if isBroken {
            return state == "skipped" ? "\(Self.providerError)" : fail(Self.providerError)
        }
        hasNode = true
        return nil
    }

    /// - Returns: The size, or `nil` if measuring throws.
    private mutating func measured(in range: SizeRange, _ isBroken: Bool) -> Size? {
        measuredCount += 1
        measuredGeneration = generation
        return isBroken ? nil : TextNode.size(of: Self.text, in: range)
    }

    private var outcome: String { state == "failed" ? error.map { "\($0)" } ?? "" : "already" }

    private mutating func prepare(_ isCancelled: Bool, _ failsToMake: Bool, _ failsToMeasure: Bool)
        -> String
    {
        guard state == "pending" else { return outcome }
        isRequested = false
        if isCancelled || isRemoved {
            hasProvider = releasesNodes
            if !isReleased { (state, size) = ("skipped", Self.estimate) }
            return "skipped"
        }
        if let fault = makeNode(failsToMake) { return fault }
        guard let size = measured(in: Self.range, failsToMeasure) else {
            return fail(Self.measuringError)
        }
        settle(size, Self.range)
        return "measured"
    }

    private mutating func settle(_ size: Size, _ range: SizeRange) {
        (state, self.size, self.range, isReleased) = ("measured", size, range, false)
        hasProvider = releasesNodes
    }

    private mutating func allocate(_ isBroken: Bool) -> String {
        guard state == "pending", !isRemoved else { return outcome }
        return makeNode(isBroken) ?? "already"
    }

    private mutating func measure(in range: SizeRange, _ failsToMake: Bool, _ failsToMeasure: Bool)
        -> String
    {
        let known = size ?? Self.estimate
        if state == "failed" { return outcome }
        if state == "skipped" || state == "measured" && range == self.range { return "\(known)" }
        if let found = otherSizes.first(where: { $0.range == range }) { return "\(found.size)" }
        if isRemoved { return "\(known)" }
        if state == "measured" {
            guard let size = measured(in: range, failsToMeasure) else {
                return "\(Self.measuringError)"
            }
            otherSizes = (otherSizes + [(range, size)]).suffix(4)
            return "\(size)"
        }
        isRequested = false
        if let fault = makeNode(failsToMake) { return fault }
        guard let size = measured(in: range, failsToMeasure) else {
            return fail(Self.measuringError)
        }
        settle(size, range)
        return "\(size)"
    }

    private mutating func waitForNode(_ isBroken: Bool) -> String {
        if hasNode { return "node" }
        if isRemoved { return "\(ElementError.removedBeforeAllocation)" }
        if let error { return "\(error)" }
        return makeNode(isBroken) ?? "node"
    }

    private mutating func release() -> Bool {
        guard releasesNodes, hasNode, ["pending", "measured"].contains(state) else { return true }
        if state == "measured" {
            (state, isReleased, releasedRange, isReported) = ("pending", true, range, false)
            (otherSizes, measuredGeneration, range) = ([], nil, Self.range)
        } else if isRequested {
            return false
        }
        hasNode = false
        return true
    }

    /// Returns the first difference between the element and the model, or `nil`.
    private var fault: String? {
        let (found, foundSize) = content.stateAndSize
        if found.text != state { return "\(found.text), not \(state)" }
        if foundSize != size || content.layoutSize != size ?? Self.estimate { return "size" }
        if case .measured(let found) = found, found != range { return "range" }
        if (content.failure as? TestFailure) != error { return "error" }
        let measuredRange = state == "measured" ? range : isReleased ? releasedRange : nil
        if content.measuredRange != measuredRange { return "measured range" }
        if (element.nodeIfAllocated != nil) != hasNode { return "unexpected node: \(!hasNode)" }
        if content.isPending != (state == "pending") || content.isRequested != isRequested {
            return "request"
        }
        if content.isReleased != isReleased || content.hasProvider != hasProvider {
            return "provider"
        }
        if [book.made.count, book.measurements.count] != [madeCount, measuredCount] {
            return "\(book.made.count) made, \(book.measurements.count) measured"
        }
        let isCurrent =
            state == "pending" || state == "measured" && measuredGeneration == generation
        if element.isMeasuredWithCurrentTraits(content) != isCurrent { return "traits" }
        if let node = element.nodeIfAllocated as? TextNode {
            if node.traits.textScale != Double(generation) { return "received other traits" }
        }
        let measured = book.measurements.values.last?.traits.textScale
        if state == "measured", measured != measuredGeneration.map(Double.init) {
            return "measured with older traits"
        }
        return isRemoved == element.isRemoved ? nil : "removed"
    }
}

/// One content of an element through every use by a pipeline.
@Suite("An element, compared with its model", .endsHangs)
struct ElementModelTests {
    private static let kinds = [(false, false), (false, true), (true, false), (true, true)]

    private func fault(_ uses: [Use], _ kind: (ofModel: Bool, releasesNodes: Bool)) -> String? {
        var run = ElementRun(ofModel: kind.ofModel, releasesNodes: kind.releasesNodes)
        for (number, use) in uses.enumerated() {
            if let fault = run.take(use) { return "\(kind) \(uses[...number]): \(fault)" }
        }
        return nil
    }

    @Test func everyShortSequenceOfUsesMatchesTheModel() {
        func extend(_ uses: [Use], _ length: Int) -> String? {
            if uses.count == length {
                return Self.kinds.lazy.compactMap { fault(uses, $0) }.first
            }
            return Use.allCases.lazy.compactMap { extend(uses + [$0], length) }.first
        }
        #expect(extend([], Effort.number(5, usually: 3)) == nil)
    }

    @Test func longRandomSequencesOfUsesMatchTheModel() {
        for seed in 0..<UInt64(Effort.number(20_000, usually: 3_000)) {
            var random = SeededNumbers(seed: seed)
            let uses = (0..<14).compactMap { _ in Use.allCases.randomElement(using: &random) }
            if let fault = fault(uses, Self.kinds[Int(seed % 4)]) {
                Issue.record("seed \(seed): \(fault)")
                return
            }
        }
    }

    // MARK: Sizes

    @Test func anInvalidSizeFailsTheElementEvenIfTheRangeWouldClampIt() {
        let small = SizeRange(minimum: .zero, maximum: Size(width: 5, height: 5))
        let endless = Size(width: .infinity, height: .infinity)
        let cases: [(measured: Size, range: SizeRange)] = [
            (Size(width: -1, height: 9), small), (Size(width: 9, height: -1), small),
            (Size(width: .nan, height: 9), small), (Size(width: 9, height: .infinity), small),
            (Size(width: 5, height: 5), SizeRange(minimum: endless, maximum: endless)),
            (.zero, SizeRange(minimum: .zero, maximum: Size(width: .nan, height: 9))),
            (.zero, SizeRange(minimum: .zero, maximum: Size(width: 9, height: .nan))),
        ]
        for (measured, range) in cases {
            let book = NodeBook()
            book.onMeasure { _, _ in measured }
            let element = ProvidedElement(
                model: nil,
                provider: { try book.makeNode("a") },
                configuration: ElementConfiguration(
                    sizeRange: small,
                    elementEnvironment: ElementEnvironment(Traits())
                )
            )
            #expect(throws: MeasurementError.self, "\(measured) \(range)") {
                try element.measure(element.content, in: range)
            }
            #expect(element.state.text == "failed")
        }
    }

    @Test func sizesAndRangesAreValidatedAndClamped() {
        for value in [-1, .infinity, -.infinity, .nan] as [Double] {
            let areValid = [Size(width: value, height: 1), Size(width: 1, height: value)].map(
                \.isValid
            )
            #expect(areValid == [false, false], "\(value)")
        }
        #expect(Size.zero.isValid && Size(width: 1, height: .greatestFiniteMagnitude).isValid)
        let odd = SizeRange(minimum: Size(width: 2, height: 5), maximum: Size(width: 4, height: 3))
        let clamped: [(SizeRange, Size, Size)] = [
            (odd, .zero, Size(width: 2, height: 5)),
            (odd, Size(width: 9, height: 9), Size(width: 4, height: 5)),
            (.unconstrained, Size(width: 7, height: 8), Size(width: 7, height: 8)),
            (.width(3), Size(width: 9, height: 9), Size(width: 3, height: 9)),
        ]
        for (range, size, expected) in clamped { #expect(range.clamp(size) == expected) }
        let estimates: [(least: Double, estimate: Double)] = [
            (0, 0), (0.5, 0.5), (3, 3), (-1, 0), (.infinity, 0), (-.infinity, 0), (.nan, 0),
        ]
        for (least, estimate) in estimates {
            let minimum = Size(width: least, height: 7)
            let range = SizeRange(minimum: minimum, maximum: minimum)
            #expect(range.estimate == Size(width: estimate, height: 7), "\(least)")
            let turned = Size(width: 7, height: least)
            let other = SizeRange(minimum: turned, maximum: turned)
            #expect(other.estimate == Size(width: 7, height: estimate), "\(least)")
        }
        let hints: [(Size, SizeRange, Bool)] = [
            (Size(width: .infinity, height: 1), .unconstrained, true),
            (Size(width: 1, height: .infinity), .width(10), true),
            (Size(width: .infinity, height: 1), .width(10), false),
            (Size(width: -1, height: 1), .unconstrained, false),
        ]
        for (size, range, isUnlimited) in hints {
            let text = "\(MeasurementError(size: size, sizeRange: range))"
            #expect(text.contains("\(size.width) × \(size.height), which is not a valid size"))
            #expect(text.contains("sizeRange(forItemAt:)") == isUnlimited, "\(text)")
        }
    }

    // MARK: Lifetimes

    /// A layout may never measure a content, so its provider is never released. The provider throws
    /// the failure of the content that it replaces.
    @Test(arguments: [false, true])
    func aRetriedContentThatIsNeverPreparedDoesNotRetainItsElement(_ isRevised: Bool) {
        weak var lost: CollectionElement?
        do {
            var script = ElementScript("a")
            let failed = isRevised ? script.revise("b") : script.contents[0]
            let provider = failed.rethrowingProvider
            let again = ElementContent(
                revising: script.element,
                model: "b",
                sizeRange: .unconstrained,
                provider: provider
            )
            script.element.accept(again)
            lost = script.element
            #expect(throws: ElementError.removedBeforeAllocation) { try provider() }
            failed.fail(TestFailure("late"))
            #expect(throws: TestFailure("late")) { try provider() }
        }
        #expect(lost == nil)
    }
}
