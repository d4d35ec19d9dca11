-- The rules are in the table, so that they hold for every process that writes.
CREATE TABLE IF NOT EXISTS orders (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    customer TEXT NOT NULL
        CONSTRAINT "the customer needs a name" CHECK (trim(customer) <> ''),
    total_cents INTEGER NOT NULL
        CONSTRAINT "the total is from 0 to 100000000 cents" CHECK (total_cents BETWEEN 0 AND 100000000),
    state TEXT NOT NULL DEFAULT 'new'
        CONSTRAINT "the state is new, paid or shipped" CHECK (state IN ('new', 'paid', 'shipped'))
) STRICT;
