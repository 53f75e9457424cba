import { setTimeout as pause } from 'node:timers/promises';
import type { Bus } from '@beltway/kit/bus';
import { groupOfLetters, isLetters } from '@beltway/kit/bus/dead-letter-topics';
import { readLetters } from '@beltway/kit/bus/dead-letters';
import { gauges } from '@beltway/kit/metrics';

/** This consumer group never commits an offset, so its lag is the number of messages in a topic. */
const GROUP = 'gateway.waiting-letters';
/** How long a scrape waits for new counts. If reading takes longer, the scrape gets the last counts. */
const WAIT_MS = 1_500;
/** Matches our own message types. All other types are counted together. */
const TYPE = /^[a-z]{1,20}\.[a-z-]{1,60}$/;

interface Counted {
  size: number;
  types: Map<string, number>;
}

async function waitingTypes(bus: Bus, group: string): Promise<Map<string, number>> {
  const waiting = new Map<string, string>();
  await readLetters(bus, group, (entry) => {
    if (entry.is === 'letter') waiting.set(entry.letter.id, entry.letter.type);
    else waiting.delete(entry.letterId);
  });
  const types = new Map<string, number>();
  for (const type of waiting.values()) {
    const label = TYPE.test(type) ? type : 'other';
    types.set(label, (types.get(label) ?? 0) + 1);
  }
  return types;
}

/**
 * Adds the dead letters that wait to be replayed or discarded to `/metrics`. Reads a topic again only when it has
 * grown. Returns a function that removes the metric.
 */
export function showWaitingLetters(bus: Bus): () => void {
  let counted = new Map<string, Counted>();
  let reading: Promise<void> | undefined;

  async function read(): Promise<void> {
    const topics = (await bus.topics()).filter(isLetters);
    const sizes = topics.length > 0 ? await bus.lag(GROUP, topics) : {};
    const next = new Map<string, Counted>();
    for (const topic of topics) {
      const size = sizes[topic] ?? 0;
      const known = counted.get(topic);
      const types = known?.size === size ? known.types : await waitingTypes(bus, groupOfLetters(topic));
      next.set(topic, { size, types });
    }
    counted = next;
  }

  return gauges(
    { dead_letters_waiting: 'Dead letters that wait to be replayed or discarded' },
    ['group', 'type'],
    async () => {
      reading ??= read().finally(() => (reading = undefined));
      // While the bus is down, the wait ends with the previous counts.
      await Promise.race([reading, pause(WAIT_MS, undefined, { ref: false })]);
      return [...counted].flatMap(([topic, { types }]) =>
        [...types].map(([type, letters]) => ({
          labels: { group: groupOfLetters(topic), type },
          values: { dead_letters_waiting: letters },
        })),
      );
    },
  );
}
