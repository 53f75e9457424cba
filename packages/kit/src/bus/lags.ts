import { followers } from '@beltway/event-store';
import type { InstanceStatus } from '@beltway/contracts/ops/instances';
import { within } from '../http/health.ts';
import { gauges } from '../observe/metrics.ts';
import type { Bus } from './bus.ts';

/** How long a query of lags waits for a database or the bus, in ms. */
const LAG_MS = 1_500;

/** The lag of this process's followers and groups. */
export async function lagsNow(): Promise<Pick<InstanceStatus, 'followers' | 'groups'>> {
  const [behind, groups] = await Promise.all([
    Promise.all(
      [...followers()].map(async ({ name, lag }) => {
        const unknown = { events: null, seconds: null };
        return { name, ...(await within(LAG_MS, lag()).catch(() => unknown)) };
      }),
    ),
    groupLags(LAG_MS),
  ]);
  return { followers: behind, groups: groups.sort((a, b) => a.group.localeCompare(b.group)) };
}

/**
 * Computed from the durable checkpoint, so all instances report the same value. There is no value while the database is
 * down.
 */
gauges(
  {
    log_follower_events: 'Events that a follower of the log (relay, mail) has not handled, up to 100,000',
    log_follower_seconds: 'How long the first event has waited that a follower of the log has not handled',
  },
  ['follower'],
  async () => {
    const answers = await Promise.allSettled(
      [...followers()].map(async ({ name, lag }) => ({ name, lag: await lag() })),
    );
    return answers.flatMap((answer) => {
      if (answer.status === 'rejected') return [];
      const { name, lag } = answer.value;
      return [
        { labels: { follower: name }, values: { log_follower_events: lag.events, log_follower_seconds: lag.seconds } },
      ];
    });
  },
);

const groups = new Map<string, () => Promise<Record<string, number>>>();

/** Unhandled messages of each group of this process, over all topics; null if the bus does not respond within `ms`. */
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

/** There is no value while the bus is down. */
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

/** Exports a group's lag in `/metrics` until the returned function is called. */
export function showLag(bus: Bus, group: string, topics: string[]): () => void {
  const ask = () => bus.lag(group, topics);
  groups.set(group, ask);
  return () => {
    if (groups.get(group) === ask) groups.delete(group);
  };
}
