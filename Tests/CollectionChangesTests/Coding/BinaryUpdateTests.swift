import CollectionChanges
import TestSupport
import Testing

/// Updates in bytes: what is written comes back, what is not is an error.
@Suite struct BinaryUpdateTests {
    // MARK: There and back

    @Test func everySmallUpdateComesBackInBothForms() throws {
        let shapes = everyShape(sections: 2, itemsEach: 2, items: 2)
        var count = 0
        var sampling = Sampling()
        for old in shapes {
            for new in shapes {
                withEveryConsistentRecord(from: old, to: new) { changes in
                    guard sampling.takesNext(),
                        let update = try? changes.validated(from: old, to: new)
                    else { return }
                    count += 1
                    expectReturn(of: update, "\(old) to \(new), \(changes.operations)")
                }
            }
        }
        #expect(count > 100)
    }

    @Test func everyRandomUpdateComesBackInBothForms() throws {
        for seed in UInt64(0)..<Effort.number(300, usually: 40) {
            var updates = EncodableUpdates(seed: seed)
            expectReturn(of: try updates.next(), "seed \(seed)")
            expectReturn(of: try updates.next(sections: 300, items: 3), "seed \(seed), long")
        }
    }

    private func expectReturn(of update: ValidatedChangeSet, _ place: String) {
        do {
            let whole = try ValidatedChangeSet(decoding: update.encoded())
            let alone = try ValidatedChangeSet(
                decoding: update.encodedAlone(),
                from: update.oldShape
            )
            if ObservedUpdate(whole) != ObservedUpdate(update)
                || ObservedUpdate(alone) != ObservedUpdate(update)
            {
                Issue.record("\(place): another update")
            }
            if whole.encoded() != update.encoded() { Issue.record("\(place): other bytes") }
        } catch {
            Issue.record("\(place): \(error)")
        }
    }

    @Test func emptyUpdatesKeepWhetherSomethingWasRecorded() throws {
        for changes in [HierarchyChangeSet(), HierarchyChangeSet([.deleteItems([], .fade)])] {
            let update = try changes.validated(from: [2, 0], to: [2, 0])
            #expect(update.isEmpty == changes.isEmpty)
            expectReturn(of: update, "\(changes)")
        }
    }

    // MARK: Stability

    @Test func theBytesOfAnUpdateAreThoseOfTheFirstRelease() throws {
        var changes = HierarchyChangeSet()
        changes.deleteItems(at: [path(0, 2), path(0, 4)])
        changes.moveItem(at: path(0, 0), to: path(2, 1), animation: .fade)
        changes.insertSections([1])
        let update = try changes.validated(from: [5, 1], to: [2, 7, 2])
        // Version, kind; two sections of 5 and 1; deletes, moves, options, inserted sections; then each.
        let lists: [UInt8] = [
            0x69, 2, 0, 2, 2, 1, 2, 2, 1, 0, 1, 0, 1, 4, 4, 1, 1, 1, 1, 2, 7,
        ]
        #expect(update.encoded() == [1, 5, 2, 1, 5, 1] + lists)
        #expect(update.encodedAlone() == [1, 6, 2, 6] + lists)
    }

    // MARK: Size

    @Test func tenEditsTakeAtMostTenBytesEach() throws {
        for seed in UInt64(0)..<Effort.number(50, usually: 5) {
            var generator = SeededNumbers(seed: seed)
            for sections in [1, 1_000] {
                var changes = HierarchyChangeSet()
                let each = 1_000_000 / sections
                var counts = Array(repeating: each, count: sections)
                func draw() -> ItemPath {
                    path(generator.next(below: sections), generator.next(below: each))
                }
                var sources: [ItemPath] = []
                while sources.count < 6 {
                    let source = draw()
                    if !sources.contains(source) { sources.append(source) }
                }
                changes.deleteItems(at: Array(sources[0..<3]), animation: .fade)
                changes.reloadItems(at: Array(sources[3..<5]))
                sources[0..<3].forEach { counts[$0.section] -= 1 }
                let section = sources[5].section
                changes.moveItem(at: sources[5], to: path(section, 0))
                for item in 1...4 {
                    changes.insertItems(at: [path(section, item * 9)])
                    counts[section] += 1
                }
                let update = try changes.validated(
                    from: HierarchyShape(Array(repeating: each, count: sections)),
                    to: HierarchyShape(counts)
                )
                #expect(update.encodedAlone().count <= 100, "seed \(seed)")
                #expect(update.encoded().count <= 100, "seed \(seed)")
            }
        }
    }

    // MARK: Hostile bytes

    @Test func noCutAndNoLongerFormIsAccepted() throws {
        for seed in UInt64(0)..<Effort.number(1_000, usually: 20) {
            var updates = EncodableUpdates(seed: seed)
            let update = try updates.next()
            let whole = update.encoded()
            let alone = update.encodedAlone()
            for length in 0..<whole.count {
                let cut = Array(whole[..<length])
                let error = fault { () throws(BinaryDecodingError) in
                    try ValidatedChangeSet(decoding: cut)
                }
                guard let error else {
                    Issue.record("seed \(seed): accepted \(length) of \(whole.count) bytes")
                    continue
                }
                #expect(error.offset <= length && error.offset >= 0)
            }
            let longer = fault { () throws(BinaryDecodingError) in
                try ValidatedChangeSet(decoding: alone + [0], from: update.oldShape)
            }
            #expect(longer?.code == .trailingBytes, "seed \(seed)")
            #expect(longer?.offset == alone.count, "seed \(seed)")
        }
    }

    @Test func whateverABytesBecomesTheResultIsValidOrAnError() throws {
        for seed in UInt64(0)..<Effort.number(3, usually: 1) {
            var updates = EncodableUpdates(seed: seed)
            let update = try updates.next(sections: 3, items: 4)
            let bytes = update.encoded()
            for position in bytes.indices {
                var spoilt = bytes
                for value in stride(from: 0, through: 255, by: Effort.number(1, usually: 7)) {
                    spoilt[position] = UInt8(value)
                    expectSense(of: spoilt, "seed \(seed), byte \(position), value \(value)")
                }
            }
        }
    }

    @Test func anyMutilationIsValidOrAnError() throws {
        for seed in UInt64(0)..<Effort.number(5_000, usually: 600) {
            var updates = EncodableUpdates(seed: seed % 50)
            var mutilation = Mutilation(seed: seed)
            expectSense(of: mutilation.spoil(try updates.next().encoded()), "seed \(seed)")
        }
    }

    @Test func randomBytesAreValidOrAnError() {
        var generator = SeededNumbers(seed: 5)
        for round in 0..<Effort.number(40_000, usually: 5_000) {
            let count = generator.next(below: 24)
            let tail = (0..<count).map { _ in UInt8(generator.next(below: 1 + round % 256)) }
            expectSense(of: [1, 5] + tail, "round \(round)")
        }
    }

    /// Decodes; what comes out must be what validation gives for its own edits.
    private func expectSense(of bytes: [UInt8], _ place: String) {
        let limits = ShapeLimits(sections: 2_000, items: 1_000_000)
        guard let update = try? ValidatedChangeSet(decoding: bytes, limits: limits) else { return }
        do {
            let checked = try ValidatedChangeSet(
                checking: update.edits,
                from: update.oldShape,
                to: update.newShape,
                limits: limits
            )
            if Array(checked.edits) != Array(update.edits) { Issue.record("\(place): other edits") }
            let again = try ValidatedChangeSet(decoding: update.encoded(), limits: limits)
            if ObservedUpdate(again) != ObservedUpdate(update) {
                Issue.record("\(place): does not come back")
            }
        } catch {
            Issue.record("\(place): \(error)")
        }
    }

    @Test func countsReserveNothingThatTheBytesCannotHold() {
        // A number of sections of 2²⁴ in four bytes, and with a run.
        for tail: [UInt8] in [[], [255, 1], [127, 1]] {
            let error = fault { () throws(BinaryDecodingError) in
                try HierarchyShape(decoding: [1, 2, 0x80, 0x80, 0x80, 0x08] + tail)
            }
            #expect(error?.code == .countBeyondBytes)
            #expect(error?.offset == 2)
        }
        let items = fault { () throws(BinaryDecodingError) in
            try ValidatedChangeSet(decoding: [1, 5, 1, 0, 9, 0x01, 0xFF, 0xFF, 0x7F])
        }
        #expect(items?.code == .countBeyondBytes)
        #expect(items?.offset == 6)
    }

    @Test func whatAnotherEditCoversIsNotAccepted() throws {
        // The section is deleted, and an item of it.
        let bytes: [UInt8] = [1, 5, 1, 0, 3, 0x81, 0x01, 1, 0, 1, 1, 1, 0]
        let error = fault { () throws(BinaryDecodingError) in
            try ValidatedChangeSet(decoding: bytes)
        }
        #expect(error?.code == .notCanonical)
        // The item is deleted, and updated in place.
        let updated = fault { () throws(BinaryDecodingError) in
            try ValidatedChangeSet(decoding: [1, 5, 1, 0, 3, 0x11, 1, 0, 1, 0, 1, 0, 1, 0])
        }
        #expect(updated?.code == .notCanonical)
    }

    @Test func theVerdictOfValidationIsInTheError() throws {
        // An item is deleted at 9 of 3.
        let error = fault { () throws(BinaryDecodingError) in
            try ValidatedChangeSet(decoding: [1, 5, 1, 0, 3, 0x01, 1, 0, 1, 9])
        }
        #expect(error?.code == .rejected)
        #expect(error?.updateError?.code == .deleteItemRange)
        #expect(error?.updateError?.path == path(0, 9))
    }

    @Test func anotherStartIsNoticed() throws {
        let update = try HierarchyChangeSet([.deleteItems([path(0, 0)], .automatic)])
            .validated(from: [2, 1], to: [1, 1])
        let error = fault { () throws(BinaryDecodingError) in
            try ValidatedChangeSet(decoding: update.encodedAlone(), from: [2, 2])
        }
        #expect(error?.code == .otherStart)
    }

    @Test func shapesBeyondTheLimitsAreRejected() throws {
        let update = try HierarchyChangeSet([.insertItems([path(0, 0)], .automatic)])
            .validated(from: [2], to: [3])
        let bytes = update.encoded()
        let error = fault { () throws(BinaryDecodingError) in
            try ValidatedChangeSet(decoding: bytes, limits: ShapeLimits(sections: 1, items: 2))
        }
        #expect(error?.updateError?.code == .tooManyItems)
        _ = try ValidatedChangeSet(decoding: bytes, limits: ShapeLimits(sections: 1, items: 3))
    }

    // MARK: Texture

    @Test func whatTextureMadeComesBackOrIsRejected() throws {
        var (returned, rejected) = (0, 0)
        for seed in UInt64(0)..<1_000 {
            var records = RandomRecords(seed: seed)
            let draw = records.valid()
            guard
                let update = try? draw.changes
                    .validated(from: draw.old, to: draw.new, profile: .texture)
            else { continue }
            do {
                let read = try ValidatedChangeSet(decoding: update.encoded())
                #expect(Array(read.edits) == Array(update.edits), "seed \(seed)")
                returned += 1
            } catch {
                rejected += 1
            }
        }
        #expect(returned > 0 && rejected < returned / 10)
    }
}
