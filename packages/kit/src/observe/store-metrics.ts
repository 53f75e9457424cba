import { observeWriters, waitingCommands } from '@beltway/event-store';
import { counter, gauges, histogram } from './metrics.ts';

const commands = counter('event_store_commands_total', 'Commands that were decided', ['category']);
const conflicts = counter('event_store_conflicts_total', 'Groups decided again, as another instance wrote first', [
  'category',
]);
const sizes = histogram(
  'event_store_group_commands',
  'Commands that were decided and written together',
  ['category'],
  [1, 2, 5, 10, 25, 50, 100, 250, 500],
);
const writes = histogram(
  'event_store_append_duration_seconds',
  'Time from the decision of a group to its commit',
  ['category'],
  [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
);

gauges({ event_store_commands_waiting: 'Commands that have no answer yet' }, ['category'], () =>
  waitingCommands().map(({ category, commands: waiting }) => ({
    labels: { category },
    values: { event_store_commands_waiting: waiting },
  })),
);

observeWriters({
  written: ({ category, commands: count, events, seconds }) => {
    commands.inc({ category }, count);
    sizes.observe({ category }, count);
    if (events > 0) writes.observe({ category }, seconds);
  },
  conflict: (category) => conflicts.inc({ category }),
});
