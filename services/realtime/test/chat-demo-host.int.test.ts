import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ChatMessage, Joined, MessagePage } from '@beltway/contracts/chat';
import { logger } from '@beltway/kit/logger';
import { eventually } from '@beltway/kit/testing';
import type { Chat } from '../src/chat/chat.ts';
import { startDemoHost } from '../src/chat/demo-host.ts';
import { startGround, startRealtime, type PageSocket, type Realtime } from './realtime.ts';

let ground: Awaited<ReturnType<typeof startGround>>;
let plain: Realtime;
beforeAll(async () => {
  ground = await startGround();
  plain = await startRealtime({ ground });
});
afterAll(async () => {
  await plain?.close();
  await ground?.close();
});

const read = async (): Promise<ChatMessage[]> =>
  ((await (await fetch(`${plain.url}/api/chat/region/messages?after=0&limit=100`)).json()) as MessagePage).messages;
async function joined(at: Realtime): Promise<PageSocket> {
  const page = at.open({ transports: ['websocket'] });
  await eventually(() => page.connected);
  (await page.timeout(10_000).emitWithAck('join', { room: 'region' })) as Joined;
  return page;
}

/** A host that would speak every 20 ms; what it says is a row alone. */
function aHost(online: () => number) {
  let said = 0;
  const handle = async () => {
    const { rows } = await plain.pool.query<{ seq: number }>(
      `insert into chat_messages (room, seq, version, id, user_name, message, is_system, is_organiser, is_demo, created_at)
       select 'region', coalesce(max(seq), 0) + 1, 0, gen_random_uuid(), 'Demo host', 'Hello', false, false, true, now()
       from chat_messages where room = 'region' returning seq`,
    );
    said++;
    return [{ type: 'MessagePosted', data: rows[0]! }];
  };
  const room = async () => {
    const { rows } = await plain.pool.query<{ seq: number }>(
      `select coalesce(max(seq), 0)::int as seq from chat_messages where room = 'region'`,
    );
    return rows[0];
  };
  const host = startDemoHost(
    {
      pool: plain.pool,
      chat: { handle } as unknown as Chat,
      hub: { room } as never,
      online: { count: online } as never,
      log: logger('realtime', 'silent'),
      clock: { now: () => new Date() },
    },
    20,
  );
  return { stop: () => host.stop(), said: () => said };
}
const clear = () => plain.pool.query(`delete from chat_messages where room = 'region'`);

test('without the demo nobody made up talks; in the demo somebody does while people are there, marked as such', async () => {
  await joined(plain);
  const demo = await startRealtime({ ground, hasDemoHost: true });
  try {
    // Nobody is at its own instance yet, and the other one has no host.
    const page = await joined(demo);
    await eventually(() => page.messages.length > 0, { what: 'the host' });
    expect(page.messages[0]).toMatchObject({
      isDemo: true,
      userId: null,
      userName: 'Demo host',
      isSystemMessage: false,
    });
    expect((await read()).every(({ isDemo }) => isDemo)).toBe(true);
  } finally {
    await demo.close();
  }
});

test('is quiet while nobody is there, and after fifty times in a row until somebody writes or comes', async () => {
  await clear();
  let here = 0;
  let counted = 0;
  const host = aHost(() => {
    counted++;
    return here;
  });
  const looksAgain = async () => {
    const from = counted;
    await eventually(() => counted >= from + 3);
  };
  try {
    await looksAgain();
    expect(host.said()).toBe(0);
    here = 1;
    await eventually(() => host.said() === 50);
    await looksAgain();
    expect(host.said()).toBe(50);
    here = 2;
    await eventually(() => host.said() === 100);
    await plain.pool.query(
      `insert into chat_messages (room, seq, version, id, user_name, message, is_system, is_organiser, is_demo, created_at)
       values ('region', 101, 0, gen_random_uuid(), 'Gil', 'Hi', false, false, false, now())`,
    );
    await eventually(() => host.said() > 100);
  } finally {
    await host.stop();
  }
});

test('of two instances one has the host, and fifty times in a row are fifty of both', async () => {
  await clear();
  const hosts = [aHost(() => 1), aHost(() => 1)];
  try {
    await eventually(() => hosts.reduce((sum, host) => sum + host.said(), 0) >= 50);
    await eventually(async () => {
      const before = hosts.map((host) => host.said()).join();
      await new Promise((resolve) => setTimeout(resolve, 300));
      return before === hosts.map((host) => host.said()).join();
    });
    const { rows } = await plain.pool.query<{ said: number }>(
      `select count(*)::int as said from chat_messages where room = 'region' and is_demo`,
    );
    expect(rows[0]!.said).toBeLessThanOrEqual(52);
  } finally {
    await Promise.all(hosts.map((host) => host.stop()));
  }
});
