-- Jobs of one transaction keep their order: messages of a batch share one (packages/kit/src/bus/consume.ts).
alter table jobs alter column created_at set default clock_timestamp();
