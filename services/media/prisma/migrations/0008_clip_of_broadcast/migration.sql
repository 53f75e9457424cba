-- The demo's clip that is played in place of a signal.
alter table broadcasts add column clip text;
