import Testing

@testable import CollectionLayouts

@Suite("Attributes, features, contexts and errors of layouts")
struct LayoutValueTests {
    private let item = LayoutPlace.cell(ItemPath(section: 0, item: 0))

    // MARK: Attributes

    @Test func attributesAreShownUpright() {
        let frame = Rect(x: 3, y: 5, width: 8, height: 6)
        let attributes = LayoutAttributes(item, frame: frame)
        #expect(attributes.frame == frame && attributes.center == Point(x: 7, y: 8))
        #expect(attributes.transform == .identity && attributes.alpha == 1)
        #expect(attributes.zIndex == 0 && !attributes.isHidden)
        #expect(attributes.indexPath == item.path && attributes.representedElementCategory == .cell)
        var moved = attributes
        moved.frame = Rect(x: 1, y: 2, width: 4, height: 2)
        #expect(moved.center == Point(x: 3, y: 3) && moved.size == Size(width: 4, height: 2))
        #expect(moved.frame == Rect(x: 1, y: 2, width: 4, height: 2))
    }

    /// Nothing is multiplied, so that one extent may be infinite.
    @Test func whatIsNotTransformedIsAsLargeAsItsSize() {
        for (width, height) in [(10.0, Double.infinity), (.infinity, 10), (10, 10)] {
            var attributes = LayoutAttributes(item, frame: .zero)
            attributes.size = Size(width: width, height: height)
            #expect(attributes.frame.size == attributes.size)
        }
    }

    // MARK: Features

    @Test func aFeatureThatSaysNothingFollowsNothingAndReachesNowhere() {
        struct Plain: LayoutFeature {
            func rewrite(
                _ attributes: LayoutAttributes,
                in surroundings: LayoutSurroundings
            ) -> LayoutAttributes { attributes }
        }
        let categories: [ElementCategory] = [
            .cell, .supplementary(.header), .supplementary(.footer), .decoration(.header),
        ]
        #expect(!categories.contains { Plain().followsContentOffset($0) })
        #expect(Plain().reach == 0)
    }

    @Test(arguments: [1.0, 2, 4])
    func theNearestEdgeOfAPixelIsAWholeNumberOfPixelsAway(_ scale: Double) {
        let bounds = Rect(x: 3, y: 4, width: 10, height: 20)
        let surroundings = LayoutSurroundings(
            sectionFrame: .zero,
            headerExtent: 0,
            footerExtent: 0,
            bounds: bounds,
            visibleRect: bounds,
            scrollDirection: .vertical,
            isRightToLeft: false,
            displayScale: scale
        )
        #expect(surroundings.contentOffset == Point(x: 3, y: 4))
        for value in stride(from: -3, through: 3, by: 0.03125) {
            let aligned = surroundings.pixelAligned(value)
            #expect((aligned * scale).rounded() == aligned * scale)
            #expect(abs(aligned - value) <= 0.5 / scale)
        }
    }

    // MARK: Contexts

    @Test func aContextListsWhatItWasGiven() {
        let paths = (0..<4).map { ItemPath(section: $0 / 2, item: $0 % 2) }
        let context = LayoutInvalidationContext()
        #expect(!context.invalidatesEverything && !context.invalidatesDataSourceCounts)
        #expect(context.contentSizeAdjustment == .zero && context.contentOffsetAdjustment == .zero)
        context.invalidateItems(at: paths[..<2])
        context.invalidateItems(at: paths[1..<3])
        context.invalidateSupplementaryElements(ofKind: .header, at: paths[..<1])
        context.invalidateSupplementaryElements(ofKind: .footer, at: paths[2...])
        context.invalidateSupplementaryElements(ofKind: .header, at: paths[3...])
        context.invalidateDecorationElements(ofKind: .header, at: paths[1...2])
        #expect(context.invalidatedItemIndexPaths == Set(paths[..<3]))
        #expect(
            context.invalidatedSupplementaryIndexPaths == [
                .header: [paths[0], paths[3]], .footer: [paths[2], paths[3]],
            ]
        )
        #expect(context.invalidatedDecorationIndexPaths == [.header: [paths[1], paths[2]]])
    }

    // MARK: Errors

    @Test func aNumberIsUsableFromZeroToTheLargestExtent() {
        let largest = ComposedLayout.largestExtent
        for value in [0, .leastNonzeroMagnitude, 0.5, 1, 7, largest] {
            let log = SectionErrorReporter()
            #expect(log.usable(value, as: .spacing) == value && log.count == 0)
        }
        for value in [-.leastNonzeroMagnitude, -1, largest.nextUp, .infinity, -.infinity, .nan] {
            let log = SectionErrorReporter()
            #expect(log.usable(value, as: .spacing) == 0 && log.count == 1)
            #expect(log.usable(value, as: .itemSize, at: item) == 0)
            #expect(log.usable(value, as: .spacing, named: "inset", section: 4) == 0)
            #expect(log.errors.map(\.code) == [.spacing, .itemSize, .spacing])
            #expect(log.errors.map(\.place) == [nil, item, nil])
            #expect(
                log.errors.map(\.message) == [
                    "spacing: expected a finite number, not negative, found \(value); it counts as 0",
                    "itemSize of item 0 in section 0: expected a finite size (negative sizes are"
                        + " not supported), found \(value); it counts as 0",
                    "inset in section 4: expected a finite number, not negative, found \(value);"
                        + " it counts as 0",
                ]
            )
        }
    }

    @Test func aCountIsUsableFromTheLeastToTheLargest() {
        let largest = ComposedLayout.largestCount
        for count in [0, 1, 2, largest] {
            let log = SectionErrorReporter()
            #expect(log.usable(count, as: .itemCount) == count && log.count == 0)
        }
        for count in [1, 2, largest] {
            let log = SectionErrorReporter()
            #expect(log.usable(count, as: .columnCount, least: 1) == count && log.count == 0)
        }
        for count in [-1, largest + 1, .min, .max] {
            for least in 0...1 {
                let log = SectionErrorReporter()
                #expect(log.usable(count, as: .itemCount, section: 2, least: least) == least)
                #expect(
                    log.errors.map(\.message) == [
                        "itemCount in section 2: expected a count from \(least) to \(largest),"
                            + " found \(count); it counts as \(least)"
                    ]
                )
            }
        }
        let log = SectionErrorReporter()
        #expect(log.usable(0, as: .columnCount, least: 1) == 1 && log.count == 1)
        #expect(log.usable(-1, as: .itemCount) == 0 && log.count == 2)
    }

    @Test func anErrorNamesTheElementThatItBelongsTo() {
        let path = ItemPath(section: 3, item: 0)
        let background = SupplementaryKind(rawValue: "background")
        let places: [LayoutPlace: String] = [
            .cell(ItemPath(section: 2, item: 7)): "item 7 in section 2",
            .header(3): "the header of section 3", .footer(3): "the footer of section 3",
            LayoutPlace(.decoration(background), path): "decoration background at 3 - 0",
            LayoutPlace(.supplementary(background), path): "background at 3 - 0",
        ]
        for (place, phrase) in places {
            let log = SectionErrorReporter()
            _ = log.usable(-1, as: .supplementarySize, at: place)
            #expect(log.errors.first?.place == place)
            #expect(log.errors.first?.message.hasPrefix("supplementarySize of \(phrase):") == true)
        }
    }

    @Test func theFirstErrorsAreKeptAndAllCounted() {
        let log = SectionErrorReporter()
        #expect(log.count == 0)
        for number in 0..<100 {
            log.report(LayoutError(.spacing, message: "\(number)"))
            #expect(log.count == number + 1)
        }
        #expect(log.errors.map(\.message) == (0..<64).map { "\($0)" })
        #expect(log.diagnostics.count == 100 && log.diagnostics.errors == log.errors)
    }
}
