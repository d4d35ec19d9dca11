import CollectionChanges
import TestSupport
import Testing

/// Arbitrary bytes: each input is an error with its place or a valid value, and never a trap.
@Suite struct HostileBytesTests {
    /// A value in one of the three forms.
    private struct Form {
        let kind: UInt8
        let bytes: [UInt8]
        /// Reads bytes and returns the first fault of the value.
        let read: ([UInt8]) throws(BinaryDecodingError) -> String?
    }

    private static let limits = ShapeLimits(sections: 2_000, items: 1_000_000)

    private static func forms(of update: ValidatedChangeSet) -> [Form] {
        let old = update.oldShape
        return [
            Form(kind: 2, bytes: old.encoded()) { (bytes) throws(BinaryDecodingError) in
                let shape = try HierarchyShape(decoding: bytes, limits: limits)
                let again = try HierarchyShape(decoding: shape.encoded(), limits: limits)
                return again == shape ? nil : "does not round-trip"
            },
            Form(kind: 5, bytes: update.encoded()) { (bytes) throws(BinaryDecodingError) in
                defect(of: try ValidatedChangeSet(decoding: bytes, limits: limits))
            },
            Form(kind: 6, bytes: update.encodedWithoutShape()) {
                (bytes) throws(BinaryDecodingError) in
                defect(of: try ValidatedChangeSet(decoding: bytes, from: old, limits: limits))
            },
        ]
    }

    private static func forms() throws -> [Form] {
        var updates = try BinaryFormTests.updates.map { try $0.update() }
        for seed in UInt64(0)..<Effort.number(100, usually: 6) {
            var random = EncodableUpdates(seed: seed)
            updates.append(try random.next(sections: 3, items: 4))
        }
        return updates.flatMap(forms(of:))
    }

    /// A decoded update must equal the validation of its own edits, and round-trip.
    private static func defect(of update: ValidatedChangeSet) -> String? {
        do {
            let checked = try ValidatedChangeSet(
                checking: update.edits,
                from: update.oldShape,
                to: update.newShape,
                limits: limits
            )
            if Array(checked.edits) != Array(update.edits) { return "wrong edits" }
            let again = try ValidatedChangeSet(decoding: update.encoded(), limits: limits)
            return ObservedUpdate(again) == ObservedUpdate(update) ? nil : "does not round-trip"
        } catch {
            return "\(error)"
        }
    }

    /// Returns the first fault of reading the bytes.
    private func readingFault(of bytes: [UInt8], _ form: Form) -> String? {
        do throws(BinaryDecodingError) {
            return try form.read(bytes)
        } catch {
            let isWithin = (0...bytes.count).contains(error.offset)
            return isWithin ? nil : "\(error.code) is at \(error.offset) of \(bytes.count)"
        }
    }

    // MARK: Truncations and flipped bits

    @Test func truncatedReplacedAndTrailingBytesAreErrorsAtTheirPlaces() throws {
        for form in try Self.forms() {
            func error(_ bytes: [UInt8]) -> BinaryDecodingError? { fault(of: try form.read(bytes)) }
            var faults: [String] = []
            func expect(_ bytes: [UInt8], _ code: BinaryDecodingError.Code, at offset: Int) {
                let found = error(bytes)
                if found?.code == code, found?.offset == offset { return }
                faults.append("\(bytes): expected \(code) at \(offset), found \(found as Any)")
            }
            for length in form.bytes.indices {
                let cut = Array(form.bytes[..<length])
                if let found = error(cut), found.code == .countBeyondBytes,
                    (2..<length).contains(found.offset)
                {
                    continue
                }
                expect(cut, .truncated, at: length)
            }
            for other in UInt8.min...UInt8.max {
                if other != 1 {
                    expect([other], .unknownVersion, at: 0)
                    expect([other] + form.bytes.dropFirst(), .unknownVersion, at: 0)
                }
                if other != form.kind {
                    expect([1, other], .typeMismatch, at: 1)
                    expect([1, other] + form.bytes.dropFirst(2), .typeMismatch, at: 1)
                }
            }
            for more in 1...3 {
                let longer = form.bytes + Array(repeating: 0, count: more)
                expect(longer, .trailingBytes, at: form.bytes.count)
                let text = "but \(more) more follow"
                if error(longer)?.message.contains(text) != true { faults.append(text) }
            }
            #expect(faults.first == nil, "kind \(form.kind)")
        }
    }

    @Test func flippedMutilatedAndRandomBytesAreErrorsOrValidValues() throws {
        let forms = try Self.forms()
        var faults: [String] = []
        func check(_ bytes: [UInt8], _ form: Form, _ what: String) {
            if let fault = readingFault(of: bytes, form) { faults.append("\(what): \(fault)") }
        }
        for form in forms {
            for bit in 0..<(8 * form.bytes.count) {
                var corrupted = form.bytes
                corrupted[bit / 8] ^= 1 << UInt8(bit % 8)
                check(corrupted, form, "bit \(bit) of \(form.bytes)")
            }
        }
        for seed in UInt64(0)..<Effort.number(20_000, usually: 2_000) {
            var mutilation = Mutilation(seed: seed)
            var random = SeededNumbers(seed: seed)
            let form = forms[random.next(below: forms.count)]
            let tail = (0..<random.next(below: 24)).map { _ in
                UInt8(random.next(below: 1 + Int(seed % 256)))
            }
            for bytes in [mutilation.spoil(form.bytes), [1, form.kind] + tail] {
                check(bytes, form, "seed \(seed), \(bytes)")
            }
        }
        #expect(faults.first == nil)
    }

    // MARK: Faults made by hand

    /// The bytes; then the code and place of the error, and the verdict of validation. `N` is nine
    /// bytes of ones, and `L` is the largest integer. Shapes start after the kind. Updates start
    /// from two sections with three items each; their bytes follow the parts, whose bits are
    /// listed.
    private static let faults = """
        shape 128 0: overlongInteger 2
        shape 128 128 0: overlongInteger 2
        shape N 1: integerOverflow 2
        shape N 2: integerOverflow 2
        shape N 129: integerOverflow 2
        shape 1 0 L: rejected 2 tooManyItems
        shape 1 0 N 1: rejected 2 negativeItemCount
        shape 2 1 L L: rejected 2 tooManyItems
        shape 128 128 4: countBeyondBytes 2
        shape 128 128 4 255 1: countBeyondBytes 2
        shape 128 128 4 127 1: countBeyondBytes 2
        shape 1 1 0 0: unknownValue 3
        shape 1 128 0: unknownValue 3
        shape 2 0 5 1 5 5: unknownValue 5
        shape 2 0 5 128 5: unknownValue 5
        shape 3 128 5 128 5: unknownValue 5
        none:
        12:
        0, 3 0 2 0 0 0 1 0:
        0, 1 0 0 0 1 0: unknownValue 8
        0, 1 0 2 0 0: unknownValue 8
        0, 3 0 2 0 0 0 2 0 0: unknownValue 12
        0, 3 0 2 0 0 0 3 0 0 0: unknownValue 12
        0+5, 2 0 2 0 0 2 4:
        0+5, 2 0 2 0 0 1 4 1 2:
        0+5, 2 0 2 0 0 0 4 2 4: unknownValue 11
        0+5, 2 0 2 0 0 3 4: unknownValue 11
        0+5, 2 0 2 0 0 1 4 0 4: unknownValue 13
        0+5, 2 0 2 0 0 1 4 2 4: unknownValue 13
        0, 1 0 1 9: rejected 5 deleteItemRange
        0, 2 0 1 0 L 1 0: integerOverflow 10
        0, 2 0 2 0 L: integerOverflow 10
        0, 255 255 127: countBeyondBytes 6
        7, 1 1:
        7, 1 2: rejected 5
        7, 3 0 0 0: rejected 5
        6, 1 2 4:
        6, 1 3 4: rejected 5
        9, 1 0 2:
        9, 1 0 4: rejected 5
        9, 1 0 1: rejected 5
        9, 1 2 1: rejected 5
        9, 2 0 0 0 1: rejected 5
        7+9, 1 0 1 1 1:
        7+9, 1 0 1 0 2: rejected 5
        10, 2 1 97 1 0 1 98 1 0:
        10, 2 1 98 1 0 1 97 1 0: outOfOrder 12
        10, 2 1 97 1 0 1 97 1 0: outOfOrder 12
        10, 1 1 97 0: unknownValue 10
        10, 1 1 195 1 0: invalidText 9
        10, 1 9 195 169 1 0: countBeyondBytes 8
        10, 2 1 97 2 7 0 1 98 1 9: rejected 5 supplementarySectionRange
        0+7, 1 0 1 1 1 0: notCanonical 5
        0+4, 1 0 1 0 1 0 1 0: notCanonical 5
        """

    private static func bytes(_ text: Substring) -> [UInt8] {
        text.split(separator: " ").flatMap { word -> [UInt8] in
            let ones = Array(repeating: UInt8(0xFF), count: 9)
            return word == "N" ? ones : word == "L" ? ones.dropLast() + [0x7F] : [UInt8(word)!]
        }
    }

    private static func update(_ parts: UInt64, _ lists: [UInt8]) -> [UInt8] {
        var writer = ByteWriter()
        writer.raw([1, 5, 2, 128, 3])
        writer.unsigned(parts)
        writer.raw(lists)
        return writer.bytes
    }

    private func difference(_ bytes: [UInt8], _ expected: String) -> String? {
        let limits = ShapeLimits(sections: .max, items: 1 << 40)
        let error =
            bytes[1] == 2
            ? fault(of: try HierarchyShape(decoding: bytes, limits: limits))
            : fault(of: try ValidatedChangeSet(decoding: bytes))
        let verdict = error?.updateError.map { " \($0.code.rawValue)" } ?? ""
        let found = error.map { "\($0.code.rawValue) \($0.offset)\(verdict)" } ?? ""
        if error?.updateError?.operationIndex != nil { return "an operation is set" }
        return found == expected ? nil : "\(bytes): expected \(expected), found \(found)"
    }

    @Test func everyFaultHasItsCodeAndPlace() {
        for line in Self.faults.split(separator: "\n") {
            let sides = line.split(separator: ":", omittingEmptySubsequences: false)
            let bytes: [UInt8]
            if sides[0].hasPrefix("shape") {
                bytes = [1, 2] + Self.bytes(sides[0].dropFirst(6))
            } else {
                let read = sides[0].split(separator: ",")
                let bits = read[0].split(separator: "+").compactMap { UInt64($0) }
                let lists = read.count > 1 ? Self.bytes(read[1]) : []
                bytes = Self.update(bits.reduce(0) { $0 | 1 << $1 }, lists)
            }
            #expect(difference(bytes, String(sides[1].dropFirst())) == nil)
        }
    }

    @Test func unknownEmptyAndConflictingPartsAreErrors() {
        for part in UInt64(0)...63 {
            for other in [part, 0, 11, 12] {
                let isWhole = part == 12 && other == 12 || part == 5 && other == 5
                // A shape follows the reload.
                if isWhole || part == 11 && other == 11 { continue }
                let isKnown = max(part, other) <= 10
                // The first list is empty.
                let place = max(part, other) < 7 ? 6 : 7
                let bytes = Self.update(1 << part | 1 << other, [0])
                #expect(difference(bytes, "unknownValue \(isKnown ? place : 5)") == nil)
            }
        }
    }

    // MARK: Limits and start shapes

    @Test func onlyValuesWithinTheLimitsAreRead() throws {
        for seed in UInt64(0)..<Effort.number(200, usually: 30) {
            var updates = EncodableUpdates(seed: seed)
            var update = try updates.next()
            if seed.isMultiple(of: 5) { update = .unchanged(update.oldShape) }
            let shapes = [update.oldShape, update.newShape]
            /// Whether each form is read: the old shape, the update, and the update without its
            /// shape.
            func isRead(_ limits: ShapeLimits) -> [Bool] {
                let (whole, alone) = (update.encoded(), update.encodedWithoutShape())
                return [
                    (try? HierarchyShape(decoding: shapes[0].encoded(), limits: limits)) != nil,
                    (try? ValidatedChangeSet(decoding: whole, limits: limits)) != nil,
                    (try? ValidatedChangeSet(decoding: alone, from: shapes[0], limits: limits))
                        != nil,
                ]
            }
            let sections = shapes.map(\.numberOfSections)
            let items = shapes.map { $0.itemCounts.reduce(0, +) }
            for (sectionLimit, itemLimit) in [
                (sections.max()!, items.max()!), (sections.max()! - 1, items.max()!),
                (sections.max()!, items.max()! - 1), (sections[0], items[0]),
                (sections[1], items[1]),
            ] where sectionLimit >= 0 && itemLimit >= 0 {
                let fits = [0, 1].map { sections[$0] <= sectionLimit && items[$0] <= itemLimit }
                let isUpdateRead = fits[0] && fits[1]
                let found = isRead(ShapeLimits(sections: sectionLimit, items: itemLimit))
                #expect(found == [fits[0], isUpdateRead, isUpdateRead], "seed \(seed)")
            }
        }
    }

    @Test func anUpdateWithoutShapeNeedsAShapeWithTheSameTotals() throws {
        let update = try HierarchyChangeSet([.deleteItems([path(0, 0)], .automatic)])
            .validated(from: [2, 1], to: [1, 1])
        for shape in [[3], [1, 1, 1], [3, 0, 0], [2, 2], [2, 0], []] as [HierarchyShape] {
            let error = fault(
                of: try ValidatedChangeSet(decoding: update.encodedWithoutShape(), from: shape)
            )
            #expect(error?.code == .stateMismatch && error?.offset == 2, "\(shape)")
        }
    }
}
