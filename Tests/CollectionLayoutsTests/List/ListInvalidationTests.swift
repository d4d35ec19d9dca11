import Testing

@testable import CollectionLayouts

/// What a list asks about again, and when.
@Suite("What a list does again")
struct ListInvalidationTests {
    private func host(_ counts: [Int]) -> ScriptedHost {
        let host = ScriptedHost(counts.map { .uniform($0, 1, 10) })
        host.metrics?.isWritingDown = true
        return host
    }

    private func rows(_ host: ScriptedHost, since count: Int = 0) -> [String] {
        (host.metrics?.questions ?? []).dropFirst(count).filter { $0.hasPrefix("size") }
    }

    private let properties: [(of: (ListLayout, Double) -> Void, height: Double)] = [
        ({ $0.rowHeight = $1 }, 44), ({ $0.sectionHeaderHeight = $1 }, 0),
        ({ $0.sectionFooterHeight = $1 }, 0),
    ]

    // MARK: Properties

    @Test func aHeightThatChangesInvalidatesEverythingAndOneThatStaysNothing() {
        for property in properties {
            let host = ScriptedHost([ScriptedSection(items: [nil, nil])])
            let layout = host.lay(ListLayout())
            let asked = layout.work.askedSizes
            #expect(asked == 2)
            property.of(layout, property.height)
            #expect(host.contexts.isEmpty)
            property.of(layout, 5)
            property.of(layout, 5)
            #expect(host.contexts.count == 1 && host.contexts[0].isPartial == false)
            layout.prepare()
            #expect(layout.work.askedSizes == asked + 2)
            let all = layout.layoutAttributesForElements(in: everywhere).map(\.size.height)
            #expect(all.contains(5))
            layout.prepare()
            #expect(layout.work.askedSizes == asked + 2)
        }
    }

    /// By a subclass, or by the answer to a question; the latter counts for the next pass.
    @Test func whatIsSetWhilePreparingIsNotSaidToTheView() {
        for property in properties {
            let host = ScriptedHost([ScriptedSection(items: [nil, nil])])
            let layout = ListLayout()
            layout.attach(to: host)
            host.metrics?.onSize = { property.of(layout, 5) }
            layout.prepare()
            host.metrics?.onSize = nil
            #expect(host.contexts.isEmpty)
            let asked = layout.work.askedSizes
            layout.prepare()
            #expect(layout.work.askedSizes == asked + 2)
            let all = layout.layoutAttributesForElements(in: everywhere).map(\.size.height)
            #expect(all.contains(5))
        }
    }

    @Test func preparingWithinAQuestionDoesNothing() {
        let host = host([3])
        let layout = ListLayout()
        host.metrics?.onSize = { layout.prepare() }
        #expect(host.lay(layout).collectionViewContentSize.height == 30)
        #expect(layout.work.askedSizes == 3)
        layout.invalidateLayout()
        layout.prepare()
        #expect(layout.work.askedSizes == 6)
    }

    // MARK: Contexts

    @Test func listedRowsAreAskedAboutInTheirOrder() {
        let host = host([9, 9, 9])
        let layout = host.lay(ListLayout())
        let context = LayoutInvalidationContext()
        let paths = [2, 0, 1].flatMap { section in
            [7, 2, 5].map { ItemPath(section: section, item: $0) }
        }
        let none = [(0, 9), (0, -1), (3, 0), (-1, 0)].map { ItemPath(section: $0, item: $1) }
        context.invalidateItems(at: paths + none)
        let asked = host.metrics?.questions.count ?? 0
        host.sections[1].items[5]?.height = 17
        layout.invalidateLayout(with: context)
        layout.prepare()
        let questions = Array(host.metrics?.questions.dropFirst(asked) ?? [])
        let expected = (0...2).flatMap { section in
            ["metrics \(section)"] + [2, 5, 7].map { "size \(section) - \($0)" }
        }
        #expect(questions == expected)
        #expect(layout.collectionViewContentSize.height == 277)
        #expect(layout.frames(ofSection: 1)[5].size.height == 17)
    }

    /// Whatever else it says, and whatever was said before.
    @Test func anUpdateAfterEverythingWasInvalidatedAsksForEverything() throws {
        for kind in 0...3 {
            let host = host([3, 4])
            let layout = host.lay(ListLayout())
            let asked = host.metrics?.questions.count ?? 0
            switch kind {
            case 0: layout.invalidateLayout()
            case 1:
                let context = LayoutInvalidationContext()
                context.invalidatesEverything = true
                layout.invalidateLayout(with: context)
            case 2:
                let context = LayoutInvalidationContext()
                context.invalidatesEverything = true
                context.invalidatesDataSourceCounts = true
                layout.invalidateLayout(with: context)
            default: break
            }
            var sections = host.sections
            sections[0].items.append(Size(width: 1, height: 12))
            try layout.update(host, to: sections) {
                $0.insertItems(at: [ItemPath(section: 0, item: 3)])
            }
            #expect(rows(host, since: asked).count == (kind == 3 ? 1 : 8))
            #expect(layout.collectionViewContentSize.height == 82)
        }
    }

    @Test func countsThatAreOthersWithoutAnUpdateAskForEverything() {
        for isForeign in [false, true] {
            let host = host([3, 4])
            let layout = host.lay(ListLayout())
            let asked = host.metrics?.questions.count ?? 0
            let context = LayoutInvalidationContext()
            context.invalidatesDataSourceCounts = true
            context.invalidatesEverything = isForeign
            host.sections.removeLast()
            layout.invalidateLayout(with: context)
            layout.prepare()
            #expect(rows(host, since: asked).count == 3)
            #expect(layout.collectionViewContentSize.height == 30)
        }
    }

    // MARK: Updates

    private func apply(
        _ layout: CollectionLayout,
        _ record: (inout HierarchyChangeSet) -> Void,
        from old: HierarchyShape,
        to new: HierarchyShape
    ) throws {
        var changes = HierarchyChangeSet()
        record(&changes)
        let update = try changes.validated(from: old, to: new)
        let context = type(of: layout).invalidationContextClass.init()
        context.invalidatesDataSourceCounts = true
        layout.invalidateLayout(with: context)
        layout.prepare(applying: update)
    }

    /// Other counts than those that the update leads from or to, or a reload of all data.
    @Test func anUpdateThatDoesNotFitAsksForEverything() throws {
        let first = ItemPath(section: 0, item: 0)
        let cases: [(counts: [Int], old: HierarchyShape, new: HierarchyShape, reloads: Bool)] = [
            ([3, 2], [3, 2], [3, 2], true),
            ([4, 2], [2, 2], [3, 2], false), ([4, 2], [3, 2, 1], [4, 2, 1], false),
            ([5, 2], [3, 2], [4, 2], false), ([4, 2, 1], [3, 2], [4, 2], false),
            ([4], [3, 2], [4, 2], false),
        ]
        for (counts, old, new, reloads) in cases {
            let host = host([3, 2])
            let layout = host.lay(ListLayout())
            let asked = host.metrics?.questions.count ?? 0
            host.sections = counts.map { .uniform($0, 1, 11) }
            try apply(
                layout,
                { changes in
                    if reloads { changes.reloadData() } else { changes.insertItems(at: [first]) }
                },
                from: old,
                to: new
            )
            #expect(
                layout.collectionViewContentSize.height == 11 * Double(counts.reduce(0, +)),
                "\(counts)"
            )
            // What fits is found out as it is applied, and asked about again.
            let all = counts.enumerated().flatMap { section, count in
                (0..<count).map { "size \(section) - \($0)" }
            }
            #expect(rows(host, since: asked).suffix(all.count) == all[...], "\(counts)")
        }
    }

    /// In order, and of no other section; rows are not asked about.
    @Test func reloadedSupplementariesAreAskedAboutAlone() throws {
        let host = host([3, 2, 1, 4, 2])
        let layout = host.lay(ListLayout())
        let asked = host.metrics?.questions.count ?? 0
        for index in host.sections.indices {
            host.sections[index].header = Double(index + 1)
            host.sections[index].footer = Double(index + 10)
        }
        let shape = host.shape
        try apply(
            layout,
            { changes in
                changes.reloadSupplementaries(ofKind: .header, in: [4, 0])
                changes.reloadSupplementaries(ofKind: .footer, in: [2])
            },
            from: shape,
            to: shape
        )
        let questions = Array(host.metrics?.questions.dropFirst(asked) ?? [])
        #expect(questions == [0, 2, 4].map { "metrics \($0)" })
        let headers = (0..<5).map { layout.frame(.header($0))?.size.height }
        #expect(headers == [1, nil, 3, nil, 5])
        let footers = (0..<5).map { layout.frame(.footer($0))?.size.height }
        #expect(footers == [10, nil, 12, nil, 14])
    }

    /// An update of what the layout does not have moves nothing: nobody knows where it was.
    @Test func viewsComeFromWhereTheyWereIfTheUpdateIsOfWhatThereWas() throws {
        for layout in [FlowLayout(), ListLayout()] as [CollectionLayout] {
            for fits in [true, false] {
                let host = ScriptedHost([.uniform(3, 320, 10)])
                host.sections[0].line = 0
                _ = host.lay(layout)
                host.sections[0].items.insert(Size(width: 320, height: 30), at: 0)
                if !fits { host.sections[0].items.removeLast() }
                try apply(
                    layout,
                    { $0.insertItems(at: [ItemPath(section: 0, item: 0)]) },
                    from: fits ? [3] : [2],
                    to: fits ? [4] : [3]
                )
                let place = LayoutPlace.cell(ItemPath(section: 0, item: 1))
                let coming = layout.initialLayoutAttributes(forAppearing: place)
                #expect(coming?.frame.minY == (fits ? 0 : nil))
                // To ask where it was leaves it where it is.
                #expect(layout.frame(place)?.minY == 30)
                #expect(layout.collectionViewContentSize.height == (fits ? 60 : 50))
                layout.finalizeCollectionViewUpdates()
            }
        }
    }

    /// Headers slide with their sections; what is replaced without a word fades.
    @Test func theOptionsAreThoseOfWhatCameOrWent() throws {
        var headed = ScriptedSection.uniform(2, 1, 10)
        headed.header = 6
        let host = ScriptedHost([headed, headed])
        let layout = ListLayout()
        _ = host.lay(layout)
        // The second section goes, another comes before the first, whose second row is replaced.
        try layout.update(host, to: [headed, headed]) { changes in
            changes.deleteSections([1], animation: .trailing)
            changes.insertSections([0], animation: .leading)
            changes.reloadItems(at: [ItemPath(section: 0, item: 1)])
        }
        func path(_ section: Int, _ item: Int) -> LayoutPlace {
            .cell(ItemPath(section: section, item: item))
        }
        func coming(_ place: LayoutPlace) -> [Double]? {
            layout.initialLayoutAttributes(forAppearing: place).map {
                [$0.frame.minX, $0.frame.minY, $0.frame.height, $0.alpha]
            }
        }
        func going(_ place: LayoutPlace) -> [Double]? {
            layout.finalLayoutAttributes(forDisappearing: place).map {
                [$0.frame.minX, $0.frame.minY, $0.frame.height, $0.alpha]
            }
        }
        #expect(coming(.header(0)) == [-320, 0, 6, 1])
        #expect(coming(path(0, 0)) == [-320, 6, 10, 1])
        #expect(coming(.header(1)) == [0, 0, 6, 1])
        #expect(coming(path(1, 0)) == [0, 6, 10, 1])
        #expect(coming(path(1, 1)) == [0, 42, 10, 0])
        #expect(going(.header(1)) == [320, 26, 6, 1])
        #expect(going(path(1, 0)) == [320, 32, 10, 1])
        #expect(going(.header(0)) == [0, 26, 6, 1])
        #expect(going(path(0, 0)) == [0, 32, 10, 1])
        #expect(going(path(0, 1)) == [0, 16, 10, 0])
    }
}

extension Rect {
    fileprivate var height: Double { size.height }
}
