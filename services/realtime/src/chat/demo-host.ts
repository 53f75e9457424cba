import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { withLease } from '@beltway/kit/lease';
import type { Logger } from '@beltway/kit/logger';
import { startPolling } from '@beltway/kit/polling';
import type { Chat } from './chat.ts';
import type { DatabaseClock } from './database-clock.ts';
import type { Hub } from './hub.ts';
import type { OnlinePeople } from './online.ts';

/** How often the host says something while somebody is there. */
const EVERY_MS = 6_000;
/** After so many messages without one of anybody else the host is quiet until somebody writes or comes: the log grows by what people do. */
const MAX_IN_A_ROW = 50;
const ROOM = 'region';
const NAME = 'Demo host';

const TEXTS = [
  'Welcome! I am a made-up host, here to show how the chat feels.',
  'What are you up to this weekend?',
  'Tap a heart below a message to answer it with one click.',
  'Anybody at the Wharf tonight?',
  'Each event has a chat of its own, on its page.',
  'Scroll up to read what was said before you came.',
  'You can write as a guest, or sign in to write more.',
  'Free museums, long lines: go early on Saturdays.',
  'Who has been to U Street lately?',
  'Links are shown as plain text here, so nobody is sent anywhere by accident.',
  'Metro closes late on Fridays. Check the times before you go.',
  'The map shows what is on near you.',
] as const;

interface HostDeps {
  pool: Pool;
  chat: Chat;
  hub: Hub;
  online: OnlinePeople;
  log: Logger;
  clock: Pick<DatabaseClock, 'now'>;
}

const SINCE = `select count(*) filter (where is_demo)::int as demo, count(*) filter (where not is_demo)::int as others
  from chat_messages where room = $1 and seq > $2 and seq <= $3`;

/** Where the system runs by itself with its sample data, and never on engines: there people talk to people. */
export const wantsDemoHost = (of: { BELTWAY_MODE: 'embedded' | 'engines'; BELTWAY_DEMO: '0' | '1' }): boolean =>
  of.BELTWAY_MODE === 'embedded' && of.BELTWAY_DEMO === '1';

/** In the demo on one's own machine: somebody who talks in the region's room while people are in it. One instance has the host at a time. */
export function startDemoHost({ pool, chat, hub, online, log, clock }: HostDeps, everyMs = EVERY_MS) {
  let inARow = 0;
  let lastSeq: number | undefined;
  let lastOnline = 0;
  let next = 0;

  async function speak(): Promise<boolean> {
    const here = online.count(ROOM);
    const hasCome = here > lastOnline;
    lastOnline = here;
    if (here === 0) return false;
    await withLease(pool, { name: 'chat-demo-host', ms: everyMs }, async () => {
      const info = await hub.room(ROOM);
      if (!info) return;
      const { rows } = await pool.query<{ demo: number; others: number }>(SINCE, [ROOM, lastSeq ?? info.seq, info.seq]);
      const { demo, others } = rows[0]!;
      lastSeq = info.seq;
      inARow = others > 0 || hasCome ? 0 : inARow + demo;
      // The host is at another instance, or has said enough.
      if (demo > 0 || inARow >= MAX_IN_A_ROW) return;
      const messages = await chat.handle(
        ROOM,
        {
          type: 'PostMessage',
          messageId: randomUUID(),
          writer: { kind: 'demo', name: NAME },
          text: TEXTS[next++ % TEXTS.length]!,
          isOrganiser: false,
          isModerator: false,
          now: clock.now().toISOString(),
        },
        { commandId: `demo host ${randomUUID()}` },
      );
      inARow++;
      for (const { type, data } of messages) if (type === 'MessagePosted') lastSeq = data.seq;
    });
    return false;
  }
  const speaking = startPolling(log, 'let the demo host speak', everyMs, speak);
  speaking.wake();
  return speaking;
}
