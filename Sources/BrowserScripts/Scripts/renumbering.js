// What is what in another history, where all numbers are others.

/**
 * The sections of one history with the numbers that what has the same name has in those of another. What is
 * not there gets a number that nothing has.
 *
 * @param identify returns the name of a payload.
 */
export function renumbered(sections, others, identify) {
    const nameOf = ({ p }) => (p === null ? null : identify(p));
    const numbersOf = (parts) => new Map(parts.map((part) => [nameOf(part), part.n]));
    const [sectionNumbers, itemNumbers] = [others, others.flatMap(({ items }) => items)].map(numbersOf);
    const rekeyed = (part, numbers) => {
        const name = nameOf(part);
        const n = name === null ? undefined : numbers.get(name);
        // A name that comes twice is that of one.
        numbers.delete(name);
        return { n: n ?? `gone-${part.n}`, p: part.p };
    };
    return sections.map((section) => ({
        ...rekeyed(section, sectionNumbers),
        items: section.items.map((item) => rekeyed(item, itemNumbers)),
    }));
}
