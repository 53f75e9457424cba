import type { Bus } from './bus.ts';
import { within } from '../http/health.ts';
import { gauges } from '../observe/metrics.ts';

const groups = new Map<string, () => Promise<Record<string, number>>>();

/** Of each group of this process how many messages it has not dealt with, all topics together; null where the bus does not say within `ms`. */
export const groupLags = (ms: number): Promise<Array<{ group: string; messages: number | null }>> =>
  Promise.all(
    [...groups].map(async ([group, ask]) => ({
      group,
      messages: await within(ms, ask()).then(
        (topics) => Object.values(topics).reduce((sum, messages) => sum + messages, 0),
        () => null,
      ),
    })),
  );

/** While the bus is away there is no figure. */
gauges(
  { consumer_lag_messages: 'Messages in the log that a group has not dealt with yet' },
  ['group', 'topic'],
  async () => {
    const answers = await Promise.allSettled(
      [...groups].map(async ([group, ask]) =>
        Object.entries(await ask()).map(([topic, messages]) => ({
          labels: { group, topic },
          values: { consumer_lag_messages: messages },
        })),
      ),
    );
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
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
