import CollectionChanges
import Testing

/// The parts of a value: each at its largest, at the end of the bytes, and one beyond.
@Suite struct ByteReaderTests {
    private func reading<Value>(
        _ bytes: [UInt8],
        _ body: (inout ByteReader) throws(BinaryDecodingError) -> Value
    ) -> Result<Value, BinaryDecodingError> {
        bytes.withUnsafeBytes { bytes in
            var reader = ByteReader(bytes)
            do throws(BinaryDecodingError) {
                return .success(try body(&reader))
            } catch {
                return .failure(error)
            }
        }
    }

    private func error<Value>(_ result: Result<Value, BinaryDecodingError>) -> BinaryDecodingError?
    {
        if case .failure(let error) = result { error } else { nil }
    }

    private func value<Value>(_ result: Result<Value, BinaryDecodingError>) -> Value? {
        if case .success(let value) = result { value } else { nil }
    }

    @Test func everyIntegerEndsWithItsBytesAndIsReadInTheFewest() {
        var numbers: [UInt64] = [0, 1, .max - 1, .max]
        for length in 1...9 {
            let next: UInt64 = 1 << (7 * length)
            numbers += [next - 1, next]
        }
        for number in numbers {
            var writer = ByteWriter()
            writer.unsigned(number)
            let bytes = writer.bytes
            func unsigned(_ bytes: [UInt8]) -> Result<UInt64, BinaryDecodingError> {
                reading(bytes) { (reader) throws(BinaryDecodingError) in try reader.unsigned() }
            }
            #expect(value(unsigned(bytes)) == number)
            for length in bytes.indices {
                let cut = error(unsigned(Array(bytes[..<length])))
                #expect(cut?.code == .truncated && cut?.offset == length, "\(number), \(length)")
            }
            // One byte more, which says nothing.
            let longer = error(unsigned(bytes.dropLast() + [bytes.last! | 0x80, 0]))
            let isLongest = bytes.count == 10
            #expect(longer?.code == (isLongest ? .integerOverflow : .overlongInteger), "\(number)")
            #expect(longer?.offset == 0)
        }
    }

    @Test func anIndexIsAtMostTheLargestInteger() {
        for number in [UInt64(Int.max) - 1, UInt64(Int.max), UInt64(Int.max) + 1, .max] {
            var writer = ByteWriter()
            writer.byte(9)
            writer.unsigned(number)
            let result = reading(writer.bytes) { (reader) throws(BinaryDecodingError) in
                _ = try reader.byte()
                return try reader.index()
            }
            #expect(value(result) == Int(exactly: number))
            if value(result) == nil {
                #expect(error(result)?.code == .integerOverflow && error(result)?.offset == 1)
            }
        }
    }

    @Test func whatLiesBeyondTheLargestIndexIsAnErrorWhereItsGapBegins() {
        let ends = [0, 1, 127, 128, Int.max - 128, Int.max - 1, Int.max]
        for gap in ends {
            var writer = ByteWriter()
            writer.byte(9)
            writer.index(gap)
            func next(after last: Int?) -> Result<Int, BinaryDecodingError> {
                reading(writer.bytes) { (reader) throws(BinaryDecodingError) in
                    _ = try reader.byte()
                    return try reader.ascending(after: last)
                }
            }
            #expect(value(next(after: nil)) == gap)
            for last in ends {
                let expected = gap < Int.max - last ? last + gap + 1 : nil
                let result = next(after: last)
                #expect(value(result) == expected, "\(gap) after \(last)")
                if expected == nil {
                    #expect(error(result)?.code == .integerOverflow, "\(gap) after \(last)")
                    #expect(error(result)?.offset == 1, "\(gap) after \(last)")
                }
            }
        }
    }

    @Test func aCountIsAtMostTheBytesThatFollow() {
        for rest in 0...3 {
            for count in 0...4 {
                let bytes = [9, UInt8(count)] + Array(repeating: UInt8(7), count: rest)
                let result = reading(bytes) { (reader) throws(BinaryDecodingError) in
                    _ = try reader.byte()
                    return try reader.count(of: "sevens")
                }
                #expect(value(result) == (count <= rest ? count : nil))
                if count > rest {
                    #expect(error(result)?.code == .countBeyondBytes)
                    #expect(error(result)?.offset == 1)
                }
            }
        }
    }

    @Test func rawBytesAndFixedIntegersMustAllBeThere() {
        for length in 0...9 {
            let bytes = (0..<length).map { UInt8($0) }
            for start in 0...length {
                let rest = length - start
                for count in 0...9 {
                    let raw = reading(bytes) { (reader) throws(BinaryDecodingError) in
                        _ = try reader.raw(start)
                        return try reader.raw(count)
                    }
                    let expected = count <= rest ? Array(bytes[start..<(start + count)]) : nil
                    #expect(value(raw) == expected)
                    if expected == nil {
                        #expect(error(raw)?.code == .truncated && error(raw)?.offset == length)
                    }
                }
                let fixed = reading(bytes) { (reader) throws(BinaryDecodingError) in
                    _ = try reader.raw(start)
                    return try reader.fixed(UInt32.self)
                }
                let word: UInt32? =
                    rest < 4
                    ? nil
                    : bytes[start..<(start + 4)].reversed().reduce(0) { $0 << 8 | UInt32($1) }
                #expect(value(fixed) == word)
                if word == nil {
                    #expect(error(fixed)?.code == .truncated && error(fixed)?.offset == length)
                }
            }
        }
    }

    @Test func textEndsWithItsLengthAndIsUTF8() {
        func text(_ bytes: [UInt8]) -> Result<String, BinaryDecodingError> {
            reading(bytes) { (reader) throws(BinaryDecodingError) in try reader.text() }
        }
        #expect(value(text([0])) == "")
        #expect(value(text([2, 0xC3, 0xA9, 0x61])) == "é")
        for (bytes, code, offset) in [
            ([3, 0xC3, 0xA9], .countBeyondBytes, 0), ([1, 0xC3, 0xA9], .invalidText, 1),
        ] as [([UInt8], BinaryDecodingError.Code, Int)] {
            #expect(error(text(bytes))?.code == code && error(text(bytes))?.offset == offset)
        }
    }
}
