// One pass over all stretches for many edits of one section. The loops are plain and write into arrays that nobody else
// sees: with closures that share variables, a third of the time goes into checks of exclusive access.

extension StretchRope {
    /// Removes the items at ascending places, and gives them in that order.
    mutating func remove(at places: [Int]) -> [ItemStretch] {
        var removed: [ItemStretch] = []
        removed.reserveCapacity(places.count)
        var rest = StretchWriter(capacity: stretchCount + places.count)
        var (number, start) = (0, 0)
        for stretch in stretches {
            var offset = 0
            while number < places.count, places[number] - start < stretch.count {
                let item = places[number] - start
                rest.append(stretch.part(offset, item - offset))
                removed.append(stretch.part(item, 1))
                offset = item + 1
                number += 1
            }
            rest.append(stretch.part(offset, stretch.count - offset))
            start += stretch.count
        }
        self = StretchRope(rest.finish())
        return removed
    }

    /// Inserts single items so that they are at ascending places afterwards.
    mutating func insert(_ arrivals: [ItemStretch], at places: [Int], home: Int) {
        var result = StretchWriter(capacity: stretchCount + 2 * places.count)
        var (number, end) = (0, 0)
        for stretch in stretches {
            var offset = 0
            while number < places.count, places[number] - end < stretch.count - offset {
                let room = places[number] - end
                result.append(stretch.part(offset, room))
                offset += room
                end += room + 1
                // What follows is the next arrival where that comes directly behind.
                let followedByArrival = number + 1 < places.count && places[number + 1] == end
                let next =
                    followedByArrival
                    ? arrivals[number + 1] : stretch.part(offset, stretch.count - offset)
                result.append(arrivals[number], before: next, home: home)
                number += 1
            }
            result.append(stretch.part(offset, stretch.count - offset))
            end += stretch.count - offset
        }
        while number < places.count {
            let next = number + 1 < places.count ? arrivals[number + 1] : nil
            result.append(arrivals[number], before: next, home: home)
            number += 1
        }
        self = StretchRope(result.finish())
    }

    /// Reconfigures the items at ascending places, each with the option of its number.
    mutating func reconfigure(at places: [Int], _ codes: [UInt32]) {
        var result = StretchWriter(capacity: stretchCount + 2 * places.count)
        var (number, start) = (0, 0)
        for stretch in stretches {
            var offset = 0
            while number < places.count, places[number] - start < stretch.count {
                let item = places[number] - start
                result.append(stretch.part(offset, item - offset))
                var updated = stretch.part(item, 1)
                updated.reconfigure(codes[number])
                result.append(updated)
                offset = item + 1
                number += 1
            }
            result.append(stretch.part(offset, stretch.count - offset))
            start += stretch.count
        }
        self = StretchRope(result.finish())
    }
}

/// Writes stretches one after the other, joining those that belong together.
struct StretchWriter {
    private var written: [ItemStretch] = []
    /// What the next may join; of no items at the start.
    private var last = ItemStretch.fresh(0)

    init(capacity: Int) { written.reserveCapacity(capacity) }

    /// Gives all that was written.
    consuming func finish() -> [ItemStretch] {
        if last.count > 0 { written.append(last) }
        return written
    }

    @inline(__always)
    mutating func append(_ stretch: ItemStretch) {
        if stretch.count == 0 { return }
        if last.continues(with: stretch) {
            last.count += stretch.count
        } else {
            if last.count > 0 { written.append(last) }
            last = stretch
        }
    }

    /// Appends what has just come to its place, before `next`.
    mutating func append(_ arrival: ItemStretch, before next: ItemStretch?, home: Int) {
        var arrival = arrival
        arrival.settle(between: last.count > 0 ? last : nil, next, home: home)
        append(arrival)
    }
}
