-- Since when the signal comes: segments of a later one are numbered on.
alter table broadcasts add column signal_since timestamptz;
