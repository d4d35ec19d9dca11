import CollectionChanges
import CollectionPublishing
import PipelineTestSupport
import Testing

@testable import CollectionReplication

/// The encoded forms of everything in or next to the log: valid bytes decode to the same value,
/// others are rejected.
@Suite("Forms of a replicated log", .endsHangs)
struct FormTests {
    /// The bytes of one form and the function that reads them.
    struct Form: Sendable {
        let name: String
        let bytes: [UInt8]
        let read: @Sendable ([UInt8], StableHashKey) throws(BinaryDecodingError) -> Void
    }

    static let forms: [Form] = {
        var forms: [Form] = []
        if let (chain, record) = try? Samples.update(),
            let opening = try? chain.opening(epoch: 2, writer: 4, jump: 9)
        {
            for (name, bytes) in [("record", record.bytes), ("opening", opening.bytes)] {
                forms.append(
                    Form(name: name, bytes: bytes) { (bytes, key) throws(BinaryDecodingError) in
                        _ = try LogRecord(decoding: bytes, key: key)
                    }
                )
            }
        }
        forms.append(
            Form(name: "snapshot", bytes: Samples.snapshot.encoded(key: .usual)) {
                (bytes, key) throws(BinaryDecodingError) in
                _ = try EncodableSnapshot(decoding: bytes, key: key, limits: ShapeLimits())
            }
        )
        forms.append(
            Form(name: "head", bytes: Samples.head.encoded(key: .usual)) {
                (bytes, key) throws(BinaryDecodingError) in
                _ = try LogHead(decoding: bytes, key: key)
            }
        )
        forms.append(
            Form(name: "lease", bytes: LogLease(writer: 5, epoch: 7).encoded(key: .usual)) {
                (bytes, key) throws(BinaryDecodingError) in
                _ = try LogLease(decoding: bytes, key: key)
            }
        )
        return forms
    }()

    private func isValue(_ form: Form, _ bytes: [UInt8], _ key: StableHashKey = .usual) -> Bool {
        do throws(BinaryDecodingError) {
            try form.read(bytes, key)
            return true
        } catch {
            // An error at an invalid offset is as wrong as a decoded value.
            return error.offset < 0 || error.offset > bytes.count
        }
    }

    /// Returns all variants that differ in one place, and many that differ more.
    private func spoiled(_ form: Form) -> [String: [UInt8]] {
        var spoiled: [String: [UInt8]] = [:]
        for length in form.bytes.indices {
            spoiled["first \(length)"] = Array(form.bytes.prefix(length))
            spoiled["last \(length)"] = Array(form.bytes.suffix(length))
            var shorter = form.bytes
            shorter.remove(at: length)
            // The length differs even if the next byte is equal.
            spoiled["without byte \(length)"] = shorter
            for bit in 0..<8 {
                var bytes = form.bytes
                bytes[length] ^= 1 << UInt8(bit)
                spoiled["bit \(bit) of byte \(length)"] = bytes
            }
        }
        for byte in UInt8.min ... .max {
            spoiled["\(byte) after"] = form.bytes + [byte]
            spoiled["\(byte) before"] = [byte] + form.bytes
        }
        var mutilation = Mutilation(seed: 11)
        for number in 0..<Effort.number(20_000, usually: 500) {
            spoiled["random \(number)"] = mutilation.spoil(form.bytes)
        }
        return spoiled.filter { $1 != form.bytes }
    }

    @Test func formsDecodeOnlyUndamagedWithTheirKeyAndType() {
        #expect(Self.forms.count == 5)
        for form in Self.forms {
            let found = (isValue(form, form.bytes), isValue(form, form.bytes, Samples.other))
            #expect(found == (true, false), "\(form.name)")
            let read = spoiled(form).filter { isValue(form, $1) }.keys
            #expect(read.isEmpty, "\(form.name)")
            // An opening is a record too.
            let kind = form.name == "opening" ? "record" : form.name
            let others = Self.forms.filter { $0.name != kind && $0.name != "opening" }
            let readers = others.filter { isValue($0, form.bytes) }
            #expect(readers.map(\.name) == [], "\(form.name)")
        }
    }

    // MARK: Round trips

    @Test func snapshotsRoundTrip() throws {
        // A missing payload differs from an empty text.
        let silent = PublishedContents.InsertedSection(
            section: PublishedSection(number: 1, payload: nil),
            items: [
                PublishedItem(number: 1, payload: nil),
                PublishedItem(number: 2, payload: PublishedPayload(utf8: "")),
            ]
        )
        let states =
            [PublishedState([silent], shape: [2])]
            + [[], [[]], [[""], ["a", "", "b"], []]].map { Samples.state($0) }
        for state in states {
            let form = EncodableSnapshot(
                position: Samples.position(4),
                numbers: LastNumbers(item: 70, section: 80),
                state: state,
                ancestors: state.sections.isEmpty ? [] : [1, 2].map { Samples.position($0) }
            )
            let read = try EncodableSnapshot(
                decoding: form.encoded(key: .usual),
                key: .usual,
                limits: ShapeLimits()
            )
            #expect(read.position == form.position && read.numbers == form.numbers)
            #expect(read.ancestors == form.ancestors)
            #expect(read.state == state && read.state.sections == state.sections)
        }
    }

    @Test func headsAndLeasesRoundTrip() throws {
        var head = Samples.head
        #expect(try LogHead(decoding: head.encoded(key: .usual), key: .usual) == head)
        head.previous = nil
        #expect(try LogHead(decoding: head.encoded(key: .usual), key: .usual) == head)
        var lease = LogLease(writer: .max, epoch: .max)
        lease.renewal = .max
        #expect(try LogLease(decoding: lease.encoded(key: .usual), key: .usual) == lease)
    }
}
