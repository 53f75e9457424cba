import { fork, type ChildProcess } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { ChatMessage, MessagePage } from '@beltway/contracts/realtime/chat';
import { freePorts } from '@beltway/kit/free-ports';
import { migrate } from '@beltway/kit/migrate';
import { startRedis } from '@beltway/test-engines/redis';
import { startServer } from '../../bench/support/database.ts';
import { kitMigrations, serviceMigrations } from '../../scripts/launcher/migrations.ts';
import { random } from '../random.ts';
import { openReader, type Reader } from './reader.ts';

const READERS = 500;
const WRITERS = 8;
const BETWEEN_KILLS_MS = 2_500;
const AWAY_MS = 600;
const SETTLE_MS = 60_000;

export interface ChatOutcome {
  chaos: 'chat';
  seed: string;
  kills: number;
  hits: Record<string, number>;
  /** Messages that were acknowledged with a sequence number, and messages that are stored. */
  said: number;
  stored: number;
  reconnects: number;
  /** Number of messages that a page received again, with the same sequence number. */
  again: number;
  seconds: number;
  examples: string[];
}

const digestOf = (messages: readonly ChatMessage[]): string =>
  createHash('sha256')
    .update(JSON.stringify(messages.map(({ seq, id, message }) => [seq, id, message])))
    .digest('hex');

/**
 * Runs two instances of realtime and a Redis with writers and 500 pages, and kills one process after the other. At any
 * time, one page in five is about to reconnect. At the end every page must have the stored transcript, with each
 * message once and in the same order. Every acknowledged message must be stored.
 */
export async function runChat({
  seed,
  kills,
  say,
}: {
  seed: string;
  kills: number;
  say: (text: string) => void;
}): Promise<ChatOutcome> {
  const began = performance.now();
  const chance = random(`chat ${seed}`);
  const undo: Array<() => unknown> = [];
  try {
    const postgres = await startServer({ say, onEnd: (work) => undo.push(work) });
    const [url, busUrl] = [await postgres.database('realtime'), await postgres.database('bus')];
    await migrate(url, serviceMigrations('realtime'));
    await migrate(busUrl, [kitMigrations('bus')]);
    const redis = await startRedis();
    undo.push(() => redis.stop());

    const ports = await freePorts(2);
    const instances: Array<ChildProcess | undefined> = [];
    const start = async (at: number) => {
      const child = fork(join(import.meta.dirname, 'server.ts'), [url, busUrl, redis.url, String(ports[at])]);
      instances[at] = child;
      await once(child, 'message');
    };
    undo.push(async () => {
      for (const child of instances)
        if (child && child.exitCode === null && child.signalCode === null) {
          child.kill('SIGKILL');
          await once(child, 'exit');
        }
    });
    await Promise.all([start(0), start(1)]);
    const urlOf = () => `http://127.0.0.1:${chance.pick(ports)}`;

    const readers: Reader[] = Array.from({ length: READERS }, () => openReader(urlOf));
    undo.push(() => readers.forEach((reader) => reader.close()));
    let over = false;
    const answered = new Set<string>();
    const post = async (id: string, message: string): Promise<boolean> => {
      const body = JSON.stringify({ id, message, guestName: 'Gil' });
      const headers = { 'content-type': 'application/json' };
      const signal = AbortSignal.timeout(3_000);
      return fetch(`${urlOf()}/api/chat/region/messages`, { method: 'POST', headers, body, signal }).then(
        ({ status }) => status === 201,
        () => false,
      );
    };
    const write = async (writer: number) => {
      for (let number = 0; !over; number++) {
        const id = randomUUID();
        while (!(await post(id, `${writer} says ${number}`))) await pause(50);
        answered.add(id);
        await pause(chance.int(20, 120));
      }
    };
    const writing = Array.from({ length: WRITERS }, (_, writer) => write(writer));
    const leaving = (async () => {
      while (!over) {
        for (const reader of readers) if (chance.chance(0.2)) reader.reconnect(chance.int(0, 2_000));
        await pause(2_000);
      }
    })();

    const hits: Record<string, number> = {};
    for (let kill = 0; kill < kills; kill++) {
      await pause(BETWEEN_KILLS_MS);
      const what = chance.pick(['one', 'two', 'redis']);
      hits[what] = (hits[what] ?? 0) + 1;
      if (what === 'redis') {
        await redis.kill();
        await pause(AWAY_MS);
        await redis.start();
        continue;
      }
      const at = what === 'one' ? 0 : 1;
      instances[at]!.kill('SIGKILL');
      await once(instances[at]!, 'exit');
      await pause(AWAY_MS);
      await start(at);
    }
    await pause(BETWEEN_KILLS_MS);
    over = true;
    await Promise.all([...writing, leaving]);

    const stored: ChatMessage[] = [];
    for (;;) {
      const answer = await fetch(`${urlOf()}/api/chat/region/messages?limit=100&after=${stored.length}`);
      const { messages } = (await answer.json()) as MessagePage;
      if (messages.length === 0) break;
      stored.push(...messages);
    }
    const deadline = performance.now() + SETTLE_MS;
    while (readers.some(({ messages }) => messages.length < stored.length) && performance.now() < deadline)
      await pause(100);

    const examples: string[] = [];
    stored.forEach(({ seq }, at) => seq === at + 1 || examples.push(`stored: message ${at + 1} has the number ${seq}`));
    const ids = new Set(stored.map(({ id }) => id));
    if (ids.size !== stored.length) examples.push(`stored: ${stored.length - ids.size} messages twice`);
    for (const id of answered) if (!ids.has(id)) examples.push(`lost: ${id} was answered and is not stored`);
    const digest = digestOf(stored);
    readers.forEach((reader, at) => {
      if (digestOf(reader.messages) !== digest)
        examples.push(`page ${at}: has ${reader.messages.length} of ${stored.length} messages, or others`);
    });
    const sum = (field: 'reconnects' | 'again') => readers.reduce((total, reader) => total + reader[field], 0);
    return {
      ...{ chaos: 'chat', seed, kills, hits, said: answered.size, stored: stored.length },
      ...{ reconnects: sum('reconnects'), again: sum('again') },
      seconds: Math.round((performance.now() - began) / 1_000),
      examples,
    };
  } finally {
    for (let work = undo.pop(); work; work = undo.pop()) await work();
  }
}
