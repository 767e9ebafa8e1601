-- What the service knows. It can be made anew from the events at any time, so there are no migrations here: drop it,
-- reset the group's offsets, and let it fill again.

CREATE TABLE IF NOT EXISTS leavings (
  process bigint PRIMARY KEY,
  account text NOT NULL,
  planned_end timestamptz NOT NULL,
  -- When the platform said so: what it said earlier may come later.
  told_at timestamptz NOT NULL
);

CREATE TABLE IF NOT EXISTS supply_ends (
  account text NOT NULL,
  supply_point text NOT NULL,
  ends_on date NOT NULL,
  process bigint NOT NULL,
  PRIMARY KEY (account, supply_point)
);

-- Departures that are undone. One may be known before its end of supply is.
CREATE TABLE IF NOT EXISTS reversals (process bigint PRIMARY KEY);

CREATE TABLE IF NOT EXISTS bookings (
  account text NOT NULL,
  source text NOT NULL,
  count integer NOT NULL,
  PRIMARY KEY (account, source)
);

CREATE TABLE IF NOT EXISTS final_bills (
  statement bigint PRIMARY KEY,
  account text NOT NULL,
  -- Where it is sent; null for an account that the platform does not know.
  town text
);
