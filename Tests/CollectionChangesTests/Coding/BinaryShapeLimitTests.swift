import CollectionChanges
import TestSupport
import Testing

/// Shapes in bytes: what is just within a limit is read, and what is one beyond is not.
@Suite struct BinaryShapeLimitTests {
    private func error(
        _ bytes: [UInt8],
        sections: Int = .max,
        items: Int = .max
    ) -> BinaryDecodingError? {
        fault { () throws(BinaryDecodingError) in
            try HierarchyShape(
                decoding: bytes,
                limits: ShapeLimits(sections: sections, items: items)
            )
        }
    }

    @Test func moreSectionsThanTheLimitAreRejectedBeforeTheyAreRead() {
        for count in 0...5 {
            for shape in [
                HierarchyShape(Array(0..<count)), HierarchyShape(Array(repeating: 0, count: count)),
            ] {
                let bytes = shape.encoded()
                #expect(error(bytes, sections: count) == nil)
                for limit in 0..<count {
                    // With the counts, and without them.
                    for part in [bytes, Array(bytes.prefix(3))] {
                        let beyond = error(part, sections: limit)
                        #expect(beyond?.offset == 2)
                        #expect(beyond?.code == .rejected)
                        #expect(beyond?.updateError?.code == .tooManySections)
                        let text = "at most \(limit), but is \(count)"
                        #expect(beyond?.message.contains(text) == true)
                    }
                }
            }
        }
    }

    @Test func moreItemsThanTheLimitAreRejected() {
        let shapes: [(HierarchyShape, Int)] = [
            ([0], 0), ([0, 0], 0), ([1], 1), ([0, 2, 1], 3), ([7, 7, 7], 21), ([.max], .max),
            ([1, .max - 1], .max),
        ]
        for (shape, total) in shapes {
            let bytes = shape.encoded()
            #expect(error(bytes, items: total) == nil, "\(shape)")
            for limit in Set([0, total - 1]) where limit >= 0 && limit < total {
                let beyond = error(bytes, items: limit)
                #expect(beyond?.code == .rejected && beyond?.offset == 2, "\(shape)")
                #expect(beyond?.updateError?.code == .tooManyItems, "\(shape)")
            }
        }
        // More than there are integers.
        for shape in [[1, .max], [.max, 1], [.max, .max]] as [HierarchyShape] {
            #expect(error(shape.encoded())?.updateError?.code == .tooManyItems, "\(shape)")
        }
    }

    @Test func runsMustEndWithTheSections() {
        // After the number of sections: 0 and 1 are followed by one and two counts, 128 by one of two.
        let cases: [(bytes: [UInt8], offset: Int, text: String)] = [
            ([1, 1, 0, 0], 3, "with the 1 sections, but has 2 after 0"),
            ([1, 128, 0], 3, "with the 1 sections, but has 2 after 0"),
            ([2, 0, 5, 1, 5, 5], 5, "with the 2 sections, but has 2 after 1"),
            ([2, 0, 5, 128, 5], 5, "with the 2 sections, but has 2 after 1"),
            ([3, 128, 5, 128, 5], 5, "with the 3 sections, but has 2 after 2"),
        ]
        for (bytes, offset, text) in cases {
            let beyond = error([1, 2] + bytes)
            #expect(beyond?.code == .unknownValue && beyond?.offset == offset, "\(bytes)")
            #expect(beyond?.message.contains(text) == true, "\(beyond?.message ?? "")")
        }
    }

    @Test func ofSeveralWaysToWriteAShapeTheShortestIsWrittenAndAnyIsRead() throws {
        #expect(HierarchyShape([7, 7]).encoded() == [1, 2, 2, 128, 7])
        #expect(HierarchyShape([7, 7, 7]).encoded() == [1, 2, 3, 129, 7])
        #expect(HierarchyShape([1, 7, 7, 2]).encoded() == [1, 2, 4, 0, 1, 128, 7, 0, 2])
        for bytes in [[1, 7, 7], [0, 7, 0, 7], [128, 7]] as [[UInt8]] {
            #expect(try HierarchyShape(decoding: [1, 2, 2] + bytes) == [7, 7])
        }
    }

    // MARK: Updates

    @Test func anUpdateIsReadWithinTheLimitsOfBothShapesAndNotOneBelow() throws {
        for seed in UInt64(0)..<Effort.number(200, usually: 20) {
            var updates = EncodableUpdates(seed: seed)
            let update = try updates.next()
            let shapes = [update.oldShape, update.newShape]
            let sections = shapes.map(\.numberOfSections).max()!
            let items = shapes.map { $0.itemCounts.reduce(0, +) }.max()!
            func isRead(_ sections: Int, _ items: Int) -> [Bool] {
                let limits = ShapeLimits(sections: sections, items: items)
                let whole = try? ValidatedChangeSet(decoding: update.encoded(), limits: limits)
                let alone = try? ValidatedChangeSet(
                    decoding: update.encodedAlone(),
                    from: update.oldShape,
                    limits: limits
                )
                return [whole != nil, alone != nil]
            }
            #expect(isRead(sections, items) == [true, true], "seed \(seed)")
            if sections > 0 {
                #expect(isRead(sections - 1, items) == [false, false], "seed \(seed)")
            }
            if items > 0 { #expect(isRead(sections, items - 1) == [false, false], "seed \(seed)") }
        }
    }

    @Test func theShapeThatTheReaderHasIsWithinTheLimitsToo() throws {
        let changes = [HierarchyChangeSet(), HierarchyChangeSet([.reloadData(.fade)])]
        for (changes, new) in zip(changes, [[2, 3], [1]] as [HierarchyShape]) {
            let bytes = try changes.validated(from: [2, 3], to: new).encodedAlone()
            func error(_ sections: Int, _ items: Int) -> BinaryDecodingError? {
                fault { () throws(BinaryDecodingError) in
                    try ValidatedChangeSet(
                        decoding: bytes,
                        from: [2, 3],
                        limits: ShapeLimits(sections: sections, items: items)
                    )
                }
            }
            #expect(error(2, 5) == nil)
            for (sections, items, code) in [(1, 5, .tooManySections), (2, 4, .tooManyItems)]
                as [(Int, Int, HierarchyUpdateError.Code)]
            {
                let beyond = error(sections, items)
                #expect(beyond?.code == .rejected && beyond?.offset == 4)
                #expect(beyond?.updateError?.code == code)
            }
        }
    }

    @Test func anotherShapeOfAsManyItemsOrSectionsIsAnotherStart() throws {
        let update = try HierarchyChangeSet([.deleteItems([path(0, 0)], .automatic)])
            .validated(from: [2, 1], to: [1, 1])
        for shape in [[3], [1, 1, 1], [3, 0, 0], [2, 2], [2, 0], []] as [HierarchyShape] {
            let error = fault { () throws(BinaryDecodingError) in
                try ValidatedChangeSet(decoding: update.encodedAlone(), from: shape)
            }
            #expect(error?.code == .otherStart && error?.offset == 2, "\(shape)")
        }
    }

    /// Nobody can count its items, so that both sides take them for none.
    @Test func aShapeOfMoreItemsThanThereAreIntegersIsRejectedForThat() {
        let shape: HierarchyShape = [.max, 1]
        let bytes = ValidatedChangeSet.unchanged(shape).encodedAlone()
        for bytes in [bytes, [1, 6, 2, 0, 0x80, 0x20]] {
            let error = fault { () throws(BinaryDecodingError) in
                try ValidatedChangeSet(
                    decoding: bytes,
                    from: shape,
                    limits: ShapeLimits(sections: .max, items: .max)
                )
            }
            #expect(error?.code == .rejected && error?.updateError?.code == .tooManyItems)
        }
    }
}
