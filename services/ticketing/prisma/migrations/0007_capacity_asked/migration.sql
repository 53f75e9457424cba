-- `capacity` is what was asked for: after it was lowered, what is sold and held may be more until it lapses. That no grant takes more than
-- there is, is checked on the log (invariants.ts).
alter table availability drop constraint availability_never_oversold;
alter table availability add constraint availability_counts check (sold >= 0 and held >= 0) not valid;
alter table availability validate constraint availability_counts;
