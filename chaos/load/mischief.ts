import { setTimeout as pause } from 'node:timers/promises';
import type { Message } from '@beltway/contracts/common/basics';
import type { Bus } from '@beltway/kit/bus';
import { random } from '../random.ts';

const WEBHOOKS = ['normal', 'late', 'doubled', 'lost', 'shuffled'] as const;
const API = [
  [5, 'normal'],
  [1, 'slow'],
  [1, 'rate-limited'],
  [1, 'failing'],
  [2, 'lost-answers'],
] as const;
const TOPICS = ['catalog.events', 'ticketing.events', 'payments.events'];
const REMEMBERED = 400;
const CALL_MS = 3_000;

/**
 * Makes the card provider's webhooks and calls misbehave, in changing ways. Ignores a failed call to the provider's
 * controls, because the next call sets the behavior again.
 */
export async function misbehavingProvider(url: string, seed: string, stopped: AbortSignal): Promise<void> {
  const { pick, int, next, weighed } = random(`${seed}:provider`);
  const put = (what: string, body: object) =>
    fetch(new URL(`/dev/payments/${what}`, url), {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(CALL_MS),
    }).catch(() => undefined);
  while (!stopped.aborted) {
    await put('webhooks', { mode: pick(WEBHOOKS), seconds: int(1, 3) });
    await put('api', { mode: weighed(API), seconds: 1, share: 0.1 + 0.2 * next() });
    await pause(int(1_000, 3_000), undefined, { signal: stopped }).catch(() => undefined);
  }
}

/** Makes the provider behave normally and send all withheld webhooks. Retries until the provider confirms. */
export async function soberProvider(url: string, deadline: number): Promise<void> {
  const send = async (method: string, what: string, body: object) => {
    const { status } = await fetch(new URL(`/dev/payments/${what}`, url), {
      method,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(CALL_MS),
    });
    if (status >= 300) throw new Error(`${what} answered ${status}`);
  };
  for (;;) {
    try {
      await send('PUT', 'api', { mode: 'normal' });
      await send('PUT', 'webhooks', { mode: 'normal' });
      await send('POST', 'deliver-all', {});
      return;
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await pause(300);
    }
  }
}

export interface Echo {
  count(): number;
  /** Number of republished messages that were older than a message already published for the same key. */
  late(): number;
  stop(): Promise<void>;
}

/**
 * Republishes old messages long after newer messages of the same key. At-least-once delivery allows such repeats, for
 * example by a relay that was considered dead. Consumers have already handled these messages and must ignore them.
 */
export async function echo(bus: Bus, seed: string, everyMs: number): Promise<Echo> {
  const { int, next } = random(`${seed}:echo`);
  const heard: Array<{ topic: string; message: Message }> = [];
  // Keeps the catalog's first message of each event until a newer message exists, because applying the first message
  // then would do harm.
  const waiting = new Map<string, Message>();
  const overtaken: typeof heard = [];
  const stopped = new AbortController();
  const mine = new Set<string>();
  let said = 0;
  let late = 0;
  const tails = await Promise.all(
    TOPICS.map((topic) =>
      bus.tail([topic], (message) => {
        const { id } = message as Message;
        if (mine.has(id)) return;
        const { key } = message as Message;
        const older = waiting.get(key);
        if (topic !== 'catalog.events') heard.push({ topic, message: message as Message });
        else if (older) overtaken.push({ topic, message: older });
        else waiting.set(key, message as Message);
        if (heard.length > REMEMBERED) heard.shift();
      }),
    ),
  );
  const run = async () => {
    while (!stopped.signal.aborted) {
      await pause(everyMs * (0.5 + next()), undefined, { signal: stopped.signal }).catch(() => undefined);
      const from = overtaken.length > 0 ? overtaken : heard;
      const old = from.splice(int(0, Math.max(from.length - 1, 0)), 1)[0];
      if (!old || stopped.signal.aborted) continue;
      mine.add(old.message.id);
      // If the bus is down, skip this message.
      await bus.publish(old.topic, [old.message]).then(
        () => {
          said++;
          if (from === overtaken) late++;
        },
        () => undefined,
      );
    }
  };
  const running = run();
  return {
    count: () => said,
    late: () => late,
    stop: async () => {
      stopped.abort();
      await running;
      await Promise.all(tails.map((tail) => tail.stop()));
    },
  };
}
