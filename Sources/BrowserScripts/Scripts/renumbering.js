// Matching the elements of two histories, in which every element has another number.

/**
 * Returns the sections of one history with the numbers that elements of the same name have in another
 * one. An element without a counterpart gets a number that no element has.
 *
 * @param identify returns the name in a payload.
 */
export function renumbered(sections, others, identify) {
    const nameOf = ({ p }) => (p === null ? null : identify(p));
    const numbersOf = (parts) => new Map(parts.map((part) => [nameOf(part), part.n]));
    const [sectionNumbers, itemNumbers] = [others, others.flatMap(({ items }) => items)].map(numbersOf);
    const rekeyed = (part, numbers) => {
        const name = nameOf(part);
        const n = name === null ? undefined : numbers.get(name);
        // If a name occurs twice, only the first element is matched.
        numbers.delete(name);
        return { n: n ?? `gone-${part.n}`, p: part.p };
    };
    return sections.map((section) => ({
        ...rekeyed(section, sectionNumbers),
        items: section.items.map((item) => rekeyed(item, itemNumbers)),
    }));
}
