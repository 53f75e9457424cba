-- A dispute that had been lost was won after all: the money is not with the buyer, and nobody sends it before people have decided.
alter table checkouts add column reinstated_at timestamptz;
