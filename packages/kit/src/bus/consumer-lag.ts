import type { Bus } from './bus.ts';
import { gauge } from '../observe/metrics.ts';

const groups = new Map<string, () => Promise<Record<string, number>>>();

/** Asked of the bus when somebody looks, so that it costs nothing while nobody does. While the bus is away there is no figure. */
gauge(
  'consumer_lag_messages',
  'Messages in the log that a group has not dealt with yet',
  ['group', 'topic'],
  async function () {
    const answers = await Promise.allSettled(
      [...groups].map(async ([group, ask]) => ({ group, topics: Object.entries(await ask()) })),
    );
    this.reset();
    for (const answer of answers) {
      if (answer.status === 'rejected') continue;
      const { group, topics } = answer.value;
      for (const [topic, messages] of topics) this.set({ group, topic }, messages);
    }
  },
);

/** Shows in `/metrics` how far a group is behind, until the returned function is called. */
export function showLag(bus: Bus, group: string, topics: string[]): () => void {
  const ask = () => bus.lag(group, topics);
  groups.set(group, ask);
  return () => {
    if (groups.get(group) === ask) groups.delete(group);
  };
}
