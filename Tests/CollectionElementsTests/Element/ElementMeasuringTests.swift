import TestSupport
import Testing

@testable import CollectionElements

@Suite("Measuring an element")
struct ElementMeasuringTests {
    private func element(_ book: NodeBook) -> CollectionElement {
        ProvidedElement(
            model: "text",
            provider: { try book.makeNode("text") },
            terms: ElementTerms(
                sizeRange: .width(10),
                surroundings: ElementSurroundings(Traits())
            )
        )
    }

    /// Beside the range that the content was measured in first, the newest four.
    @Test func aContentRemembersItsSizesWithinTheNewestFourFurtherRanges() throws {
        let (book, widths) = (NodeBook(), [1, 2, 3, 4, 5, 6, 7])
        let element = element(book)
        func heights(_ widths: [Int]) throws -> [Double] {
            try widths.map { width in
                let range = SizeRange.width(Double(width))
                return try element.measure(element.content, in: range).height
            }
        }
        book.onMeasure { _, range in
            Size(width: range.maximum.width, height: range.maximum.width * 100)
        }
        #expect(try heights(widths) == widths.map { Double($0) * 100 })
        #expect(book.measurements.count == 7)
        for _ in 0..<3 {
            let remembered = [1, 4, 5, 6, 7, 1]
            #expect(try heights(remembered) == remembered.map { Double($0) * 100 })
        }
        #expect(book.measurements.count == 7)
        #expect(try heights([3]) == [300])
        #expect(book.measurements.count == 8)
        #expect(try heights([5, 6, 7, 3, 1]) == [500, 600, 700, 300, 100])
        #expect(book.measurements.count == 8)
        #expect(try heights([4]) == [400])
        #expect(book.measurements.count == 9, "it was the oldest")
    }

    @Test func whatWasSkippedAnswersWithItsEstimate() throws {
        let book = NodeBook()
        let cancelled = element(book)
        _ = cancelled.prepare(cancelled.content, isCancelled: { true })
        let size = try cancelled.measure(cancelled.content, in: .width(3))
        #expect(size == Size(width: 10, height: 0) && book.made.count == 0)
        let removed = element(book)
        book.onMake { _ in removed.markRemoved() }
        _ = try removed.measure(removed.content, in: .width(3))
        #expect(removed.state.text == "skipped" && book.measurements.count == 0)
    }

    /// What it was measured with stays, and its node is left alone.
    @Test func whatWasRemovedIsNotMeasuredInAFurtherRange() throws {
        let book = NodeBook()
        let element = element(book)
        let size = try element.measure(element.content, in: .width(10))
        element.markRemoved()
        #expect(try element.measure(element.content, in: .width(3)) == size)
        #expect(book.measurements.count == 1 && element.state.text == "measured")
    }

    @Test(arguments: [
        Size(width: -1, height: 9), Size(width: 9, height: -1), Size(width: .nan, height: 9),
        Size(width: 9, height: .infinity),
    ])
    func aSizeThatIsNoneFailsTheElementThoughTheRangeWouldMendIt(_ answer: Size) {
        let book = NodeBook()
        book.onMeasure { _, _ in answer }
        let element = element(book)
        let range = SizeRange(minimum: .zero, maximum: Size(width: 5, height: 5))
        #expect(throws: MeasurementError.self) { try element.measure(element.content, in: range) }
        #expect(element.state.text == "failed")
    }

    @Test func theErrorSaysWhatMayLimitASizeThatNothingLimits() {
        let answers: [(Size, SizeRange, Bool)] = [
            (Size(width: .infinity, height: 1), .unconstrained, true),
            (Size(width: 1, height: .infinity), .width(10), true),
            (Size(width: .infinity, height: 1), .width(10), false),
            (Size(width: -1, height: 1), .unconstrained, false),
        ]
        for (size, sizeRange, isUnlimited) in answers {
            let text = "\(MeasurementError(size: size, sizeRange: sizeRange))"
            let answer =
                "A node measured itself as \(size.width) × \(size.height), which is no size"
            let hint =
                ": nothing limits it. A view does, or the data source's sizeRange(forItemAt:)."
            #expect(text == answer + (isUnlimited ? hint : "."))
        }
    }

    @Test func aLeastSizeThatIsNoneFailsTheElement() {
        let book = NodeBook()
        book.onMeasure { _, _ in Size(width: 5, height: 5) }
        let element = element(book)
        let endless = Size(width: .infinity, height: .infinity)
        #expect(throws: MeasurementError.self) {
            try element.measure(
                element.content,
                in: SizeRange(minimum: endless, maximum: endless)
            )
        }
        #expect(element.state.text == "failed")
    }

    @Test func aRangeThatIsNoneFailsTheElement() {
        for maximum in [
            Size(width: .nan, height: 9), Size(width: 9, height: .nan),
            Size(width: .nan, height: .nan),
        ] {
            let element = element(NodeBook())
            #expect(throws: MeasurementError.self) {
                try element.measure(
                    element.content,
                    in: SizeRange(minimum: .zero, maximum: maximum)
                )
            }
            #expect(element.state.text == "failed")
        }
    }

    @Test func anEstimateIsTheLeastOfTheRangeAsFarAsThatIsANumber() {
        let estimates: [(least: Double, estimate: Double)] = [
            (0, 0), (0.5, 0.5), (3, 3), (-1, 0), (.infinity, 0), (-.infinity, 0), (.nan, 0),
        ]
        for (width, estimatedWidth) in estimates {
            for (height, estimatedHeight) in estimates {
                let least = Size(width: width, height: height)
                let range = SizeRange(minimum: least, maximum: least)
                let expected = Size(width: estimatedWidth, height: estimatedHeight)
                #expect(range.estimate == expected, "\(least)")
            }
        }
    }

    // MARK: Elements of models

    @Test func aNodeIsMadeOfAModelOnce() throws {
        let made = Journal<Int>()
        let terms = ModelTerms<Int>(
            sizeRange: .width(10),
            surroundings: ElementSurroundings(Traits())
        ) { model in
            made.append(model)
            return DiaryNode("\(model)")
        }
        let element = ModelElement(7, terms: terms)
        #expect(element.firstContent.hasProvider)
        let node = try #require(try element.waitForNode() as? DiaryNode)
        #expect(node.noted.text == "7" && made.values == [7])
        #expect(!element.firstContent.hasProvider && element.firstContent.takeProvider() == nil)
        _ = element.prepare(element.content)
        #expect(element.nodeIfAllocated === node && made.count == 1)
    }

    // MARK: Contents

    @Test func aProviderBelongsToItsContentAndIsGivenAwayOnce() {
        let element = element(NodeBook())
        let revision = ElementContent(
            revising: element,
            model: "b",
            sizeRange: .width(10),
            provider: { DiaryNode("b") }
        )
        #expect(element.firstContent.hasProvider && revision.hasProvider)
        #expect(!element.firstContent.mayReplaceNode && revision.mayReplaceNode)
        #expect(revision.takeProvider() != nil && revision.takeProvider() == nil)
        #expect(element.firstContent.hasProvider && !revision.hasProvider)
    }

    /// Measured again, a content takes another node only where it failed to be measured before.
    @Test func onlyWhatFailedMayTakeAnotherNodeWhenMeasuredAgain() {
        for fails in [false, true] {
            var script = ElementScript("a")
            #expect(!script.contents[0].mayLackItsNode)
            _ = script.element.prepare(script.contents[0])
            let content = script.revise("a1")
            script.element.accept(content)
            if fails { script.node?.onMeasure { throw TestFailure() } }
            _ = script.element.prepare(content)
            let again = script.revise("a1", retrying: content)
            #expect(again.keepsNode == !fails)
            #expect(content.mayLackItsNode == fails && again.mayLackItsNode)
            #expect(!script.contents[0].mayLackItsNode)
        }
        let element = element(NodeBook())
        let bare = ElementContent(
            revising: element,
            model: nil,
            sizeRange: .width(10),
            provider: nil
        )
        #expect(!bare.mayLackItsNode && bare.keepsNode)
    }

    @Test func aNodeThatTakesNoModelsIsAskedForNone() {
        let gate = Gate(isOpen: true)
        let element = ProvidedElement(
            model: "a",
            provider: { GatedNode(gate) },
            terms: ElementTerms(
                sizeRange: .unconstrained,
                surroundings: ElementSurroundings(Traits())
            )
        )
        _ = element.prepare(element.content)
        #expect(element.nodeIfAllocated != nil && !element.acceptsInPlace("a"))
    }

    /// What hashes alike is found slowly.
    @Test func whatDiffersMostlyHashesDifferently() {
        let elements = (0..<64).map { _ in element(NodeBook()) }
        #expect(Set(elements.map(\.hashValue)).count > 60)
        let sections = (0..<64).map { CollectionSection(id: $0, context: nil) }
        #expect(Set(sections.map(\.hashValue)).count > 60)
        #expect(Set(elements.map(\.firstContent.hashValue)).count > 60)
        let revisions = (0..<64).map { _ in
            ElementContent(
                revising: elements[0],
                model: nil,
                sizeRange: .width(10),
                provider: nil
            )
        }
        #expect(Set(revisions.map(\.hashValue)).count > 60)
    }

    /// A million elements are mostly those that nothing rare happens to.
    @Test func onlyWhatIsRareNeedsAnObjectOfItsOwn() {
        let element = element(NodeBook())
        func isPlain() -> Bool {
            element.body.withLock { body in
                switch (body.node.state, body.progress.state, body.places) {
                case (.settled, .measured, .first): true
                default: false
                }
            }
        }
        let section = CollectionSection(id: 0, context: nil)
        _ = ElementSlot(element, in: section, label: 4)
        _ = element.prepare(element.content)
        element.refreshTraits()
        element.markMoved(to: section)
        #expect(isPlain())
        _ = ElementSlot(element, in: section, label: 5)
        #expect(!isPlain())
    }

    /// With 16 for every object, and 8 for its terms.
    @Test func anElementTakes112BytesAndItsModel() {
        #expect(MemoryLayout<Lock<CollectionElement.Body>>.size == 88)
    }

    @Test func onlyOtherTraitsAreNewOnes() {
        let source = TraitSource(Traits(textScale: 1))
        #expect(!source.replace(with: Traits(textScale: 1)) && source.generation == 0)
        #expect(source.replace(with: Traits(textScale: 2)) && source.generation == 1)
        #expect(source.current.textScale == 2)
    }

    @Test func traitsAreThoseOfAnOrdinaryScreenUnlessToldOtherwise() {
        let traits = Traits()
        #expect(traits.displayScale == 1 && traits.textScale == 1)
        #expect(!traits.isRightToLeft && traits.values.isEmpty)
    }
}
