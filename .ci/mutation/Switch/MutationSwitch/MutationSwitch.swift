// Mutated sources call these functions instead of Swift's operators. Each behaves like its operator
// unless its mutation is on. A call with two mutations has two consecutive numbers.

import MutationTable

/// Returns whether to run a statement.
@inlinable package func _muKeep(_ id: Int32) -> Bool { !mutation_is_on(id) }

/// Returns whether a deliberate bug is on.
@inlinable package func _muBug(_ id: Int32) -> Bool { mutation_is_on(id) }

// MARK: Conditions

@inlinable package func _muForce(_ id: Int32, _ value: Bool) -> Bool {
    if mutation_is_on(id) { return true }
    return mutation_is_on(id + 1) ? false : value
}

@inlinable package func _muForceFalse(_ id: Int32, _ value: Bool) -> Bool {
    mutation_is_on(id) ? false : value
}

@inlinable package func _muFlip(_ id: Int32, _ value: Bool) -> Bool {
    mutation_is_on(id) ? !value : value
}

@inlinable package func _muAnd(
    _ id: Int32,
    _ first: Bool,
    _ second: @autoclosure () throws -> Bool
) rethrows -> Bool {
    if mutation_is_on(id) { return first ? true : try second() }
    return first ? try second() : false
}

@inlinable package func _muOr(
    _ id: Int32,
    _ first: Bool,
    _ second: @autoclosure () throws -> Bool
) rethrows -> Bool {
    if mutation_is_on(id) { return first ? try second() : false }
    return first ? true : try second()
}

// MARK: Comparisons: the boundary first, then the negation

@inlinable package func _muLess<Value: Comparable>(_ id: Int32, _ a: Value, _ b: Value) -> Bool {
    if mutation_is_on(id) { return a <= b }
    return mutation_is_on(id + 1) ? a >= b : a < b
}

@inlinable package func _muAtMost<Value: Comparable>(_ id: Int32, _ a: Value, _ b: Value) -> Bool {
    if mutation_is_on(id) { return a < b }
    return mutation_is_on(id + 1) ? a > b : a <= b
}

@inlinable package func _muMore<Value: Comparable>(_ id: Int32, _ a: Value, _ b: Value) -> Bool {
    if mutation_is_on(id) { return a >= b }
    return mutation_is_on(id + 1) ? a <= b : a > b
}

@inlinable package func _muAtLeast<Value: Comparable>(_ id: Int32, _ a: Value, _ b: Value) -> Bool {
    if mutation_is_on(id) { return a > b }
    return mutation_is_on(id + 1) ? a < b : a >= b
}

// MARK: Numbers

@inlinable package func _muPlus<Value: AdditiveArithmetic>(_ id: Int32, _ a: Value, _ b: Value)
    -> Value
{
    mutation_is_on(id) ? a - b : a + b
}

@inlinable package func _muMinus<Value: AdditiveArithmetic>(_ id: Int32, _ a: Value, _ b: Value)
    -> Value
{
    mutation_is_on(id) ? a + b : a - b
}

@inlinable package func _muTimes<Value: BinaryInteger>(_ id: Int32, _ a: Value, _ b: Value) -> Value
{
    mutation_is_on(id) ? a / b : a * b
}

@inlinable package func _muTimes<Value: FloatingPoint>(_ id: Int32, _ a: Value, _ b: Value) -> Value
{
    mutation_is_on(id) ? a / b : a * b
}

@inlinable package func _muOver<Value: BinaryInteger>(_ id: Int32, _ a: Value, _ b: Value) -> Value
{
    mutation_is_on(id) ? a * b : a / b
}

@inlinable package func _muOver<Value: FloatingPoint>(_ id: Int32, _ a: Value, _ b: Value) -> Value
{
    mutation_is_on(id) ? a * b : a / b
}

@inlinable package func _muPlusAssign<Value: AdditiveArithmetic>(
    _ id: Int32,
    _ a: inout Value,
    _ b: Value
) {
    if mutation_is_on(id) { a -= b } else { a += b }
}

@inlinable package func _muMinusAssign<Value: AdditiveArithmetic>(
    _ id: Int32,
    _ a: inout Value,
    _ b: Value
) {
    if mutation_is_on(id) { a += b } else { a -= b }
}

@inlinable package func _muNegative<Value: SignedNumeric>(_ id: Int32, _ a: Value) -> Value {
    mutation_is_on(id) ? a : -a
}

@inlinable package func _muNext<Value: AdditiveArithmetic & ExpressibleByIntegerLiteral>(
    _ id: Int32,
    _ a: Value
) -> Value {
    mutation_is_on(id) ? a + 1 : a
}

@inlinable package func _muMin<Value: Comparable>(_ id: Int32, _ a: Value, _ b: Value) -> Value {
    mutation_is_on(id) ? max(a, b) : min(a, b)
}

@inlinable package func _muMax<Value: Comparable>(_ id: Int32, _ a: Value, _ b: Value) -> Value {
    mutation_is_on(id) ? min(a, b) : max(a, b)
}

// MARK: Ranges

@inlinable package func _muUpTo<Bound: Strideable>(_ id: Int32, _ lower: Bound, _ upper: Bound)
    -> Range<Bound>
where Bound.Stride: SignedInteger {
    lower..<(mutation_is_on(id) ? upper.advanced(by: 1) : upper)
}

/// An empty range does not change.
@inlinable package func _muThrough<Bound: Strideable>(
    _ id: Int32,
    _ lower: Bound,
    _ upper: Bound
) -> ClosedRange<Bound>
where Bound.Stride: SignedInteger {
    lower...(mutation_is_on(id) && upper > lower ? upper.advanced(by: -1) : upper)
}

// MARK: Collections

extension Sequence {
    @inlinable package func _muSorted(
        _ id: Int32,
        by areInOrder: (Element, Element) throws -> Bool
    ) rethrows -> [Element] {
        mutation_is_on(id) ? Array(self) : try sorted(by: areInOrder)
    }

    @inlinable package func _muReversed(_ id: Int32) -> [Element] {
        mutation_is_on(id) ? Array(self) : reversed()
    }

    @inlinable package func _muAllSatisfy(
        _ id: Int32,
        _ predicate: (Element) throws -> Bool
    ) rethrows -> Bool {
        mutation_is_on(id) ? try contains(where: predicate) : try allSatisfy(predicate)
    }
}

extension Sequence where Element: Comparable {
    @inlinable package func _muSorted(_ id: Int32) -> [Element] {
        mutation_is_on(id) ? Array(self) : sorted()
    }

    @inlinable package func _muMin(_ id: Int32) -> Element? {
        mutation_is_on(id) ? self.max() : self.min()
    }

    @inlinable package func _muMax(_ id: Int32) -> Element? {
        mutation_is_on(id) ? self.min() : self.max()
    }
}

extension BidirectionalCollection {
    @inlinable package func _muFirst(_ id: Int32) -> Element? { mutation_is_on(id) ? last : first }

    @inlinable package func _muLast(_ id: Int32) -> Element? { mutation_is_on(id) ? first : last }

    @inlinable package func _muFirst(
        _ id: Int32,
        where predicate: (Element) throws -> Bool
    ) rethrows -> Element? {
        mutation_is_on(id) ? try last(where: predicate) : try first(where: predicate)
    }

    @inlinable package func _muLast(
        _ id: Int32,
        where predicate: (Element) throws -> Bool
    ) rethrows -> Element? {
        mutation_is_on(id) ? try first(where: predicate) : try last(where: predicate)
    }
}

extension RangeReplaceableCollection where Self: BidirectionalCollection {
    @inlinable package mutating func _muAppend(_ id: Int32, _ element: __owned Element) {
        if mutation_is_on(id) { insert(element, at: startIndex) } else { append(element) }
    }

    @inlinable package mutating func _muAppend(
        _ id: Int32,
        contentsOf elements: __owned some Collection<Element>
    ) {
        if mutation_is_on(id) {
            insert(contentsOf: elements, at: startIndex)
        } else {
            append(contentsOf: elements)
        }
    }
}
