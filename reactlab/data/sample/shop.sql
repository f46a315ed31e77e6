-- A small shop: five tables, two languages, dates in 2026. All people and goods are invented.

CREATE TABLE customers (
    id        INTEGER PRIMARY KEY,
    name      TEXT NOT NULL,
    city      TEXT NOT NULL,
    country   TEXT NOT NULL,
    joined_on TEXT NOT NULL,            -- ISO date
    phone     TEXT                      -- NULL when not given
);

CREATE TABLE products (
    id         INTEGER PRIMARY KEY,
    name       TEXT NOT NULL,
    name_zh    TEXT NOT NULL,
    category   TEXT NOT NULL,           -- kitchen, office, outdoor, books
    price      REAL NOT NULL,           -- in yuan
    stock      INTEGER NOT NULL,
    updated_at TEXT NOT NULL
);

CREATE TABLE orders (
    id          INTEGER PRIMARY KEY,
    customer_id INTEGER NOT NULL REFERENCES customers (id),
    ordered_on  TEXT NOT NULL,
    status      TEXT NOT NULL           -- paid, shipped, delivered, cancelled
);

CREATE TABLE order_items (
    order_id   INTEGER NOT NULL REFERENCES orders (id),
    product_id INTEGER NOT NULL REFERENCES products (id),
    quantity   INTEGER NOT NULL,
    unit_price REAL NOT NULL,           -- the price on the day of the order
    PRIMARY KEY (order_id, product_id)
);

CREATE TABLE reviews (
    id         INTEGER PRIMARY KEY,
    product_id INTEGER NOT NULL REFERENCES products (id),
    customer_id INTEGER NOT NULL REFERENCES customers (id),
    stars      INTEGER NOT NULL,        -- 1 to 5
    comment    TEXT
);

INSERT INTO customers (id, name, city, country, joined_on, phone) VALUES
    (1, 'Amara Osei',    'Accra',     'Ghana',   '2025-02-11', '555-0101'),
    (2, '李文静',         '上海',       '中国',     '2025-03-02', NULL),
    (3, 'Jonas Lindqvist', 'Uppsala', 'Sweden',  '2025-05-19', '555-0103'),
    (4, '陈志远',         '北京',       '中国',     '2025-08-30', '555-0104'),
    (5, 'Maria Duarte',  'Porto',     'Portugal', '2025-11-07', NULL),
    (6, 'Sean O''Brien', 'Cork',      'Ireland', '2026-01-15', '555-0106'),
    (7, '王小梅',         '广州',       '中国',     '2026-03-21', '555-0107'),
    (8, 'Fatima Haddad', 'Tunis',     'Tunisia', '2026-06-01', NULL);

INSERT INTO products (id, name, name_zh, category, price, stock, updated_at) VALUES
    (1,  'Cast-iron teapot',   '铸铁茶壶',   'kitchen', 268.00, 14, '2026-06-30'),
    (2,  'Bamboo steamer',     '竹蒸笼',     'kitchen',  89.50, 40, '2026-06-30'),
    (3,  'Chef''s knife',      '主厨刀',     'kitchen', 199.00,  0, '2026-07-02'),
    (4,  'Desk lamp',          '台灯',       'office',  149.00, 25, '2026-05-18'),
    (5,  'Standing desk',      '升降桌',     'office', 1899.00,  6, '2026-07-10'),
    (6,  'Notebook, squared',  '方格笔记本', 'office',   18.00, 300, '2026-04-01'),
    (7,  'Two-person tent',    '双人帐篷',   'outdoor', 899.00,  9, '2026-06-12'),
    (8,  'Thermos flask',      '保温壶',     'outdoor', 129.00, 52, '2026-06-12'),
    (9,  'Head torch',         '头灯',       'outdoor',  99.00, 31, '2026-06-15'),
    (10, 'Tea atlas',          '茶叶图鉴',   'books',    75.00, 18, '2026-03-09'),
    (11, 'Knots for beginners', '绳结入门',  'books',    42.00, 23, '2026-03-09'),
    (12, 'Letters from Uppsala', '乌普萨拉来信', 'books',  56.00,  4, '2026-02-20');

INSERT INTO orders (id, customer_id, ordered_on, status) VALUES
    (1001, 1, '2026-05-03', 'delivered'),
    (1002, 2, '2026-05-09', 'delivered'),
    (1003, 3, '2026-05-21', 'delivered'),
    (1004, 2, '2026-06-02', 'delivered'),
    (1005, 4, '2026-06-11', 'cancelled'),
    (1006, 5, '2026-06-18', 'delivered'),
    (1007, 6, '2026-06-25', 'shipped'),
    (1008, 1, '2026-07-01', 'shipped'),
    (1009, 7, '2026-07-04', 'paid'),
    (1010, 4, '2026-07-08', 'shipped'),
    (1011, 2, '2026-07-12', 'paid'),
    (1012, 3, '2026-07-14', 'paid');

INSERT INTO order_items (order_id, product_id, quantity, unit_price) VALUES
    (1001, 1, 1, 248.00), (1001, 10, 1, 75.00),
    (1002, 2, 2, 89.50),  (1002, 8, 1, 129.00),
    (1003, 7, 1, 899.00), (1003, 9, 2, 99.00),
    (1004, 6, 10, 18.00),
    (1005, 5, 1, 1899.00),
    (1006, 12, 1, 56.00), (1006, 11, 1, 42.00), (1006, 10, 1, 75.00),
    (1007, 3, 1, 199.00),
    (1008, 4, 2, 149.00), (1008, 6, 5, 18.00),
    (1009, 8, 2, 129.00),
    (1010, 5, 1, 1799.00), (1010, 4, 1, 149.00),
    (1011, 1, 2, 268.00), (1011, 2, 1, 89.50),
    (1012, 9, 1, 99.00);

INSERT INTO reviews (id, product_id, customer_id, stars, comment) VALUES
    (1, 1, 1, 5, 'Keeps tea warm for an hour.'),
    (2, 2, 2, 4, '蒸得很香，就是有点小。'),
    (3, 7, 3, 3, 'Dry inside, but the pegs bend.'),
    (4, 9, 3, 5, NULL),
    (5, 8, 2, 5, '出差必带。'),
    (6, 12, 5, 4, 'Quiet and well translated.'),
    (7, 4, 1, 2, 'The switch came loose | fixed it myself.');
