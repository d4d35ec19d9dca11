import ca.odell.glazedlists.*;
import ca.odell.glazedlists.matchers.Matcher;
import java.util.*;
import java.util.function.*;

/**
 * Prints what Glazed Lists needs for the work of Tables.swift: the same rows, edits and operators. For the article
 * "From a table to a live list". Takes some minutes:
 *
 *     apt-get install default-jdk-headless libglazedlists-java
 *     java -Xmx8g -cp /usr/share/java/glazedlists_java15.jar Examples/pipeline-benchmarks/GlazedLists.java
 */
public class GlazedLists {
    record Order(int id, int customer, int amount, boolean isOpen) {}

    private static final Random random = new Random(3);
    private static final Comparator<Order> byAmount = Comparator.comparingInt(Order::amount);
    private static final Comparator<Order> byCustomer = Comparator.comparingInt(order -> order.customer() % 100);
    /** What observers received; printed, so that no work is optimized away. */
    private static long observed = 0;

    private static Order order(int id) {
        return new Order(id, random.nextInt(1_000), random.nextInt(1_000_000), random.nextBoolean());
    }

    private static EventList<Order> orders(int count) {
        var orders = new ArrayList<Order>(count);
        for (int id = 0; id < count; id++) orders.add(order(id));
        var list = new BasicEventList<Order>(count);
        list.addAll(orders);
        return list;
    }

    private static <T> void observe(EventList<T> list) {
        list.addListEventListener(event -> {
            if (event.isReordering()) observed += event.getReorderMap().length;
            else while (event.next()) observed++;
        });
    }

    private static SortedList<Order> openByAmount(EventList<Order> orders) {
        return new SortedList<>(new FilterList<>(orders, (Matcher<Order>) Order::isOpen), byAmount);
    }

    /** Prints the median of some times, after as many that do not count. */
    private static void print(String name, int repetitions, LongSupplier time) {
        var times = new long[repetitions];
        for (int i = 0; i < repetitions; i++) time.getAsLong();
        for (int i = 0; i < repetitions; i++) times[i] = time.getAsLong();
        Arrays.sort(times);
        System.out.printf("%-40s %,15d ns%n", name, times[repetitions / 2]);
    }

    private static long time(Runnable work) {
        long start = System.nanoTime();
        work.run();
        return System.nanoTime() - start;
    }

    private static long timeOfEdits(EventList<Order> orders, int count) {
        var edits = new ArrayList<Order>();
        for (int i = 0; i < count; i++) edits.add(order(random.nextInt(orders.size())));
        return time(() -> { for (var edit : edits) orders.set(edit.id(), edit); });
    }

    public static void main(String[] arguments) {
        for (int count : new int[] {1_000, 1_000_000}) {
            var grouped = orders(count);
            observe(new GroupingList<>(openByAmount(grouped), byCustomer));
            print("tables.edits, groups, " + count, 500, () -> timeOfEdits(grouped, 10));
            var separated = orders(count);
            observe(new SeparatorList<>(openByAmount(separated), byCustomer, 1, Integer.MAX_VALUE));
            print("tables.edits, separators, " + count, 500, () -> timeOfEdits(separated, 10));
        }
        var orders = orders(1_000_000);
        var filtered = new FilterList<>(orders);
        observe(filtered);
        int[] number = {0};
        print("tables.predicate", 10, () -> {
            int limit = 500_000 + number[0]++ % 2 * 1_000;
            return time(() -> filtered.setMatcher(order -> order.amount() < limit));
        });
        var sorted = new SortedList<>(orders, byAmount);
        observe(sorted);
        print("tables.order", 3, () -> {
            int mask = number[0]++ * 0x1111;
            return time(() -> sorted.setComparator(Comparator.comparingInt(order -> order.amount() ^ mask)));
        });
        print("tables.load", 1, () -> time(() -> {
            var ordered = new SortedList<>(orders, byAmount);
            observed += new GroupingList<>(ordered, Comparator.comparingInt(Order::customer)).size();
        }));
        for (int views : new int[] {1, 100}) {
            var edited = orders(100_000);
            var all = new SortedList<>(edited, byAmount);
            for (int i = 0; i < views; i++) {
                int view = i;
                observe(new FilterList<>(all, (Matcher<Order>) order -> order.customer() % 100 != view));
            }
            print("tables.views, " + views, 300, () -> timeOfEdits(edited, 1));
        }
        System.out.println(observed + " events");
    }
}
