import CollectionChanges
import Testing

/// What all forms have in common: how they begin, and that they end with the bytes.
@Suite struct BinaryStartTests {
    private struct Form {
        let kind: UInt8
        let bytes: [UInt8]
        let decode: ([UInt8]) throws(BinaryDecodingError) -> Void
    }

    /// One value in each form.
    private func forms() throws -> [Form] {
        let place = path(300, 7)
        let shape: HierarchyShape = [3, 200, 200, 1]
        var changes = HierarchyChangeSet()
        changes.deleteItems(at: [path(0, 2), path(1, 100)], animation: .fade)
        changes.moveItem(at: path(1, 0), to: path(2, 3))
        changes.insertSections([1])
        changes.reloadSupplementaries(ofKind: .header, in: [0])
        let update = try changes.validated(from: shape, to: [2, 500, 199, 200, 1])
        return [
            Form(kind: 1, bytes: place.encoded()) { (bytes) throws(BinaryDecodingError) in
                _ = try ItemPath(decoding: bytes)
            },
            Form(kind: 2, bytes: shape.encoded()) { (bytes) throws(BinaryDecodingError) in
                _ = try HierarchyShape(decoding: bytes)
            },
            Form(kind: 3, bytes: changes.encoded()) { (bytes) throws(BinaryDecodingError) in
                _ = try HierarchyChangeSet(decoding: bytes)
            },
            Form(kind: 4, bytes: update.edits.encoded()) { (bytes) throws(BinaryDecodingError) in
                _ = try [HierarchyEdit](decoding: bytes)
            },
            Form(kind: 5, bytes: update.encoded()) { (bytes) throws(BinaryDecodingError) in
                _ = try ValidatedChangeSet(decoding: bytes)
            },
            Form(kind: 6, bytes: update.encodedAlone()) { (bytes) throws(BinaryDecodingError) in
                _ = try ValidatedChangeSet(decoding: bytes, from: shape)
            },
        ]
    }

    private func error(_ form: Form, _ bytes: [UInt8]) -> BinaryDecodingError? {
        fault { () throws(BinaryDecodingError) in try form.decode(bytes) }
    }

    @Test func anotherVersionIsToldBeforeAllElse() throws {
        for form in try forms() {
            #expect(error(form, form.bytes) == nil)
            for version in UInt8.min...UInt8.max where version != 1 {
                for bytes in [[version], [version] + form.bytes.dropFirst()] {
                    let error = error(form, bytes)
                    #expect(error?.code == .unknownVersion && error?.offset == 0, "\(version)")
                }
            }
        }
    }

    @Test func anotherKindIsToldBeforeTheValueIsRead() throws {
        for form in try forms() {
            #expect(form.bytes[1] == form.kind)
            for kind in UInt8.min...UInt8.max where kind != form.kind {
                for bytes in [[1, kind], [1, kind] + form.bytes.dropFirst(2)] {
                    let error = error(form, bytes)
                    #expect(error?.code == .otherKind && error?.offset == 1, "\(kind)")
                }
            }
        }
    }

    @Test func everyCutIsFoundWhereTheBytesEndOrWhereTheyAreCounted() throws {
        for form in try forms() {
            for length in form.bytes.indices {
                let error = error(form, Array(form.bytes[..<length]))
                switch error?.code {
                case .truncated?: #expect(error?.offset == length, "\(form.kind), \(length)")
                case .countBeyondBytes?:
                    #expect((2..<length).contains(error!.offset), "\(form.kind), \(length)")
                default: Issue.record("kind \(form.kind), \(length) bytes: \(error as Any)")
                }
            }
        }
    }

    @Test func whatFollowsAValueIsFoundWhereItBegins() throws {
        for form in try forms() {
            for more in 1...3 {
                let error = error(form, form.bytes + Array(repeating: 0, count: more))
                #expect(error?.code == .trailingBytes && error?.offset == form.bytes.count)
                #expect(error?.message.contains("but \(more) more follow") == true)
            }
        }
    }

    // MARK: Edits and runs of sections

    @Test func everyByteThatNoEditBeginsWithIsRejected() {
        for head in UInt8.min...UInt8.max {
            // More than any edit takes.
            let bytes = [1, 4, 1, head] + Array(repeating: UInt8(0), count: 6)
            let error = fault { () throws(BinaryDecodingError) in
                try [HierarchyEdit](decoding: bytes)
            }
            let isItem = head & 3 == 0 || head & 3 == 3
            let isKnown = head < 128 && !(isItem && head & 64 != 0)
            #expect(error?.code == (isKnown ? .trailingBytes : .unknownValue), "\(head)")
            if !isKnown { #expect(error?.offset == 3, "\(head)") }
        }
    }

    @Test func runsOfSectionsThatEndBeforeTheyBeginAreRejected() {
        /// Deletes sections, with the usual option: pairs of a lower bound and how far the upper one is beyond it.
        func reading(_ runs: [(lower: Int, length: UInt64)]) -> BinaryDecodingError? {
            var writer = ByteWriter()
            writer.raw([1, 3, 1, 6, 2, UInt8(runs.count)])
            var last = 0
            for (lower, length) in runs {
                writer.step(from: last, to: lower)
                writer.unsigned(length)
                last = lower &+ Int(truncatingIfNeeded: length)
            }
            let bytes = writer.bytes
            return fault { () throws(BinaryDecodingError) in
                try HierarchyChangeSet(decoding: bytes)
            }
        }
        let largest = UInt64(Int.max)
        #expect(reading([(0, largest)]) == nil)
        #expect(reading([(1, largest - 1)]) == nil)
        for length in [largest, largest + 1, .max] {
            let beyond = reading([(1, length)])
            #expect(beyond?.code == .outOfOrder && beyond?.offset == 6, "\(length)")
        }
        // Nothing comes before the smallest.
        let again = reading([(.min, 0), (.min, 0)])
        #expect(again?.code == .outOfOrder && again?.offset == 6 + 10 + 1)
    }
}
