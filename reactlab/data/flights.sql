-- The world of the rebooking example. Airline, flights and passengers are made up.
CREATE TABLE flights (
    flight_number TEXT NOT NULL,
    origin TEXT NOT NULL,
    destination TEXT NOT NULL,
    date TEXT NOT NULL,
    departure TEXT NOT NULL,
    arrival TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('on time', 'delayed', 'cancelled')),
    seats_left INTEGER NOT NULL CHECK (seats_left >= 0),
    PRIMARY KEY (flight_number, date)
);
CREATE TABLE bookings (
    order_id TEXT PRIMARY KEY,
    passenger TEXT NOT NULL,
    flight_number TEXT NOT NULL,
    date TEXT NOT NULL,
    FOREIGN KEY (flight_number, date) REFERENCES flights (flight_number, date)
);
INSERT INTO flights VALUES
    ('RL701', 'Shanghai', 'Beijing', '2026-07-16', '07:00', '09:15', 'cancelled', 0),
    ('RL709', 'Shanghai', 'Beijing', '2026-07-16', '09:00', '11:15', 'on time', 3),
    ('RL714', 'Shanghai', 'Beijing', '2026-07-16', '14:00', '16:15', 'on time', 12),
    ('RL718', 'Shanghai', 'Beijing', '2026-07-16', '18:00', '20:15', 'on time', 40),
    ('RL720', 'Shanghai', 'Beijing', '2026-07-17', '08:30', '10:45', 'on time', 51),
    ('RL802', 'Beijing', 'Shanghai', '2026-07-16', '10:00', '12:15', 'delayed', 6),
    ('RL806', 'Beijing', 'Shanghai', '2026-07-16', '16:30', '18:45', 'on time', 0),
    ('RL808', 'Beijing', 'Shanghai', '2026-07-16', '20:00', '22:15', 'on time', 22),
    ('RL301', 'Shanghai', 'Guangzhou', '2026-07-16', '08:00', '10:30', 'on time', 9),
    ('RL305', 'Shanghai', 'Guangzhou', '2026-07-16', '15:30', '18:00', 'on time', 17),
    ('RL411', 'Chengdu', 'Beijing', '2026-07-16', '12:20', '15:00', 'delayed', 4),
    ('RL415', 'Chengdu', 'Beijing', '2026-07-16', '17:10', '19:50', 'on time', 25);
INSERT INTO bookings VALUES
    ('12345', 'Li Wei', 'RL701', '2026-07-16'),
    ('12346', 'Anna Berg', 'RL802', '2026-07-16'),
    ('23456', 'Chen Jing', 'RL301', '2026-07-16'),
    ('34567', 'Omar Haddad', 'RL411', '2026-07-16');
