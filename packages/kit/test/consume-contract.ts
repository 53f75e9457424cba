import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Overloaded } from '@beltway/event-store';
import type { Message } from '@beltway/contracts/common/basics';
import { envelope } from '@beltway/contracts/common/basics';
import type { Pool, PoolClient } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { BusUnavailable, silent, type Bus, type BusLog, type Subscription } from '../src/bus/bus.ts';
import { consume, on, onCommand, onNewest, onRepeatable, type Handler } from '../src/bus/consume.ts';
import { retryTopic } from '../src/bus/dead-letter-topics.ts';
import { discardDeadLetter, listDeadLetters, replayDeadLetter } from '../src/bus/dead-letters.ts';
import { lagsNow } from '../src/bus/lags.ts';
import { metricsText } from '../src/observe/metrics.ts';
import { openPool } from '../src/postgres/pool.ts';
import { eventuallyPasses, testDatabase, type TestDatabase } from '../src/testing/testing.ts';
import { proxyTo, type Proxy } from './proxy.ts';

const SeatSoldV1 = z.object({
  ...envelope,
  type: z.literal('test.seat-sold'),
  version: z.literal(1),
  data: z.object({ seat: z.string() }),
});
type SeatSoldV1 = z.infer<typeof SeatSoldV1>;

/** The seat at which the separate process hangs. */
const HANGS_AT = 'A59';
const sold = (seat: string, key = 'hall-1'): SeatSoldV1 => ({
  id: randomUUID(),
  type: 'test.seat-sold',
  version: 1,
  key,
  occurredAt: '2026-08-01T19:00:00.000Z',
  correlationId: 'c',
  causationId: 'c',
  data: { seat },
});

export interface BusForConsumers {
  bus: Bus;
  /** Environment variables with which another process opens the same bus by `openBus`. */
  env: Record<string, string>;
  /** Also closes the bus. */
  close(): Promise<void>;
}

/**
 * Tests the guarantees of `consume` on every bus: messages take effect once and in order, and dead letters can be
 * replayed.
 */
export function consumeContract(name: string, start: () => Promise<BusForConsumers>, patienceMs = 40_000): void {
  describe(`consuming from the ${name} bus`, { timeout: patienceMs * 3 }, () => {
    let under: BusForConsumers;
    let database: TestDatabase;
    let bus: Bus;
    let service: Proxy;
    let pool: Pool;
    let topic: string;
    let group: string;
    let errors: string[];
    const consumers: Subscription[] = [];
    const log: BusLog = { ...silent, error: (_, text) => void errors.push(text) };

    beforeAll(async () => {
      under = await start();
      bus = under.bus;
      database = await testDatabase([new URL('../migrations/inbox', import.meta.url).pathname]);
      service = await proxyTo(database.url);
      pool = openPool(service.url);
      await pool.query('create table effects (n bigserial, group_name text, seat text)');
    }, 120_000);

    beforeEach(async () => {
      topic = `test-${randomUUID()}`;
      group = `group-${randomUUID()}`;
      errors = [];
      await bus.ensureTopics([topic]);
    });
    afterEach(async () => {
      await service.mend();
      await Promise.all(consumers.splice(0).map((consumer) => consumer.stop()));
    });
    afterAll(async () => {
      await under.close();
      await pool.end();
      service.close();
      await database.drop();
    });

    async function listen(
      handler: Handler,
      options: {
        as?: string;
        bus?: Bus;
        pool?: Pool;
        pauses?: number[];
        orderingKey?: (message: unknown) => string;
      } = {},
    ): Promise<Subscription> {
      const { as = group, pauses = [5, 10] } = options;
      const handlers = { 'test.seat-sold': handler };
      const consumer = await consume({
        bus: options.bus ?? bus,
        pool: options.pool ?? pool,
        log,
        group: as,
        topics: [topic],
        handlers,
        attempts: 3,
        pauses,
        ...(options.orderingKey && { orderingKey: options.orderingKey }),
      });
      consumers.push(consumer);
      return consumer;
    }

    const note = async ({ data }: SeatSoldV1, tx: PoolClient, as = group): Promise<void> =>
      void (await tx.query('insert into effects (group_name, seat) values ($1, $2)', [as, data.seat]));

    async function effects(as = group): Promise<string[]> {
      const { rows } = await pool.query<{ seat: string }>('select seat from effects where group_name = $1', [as]);
      return rows.map(({ seat }) => seat).sort();
    }

    const inbox = async (as = group): Promise<number> =>
      (await pool.query('select from inbox where group_name = $1', [as])).rowCount ?? 0;
    const letters = async () => (await listDeadLetters(bus)).filter((letter) => letter.group === group);
    const eventually = (check: () => Promise<void>) => eventuallyPasses(check, patienceMs);
    const caughtUp = (as = group) => eventually(async () => expect(await bus.lag(as, [topic])).toEqual({ [topic]: 0 }));

    test('a message delivered three times has its effect once', async () => {
      const message = sold('A1');
      await bus.publish(topic, [message, message, sold('A2')]);
      await listen(on(SeatSoldV1, note));
      await caughtUp();
      await bus.publish(topic, [message, sold('A3')]);
      await caughtUp();
      expect(await effects()).toEqual(['A1', 'A2', 'A3']);
      expect(await inbox()).toBe(3);
    });

    test('messages delivered three times in different orders have their effect once and in order', async () => {
      const halls = ['hall-1', 'hall-2', 'hall-3', 'hall-4', 'hall-5'];
      const rows = [1, 2, 3, 4].map((n) => halls.map((hall) => sold(`${hall} ${n}`, hall)));
      const column = halls.flatMap((_, at) => rows.map((row) => row[at]!));
      const consumers = [await listen(on(SeatSoldV1, note)), await listen(on(SeatSoldV1, note))];
      expect(consumers).toHaveLength(2);
      // Sorted by row, then by hall, then in reverse order of halls. Within each hall the numbers always go from 1 to
      // 4.
      await bus.publish(topic, rows.flat());
      await bus.publish(topic, column);
      for (const row of rows) await bus.publish(topic, row.toReversed());
      await caughtUp();
      const { rows: seats } = await pool.query<{ seat: string }>(
        'select seat from effects where group_name = $1 order by n',
        [group],
      );
      for (const hall of halls)
        expect(seats.map(({ seat }) => seat).filter((seat) => seat.startsWith(hall))).toEqual(
          [1, 2, 3, 4].map((n) => `${hall} ${n}`),
        );
      expect(seats).toHaveLength(20);
    });

    test('messages with different ordering keys are handled concurrently, otherwise in order', async () => {
      const other = Promise.withResolvers<void>();
      const seen: string[] = [];
      let refusals = 1;
      const away = Object.assign(new Error('away'), { transient: true });
      await bus.publish(topic, [sold('A1'), sold('A2'), sold('B1'), sold('C1')]);
      await listen(
        onCommand(SeatSoldV1, async ({ data: { seat } }) => {
          if (seat === 'C1' && refusals-- > 0) throw away;
          if (seat === 'A1') await other.promise;
          if (seat === 'B1') other.resolve();
          seen.push(seat);
        }),
        { orderingKey: (message) => (message as SeatSoldV1).data.seat.charAt(0) },
      );
      await caughtUp();
      expect(seen).toEqual(['B1', 'A1', 'A2', 'C1']);
    });

    test('of messages with whole states, a batch applies the newest of each thing, even if an older one arrives last', async () => {
      // A seat "A3" is version 3 of the state of row A.
      const states = ['A1', 'A2', 'A3', 'B1', 'A2', 'B2', 'C1'].map((seat) => sold(seat));
      const seen: string[] = [];
      await bus.publish(topic, states);
      await listen(
        onNewest(
          SeatSoldV1,
          ({ data: { seat } }) => ({ of: seat.charAt(0), version: Number(seat.slice(1)) }),
          async ({ data: { seat } }) => void seen.push(seat),
        ),
      );
      await caughtUp();
      expect(seen.filter((seat) => seat.startsWith('A')).at(-1)).toBe('A3');
      expect(seen.filter((seat) => seat.startsWith('B')).at(-1)).toBe('B2');
      expect(seen).toContain('C1');
      // Kafka may deliver the messages in two batches.
      expect(seen.length).toBeLessThanOrEqual(name === 'embedded' ? 3 : 6);
      await bus.publish(topic, [sold('A4')]);
      await caughtUp();
      expect(seen.at(-1)).toBe('A4');
      expect(await letters()).toEqual([]);
    });

    test('if a process is killed during a message, its successor handles all remaining messages once', async () => {
      // The process hangs at the last message of one key.
      const messages = Array.from({ length: 60 }, (_, n) => sold(n === 59 ? HANGS_AT : `A${n}`, `hall-${n % 6}`));
      await bus.publish(topic, messages);
      const member = fileURLToPath(new URL('consume-member.ts', import.meta.url));
      const child = spawn(process.execPath, [member, group, topic, database.url, HANGS_AT], {
        env: { ...process.env, ...under.env },
        stdio: ['ignore', 'ignore', 'inherit'],
      });
      try {
        await eventually(async () => expect((await effects()).length).toBeGreaterThan(5));
      } finally {
        const gone = once(child, 'exit');
        child.kill('SIGKILL');
        await gone;
      }
      const before = await effects();
      expect(before.length).toBeLessThan(60);
      await listen(on(SeatSoldV1, note));
      await caughtUp();
      expect(await effects()).toEqual(messages.map(({ data }) => data.seat).sort());
      expect(await inbox()).toBe(60);
    });

    test('exports the lag of its group', async () => {
      const gate = Promise.withResolvers<void>();
      const shown = async () =>
        (await metricsText())
          .split('\n')
          .find((line) => line.startsWith('consumer_lag') && line.includes(`${group}",topic="${topic}`));
      await bus.publish(topic, [sold('A1'), sold('A2'), sold('A3')]);
      const consumer = await listen(on(SeatSoldV1, () => gate.promise));
      expect(await shown()).toBe(`consumer_lag_messages{group="${group}",topic="${topic}"} 3`);
      gate.resolve();
      await eventually(async () => expect(await shown()).toMatch(/ 0$/));
      await consumer.stop();
      expect(await shown()).toBeUndefined();
    });

    test('a message that two members handle concurrently has its effect once', async () => {
      const message = sold('A1');
      // The message is in several partitions, so that several handlers process it concurrently. This also happens when
      // a member was cut off.
      await bus.publish(
        topic,
        ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((key) => ({ ...message, key })),
      );
      await listen(
        on(SeatSoldV1, async (seen, tx) => {
          await tx.query('select pg_sleep(0.05)');
          await note(seen, tx);
        }),
      );
      await caughtUp();
      expect(await effects()).toEqual(['A1']);
    });

    test('a handler that fails twice and then succeeds has its effect once', async () => {
      await bus.publish(topic, [sold('A1')]);
      let tries = 0;
      await listen(
        on(SeatSoldV1, async (message, tx) => {
          await note(message, tx);
          if (++tries < 3) throw new Error('not yet');
        }),
      );
      await caughtUp();
      expect(tries).toBe(3);
      expect(await effects()).toEqual(['A1']);
      expect(await letters()).toEqual([]);
    });

    test('parks a message that keeps failing, with its cause, and continues with the key’s next message', async () => {
      const [good, poison, next] = [sold('A1'), sold('poison'), sold('A2')];
      await bus.publish(topic, [good, poison, next]);
      let tries = 0;
      await listen(
        on(SeatSoldV1, async (message, tx) => {
          await note(message, tx);
          if (message.data.seat !== 'poison') return;
          tries++;
          throw new RangeError('no such seat');
        }),
      );
      await caughtUp();
      expect(tries).toBe(3);
      expect(await effects()).toEqual(['A1', 'A2']);
      expect(await inbox()).toBe(2);
      expect(errors).toEqual(['parked a dead letter']);
      const [letter, ...more] = await letters();
      expect(more).toEqual([]);
      expect(letter).toMatchObject({
        group,
        type: 'test.seat-sold',
        messageId: poison.id,
        error: { name: 'RangeError', message: 'no such seat' },
        attempts: 3,
        topic,
        offset: '1',
        original: poison,
      });
      expect(letter?.error.stack.join()).toContain('consume-contract.ts');
      expect(letter).not.toHaveProperty('replayedAt');
    });

    test('messages of a batch share a transaction, in order, even if the group skips others in between', async () => {
      const other = { ...sold('x'), type: 'test.other' } as unknown as Message;
      await bus.publish(topic, [sold('A3'), other, sold('A1'), sold('A2')]);
      await listen(on(SeatSoldV1, note));
      await caughtUp();
      const { rows } = await pool.query<{ seat: string; xmin: string }>(
        'select seat, xmin::text from effects where group_name = $1 order by n',
        [group],
      );
      expect(rows.map(({ seat }) => seat)).toEqual(['A3', 'A1', 'A2']);
      expect(new Set(rows.map(({ xmin }) => xmin)).size).toBe(1);
    });

    test('a poison message in a batch is parked alone; all other messages have effects once and in order', async () => {
      const seats = ['A1', 'A2', 'poison', 'A3', 'worse', 'A4'];
      await bus.publish(
        topic,
        seats.map((seat) => sold(seat)),
      );
      const tries = { poison: 0, worse: 0 };
      await listen(
        on(SeatSoldV1, async (message, tx) => {
          await note(message, tx);
          const { seat } = message.data;
          if (seat !== 'poison' && seat !== 'worse') return;
          tries[seat]++;
          // The message for the seat `worse` also breaks its transaction.
          await (seat === 'worse' ? tx.query('select 1 / 0') : Promise.reject(new RangeError('no such seat')));
        }),
      );
      await caughtUp();
      const { rows } = await pool.query<{ seat: string }>('select seat from effects where group_name = $1 order by n', [
        group,
      ]);
      expect(rows.map(({ seat }) => seat)).toEqual(['A1', 'A2', 'A3', 'A4']);
      expect(tries).toEqual({ poison: 3, worse: 3 });
      expect((await letters()).map(({ original }) => (original as SeatSoldV1).data.seat).sort()).toEqual([
        'poison',
        'worse',
      ]);
      expect(await inbox()).toBe(4);
    });

    test('parks a message of the maximum size, however long its cause is', async () => {
      const seat = 'x'.repeat(899_000);
      await bus.publish(topic, [sold(seat), sold('A1')]);
      await listen(
        on(SeatSoldV1, async (message, tx) => {
          if (message.data.seat === seat) throw new Error('no such seat '.repeat(50_000));
          await note(message, tx);
        }),
      );
      await caughtUp();
      expect(await effects()).toEqual(['A1']);
      expect(await letters()).toMatchObject([{ original: { data: { seat } } }]);
    });

    test('parks a message that breaks its contract without attempting it', async () => {
      const broken = { ...sold('A1'), data: { seat: 7 } } as unknown as Message;
      const nameless = { ...sold('A2'), id: 'seven' };
      const nothing = { key: 'hall-1', shape: 'none' } as unknown as Message;
      await bus.publish(topic, [broken, nameless, nothing, sold('A3')]);
      let tries = 0;
      await listen(
        on(SeatSoldV1, async (message, tx) => {
          tries++;
          await note(message, tx);
        }),
      );
      await caughtUp();
      expect(tries).toBe(1);
      expect(await effects()).toEqual(['A3']);
      expect((await letters()).map(({ attempts, original }) => ({ attempts, original }))).toEqual(
        [broken, nameless, nothing].map((original) => ({ attempts: 0, original })),
      );
    });

    test('a dead letter is handled once its contract allows it, but not if it was discarded', async () => {
      const strict = SeatSoldV1.extend({ data: z.object({ seat: z.string(), row: z.string() }) });
      const seats = ['A1', 'A2'].map((seat) => sold(seat));
      await bus.publish(topic, seats);
      const before = await listen(on(strict, note));
      await eventually(async () => expect(await letters()).toHaveLength(2));
      const [, second] = await letters();
      await discardDeadLetter(bus, second!.id);
      await before.stop();
      await listen(on(SeatSoldV1, note));
      await eventually(async () =>
        expect((await letters()).map(({ replayedAt }) => replayedAt !== undefined)).toEqual([true, false]),
      );
      const other = (second!.original as SeatSoldV1).data.seat === 'A1' ? 'A2' : 'A1';
      await eventually(async () => expect(await effects()).toEqual([other]));
      expect((await letters()).map(({ discardedAt }) => discardedAt !== undefined)).toEqual([false, true]);
    });

    test('skips unknown types and versions, and ignores unknown fields', async () => {
      const later = { ...sold('A1'), version: 2, data: { row: 'A', number: 1 } } as unknown as Message;
      const other = { ...sold('A2'), type: 'test.seat-painted' } as unknown as Message;
      const named = { ...sold('A3'), type: 'constructor' } as unknown as Message;
      const richer = { ...sold('A4'), mood: 'good', data: { seat: 'A4', color: 'red' } } as Message;
      await bus.publish(topic, [later, other, named, richer]);
      await listen(on(SeatSoldV1, note));
      await caughtUp();
      expect(await effects()).toEqual(['A4']);
      expect(await letters()).toEqual([]);
      expect(await inbox()).toBe(1);
    });

    test('a replayed dead letter is handled only by the group that failed, and marked as replayed', async () => {
      const poison = { ...sold('A1'), mood: 'good' };
      await bus.publish(topic, [poison]);
      const well = `well-${group}`;
      let mended = false;
      let heard = 0;
      await listen(
        onRepeatable(SeatSoldV1, async () => void heard++),
        { as: well },
      );
      await listen(
        on(SeatSoldV1, async (message, tx) => {
          if (!mended) throw new Error('a bug');
          await note(message, tx);
        }),
      );
      await Promise.all([caughtUp(), caughtUp(well)]);
      const [letter] = await letters();
      mended = true;
      const answer = await replayDeadLetter(bus, letter!.id);
      await eventually(async () => expect(await effects()).toEqual(['A1']));
      await caughtUp(well);
      expect(heard).toBe(1);
      expect(await letters()).toEqual([answer]);
      expect(answer.replayedAt).toEqual(expect.any(String));
      const sent: unknown[] = [];
      for (const one of [topic, retryTopic(group)])
        await bus.replay(one, async (batch) => void sent.push(...batch.map(({ message }) => message)));
      expect(sent).toEqual([poison, poison]);
      expect(await bus.lag(well, [topic])).toEqual({ [topic]: 0 });
      await expect(replayDeadLetter(bus, randomUUID())).rejects.toThrow('There is no dead letter');
    });

    test('a dead letter that fails again after its replay is pending again, under a new id', async () => {
      await bus.publish(topic, [sold('A1')]);
      await listen(on(SeatSoldV1, () => Promise.reject(new Error('a bug'))));
      await caughtUp();
      const [letter] = await letters();
      await replayDeadLetter(bus, letter!.id);
      await eventually(async () => expect(await letters()).toHaveLength(2));
      expect((await letters()).map(({ replayedAt }) => replayedAt === undefined)).toEqual([false, true]);
    });

    test('a process reports its groups and their lags', async () => {
      const mine = async () => (await lagsNow()).groups.filter((one) => one.group === group);
      expect(await mine()).toEqual([]);
      const consumer = await listen(on(SeatSoldV1, note));
      await bus.publish(topic, [sold('A1')]);
      await eventually(async () => expect(await mine()).toEqual([{ group, messages: 0 }]));
      await consumer.stop();
      expect(await mine()).toEqual([]);
    });

    test('a discarded dead letter cannot be replayed, and a replayed dead letter cannot be discarded', async () => {
      let mended = false;
      await listen(
        on(SeatSoldV1, async (message, tx) => {
          if (!mended) throw new Error('a bug');
          await note(message, tx);
        }),
      );
      await bus.publish(topic, [sold('A1'), sold('A2')]);
      await caughtUp();
      const [first, second] = await letters();
      mended = true;
      const discarded = await discardDeadLetter(bus, first!.id, group);
      expect(await discardDeadLetter(bus, first!.id)).toEqual(discarded);
      await expect(replayDeadLetter(bus, first!.id)).rejects.toThrow('was discarded');
      await replayDeadLetter(bus, second!.id, group);
      await expect(discardDeadLetter(bus, second!.id)).rejects.toThrow('was replayed');
      await eventually(async () => expect(await effects()).toEqual(['A2']));
      expect((await letters()).map(({ replayedAt, discardedAt }) => [!!replayedAt, !!discardedAt])).toEqual([
        [false, true],
        [true, false],
      ]);
      await expect(discardDeadLetter(bus, randomUUID())).rejects.toThrow('There is no dead letter');
    });

    test('waits while its database is down: nothing is lost, nothing is parked', async () => {
      await listen(on(SeatSoldV1, note));
      await bus.publish(topic, [sold('A1')]);
      await caughtUp();
      service.cut();
      await bus.publish(
        topic,
        ['A2', 'A3', 'A4'].map((seat) => sold(seat)),
      );
      // Waits much longer than three attempts with 5 and 10 ms between them take.
      await new Promise((resolve) => setTimeout(resolve, 1_500));
      expect(await letters()).toEqual([]);
      expect(await bus.lag(group, [topic])).toEqual({ [topic]: 3 });
      await service.mend();
      await caughtUp();
      expect(await effects()).toEqual(['A1', 'A2', 'A3', 'A4']);
      expect(await letters()).toEqual([]);
    });

    test('survives a connection that breaks during a handler, and has the effect once', async () => {
      await bus.publish(topic, [sold('A1'), sold('A2')]);
      let cut = false;
      await listen(
        on(SeatSoldV1, async (message, tx) => {
          await note(message, tx);
          if (cut) return;
          cut = true;
          await tx.query('select pg_terminate_backend(pg_backend_pid())');
        }),
      );
      await caughtUp();
      expect(await effects()).toEqual(['A1', 'A2']);
      expect(await letters()).toEqual([]);
    });

    test.each([
      ['an event store that is overloaded', new Overloaded()],
      [
        'a service that does not answer',
        new TypeError('fetch failed', { cause: Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }) }),
      ],
      ['a call that took too long', AbortSignal.abort().reason as Error],
      [
        'a transaction that has to be repeated',
        Object.assign(new Error('could not serialize access'), { code: '40001' }),
      ],
      ['an error marked as transient', Object.assign(new Error('busy'), { transient: true })],
    ])('does not count %s as an attempt', async (_, fault) => {
      await bus.publish(topic, [sold('A1')]);
      let tries = 0;
      await listen(
        on(SeatSoldV1, async (message, tx) => {
          if (++tries <= 4) throw fault;
          await note(message, tx);
        }),
      );
      await caughtUp();
      expect(tries).toBe(5);
      expect(await effects()).toEqual(['A1']);
      expect(await letters()).toEqual([]);
    });

    test('does not commit a message that it could not park', async () => {
      await bus.publish(topic, [sold('poison'), sold('A1')]);
      let refusals = 0;
      const lame: Bus = {
        ...bus,
        // On the second attempt, the dead letter is stored but the response is lost. There must still be only one dead
        // letter.
        async publish(to, messages) {
          if (++refusals >= 2) await bus.publish(to, messages);
          if (refusals <= 2) throw new BusUnavailable('away');
        },
      };
      const lags: unknown[] = [];
      await listen(
        on(SeatSoldV1, async (message, tx) => {
          lags.push(await bus.lag(group, [topic]));
          if (message.data.seat === 'poison') throw new Error('a bug');
          await note(message, tx);
        }),
        { bus: lame },
      );
      await caughtUp();
      expect(refusals).toBe(3);
      expect(lags).toEqual(lags.map(() => ({ [topic]: 2 })));
      expect(await letters()).toHaveLength(1);
      expect(await effects()).toEqual(['A1']);
    });

    test('does not attempt a parked message again if a later message of its batch must wait', async () => {
      await bus.publish(topic, [sold('poison'), sold('A1')]);
      const tries: string[] = [];
      await listen(
        on(SeatSoldV1, async ({ data }) => {
          tries.push(data.seat);
          if (data.seat === 'poison') throw new Error('a bug');
          if (tries.length === 4) throw new Overloaded();
        }),
      );
      await caughtUp();
      expect(tries).toEqual(['poison', 'poison', 'poison', 'A1', 'A1']);
      expect(errors).toEqual(['parked a dead letter']);
    });

    test('treats a transaction with a swallowed error as failed', async () => {
      await bus.publish(topic, [sold('A1')]);
      await listen(
        on(SeatSoldV1, async (message, tx) => {
          await note(message, tx);
          await tx.query('select 1 / 0').catch(() => {});
        }),
      );
      await caughtUp();
      expect(await letters()).toHaveLength(1);
      expect(await inbox()).toBe(0);
    });

    const decided = { events: ['something'] };
    const nothing = { events: [] };

    test('a command that appended events needs no inbox, and is not repeated with a later message', async () => {
      const messages = ['A1', 'A2', 'A3'].map((seat) => sold(seat));
      await bus.publish(topic, messages);
      const commands: string[] = [];
      let full = true;
      await listen(
        onCommand(SeatSoldV1, async ({ data }) => {
          if (data.seat === 'A3' && full) {
            full = false;
            throw new Overloaded();
          }
          commands.push(data.seat);
          if (data.seat === 'A2') return 'in-the-log';
          return data.seat === 'A3' ? [decided, decided] : decided;
        }),
      );
      await caughtUp();
      expect(commands).toEqual(['A1', 'A2', 'A3']);
      expect(await inbox()).toBe(0);
      // The handler runs again because the inbox has no row for the message. The event store recognizes a decided
      // command.
      await bus.publish(topic, [messages[0]!]);
      await caughtUp();
      expect(commands).toEqual(['A1', 'A2', 'A3', 'A1']);
    });

    test('stops immediately during the pause of a failing message, which is then redelivered', async () => {
      await bus.publish(topic, [sold('A1')]);
      let tries = 0;
      const broken = on(SeatSoldV1, async () => {
        tries++;
        throw new Error('a bug');
      });
      const consumer = await listen(broken, { pauses: [60_000] });
      await eventually(async () => expect(tries).toBe(1));
      await consumer.stop();
      expect(await bus.lag(group, [topic])).toEqual({ [topic]: 1 });
      await listen(on(SeatSoldV1, note));
      await caughtUp();
      expect(await effects()).toEqual(['A1']);
    });

    test.each([
      ['decided nothing', nothing],
      ['decided something and nothing', [decided, nothing]],
      ['gave no command', undefined],
      ['gave no commands', []],
    ])('a message that %s is recorded, and not decided again on a later state', async (_, answer) => {
      const message = sold('A1');
      const commands: string[] = [];
      await listen(
        onCommand(SeatSoldV1, async ({ data }) => {
          commands.push(data.seat);
          return data.seat === 'A1' ? answer : decided;
        }),
      );
      // The message is repeated in the same batch and in a later batch.
      await bus.publish(topic, [message, sold('A2'), message]);
      await caughtUp();
      await bus.publish(topic, [message, sold('A3')]);
      await caughtUp();
      expect(commands).toEqual(['A1', 'A2', 'A3']);
      expect(await inbox()).toBe(1);
    });

    test('a message without events is recorded before the next message of its key, even after an outage', async () => {
      const commands: string[] = [];
      await bus.publish(topic, [sold('A1'), sold('A2')]);
      const remembered: number[] = [];
      await listen(
        onCommand(SeatSoldV1, async ({ data }) => {
          if (commands.push(data.seat) === 1) {
            service.cut();
            setTimeout(() => void service.mend(), 300);
          }
          if (data.seat === 'A1') return nothing;
          remembered.push(await inbox());
          return decided;
        }),
      );
      await caughtUp();
      expect(commands).toEqual(['A1', 'A1', 'A2']);
      expect(remembered).toEqual([1]);
    });

    test('a member that was frozen with a batch looks up again which messages other members have handled', async () => {
      const thaw = Promise.withResolvers<void>();
      const commands: string[] = [];
      const late = sold('A2');
      await bus.publish(topic, [sold('A1'), late, sold('A3')]);
      await listen(
        onCommand(SeatSoldV1, async ({ data }) => {
          commands.push(data.seat);
          if (data.seat === 'A1') await thaw.promise;
          return decided;
        }),
      );
      await eventually(async () => expect(commands).toEqual(['A1']));
      await pool.query('insert into inbox (group_name, message_id) values ($1, $2)', [group, late.id]);
      setTimeout(thaw.resolve, 1_100); // longer than an inbox lookup stays valid
      await caughtUp();
      expect(commands).toEqual(['A1', 'A3']);
    });

    const tooSlow = () => Object.assign(new Error('canceling statement due to statement timeout'), { code: '57014' });

    test('parks a message that always takes too long, and continues', async () => {
      await bus.publish(topic, [sold('slow'), sold('A1')]);
      let tries = 0;
      await listen(
        on(SeatSoldV1, async (message, tx) => {
          await note(message, tx);
          if (message.data.seat !== 'slow') return;
          tries++;
          await tx.query(`set local statement_timeout = 10`);
          await tx.query('select pg_sleep(5)');
        }),
      );
      await caughtUp();
      expect(tries).toBe(3);
      expect(await effects()).toEqual(['A1']);
      expect(await letters()).toMatchObject([{ attempts: 3, error: { message: tooSlow().message } }]);
    });

    test('waits while every message takes too long, because then the database is at fault', async () => {
      await bus.publish(topic, [sold('A1')]);
      const hurried = openPool(database.url, { statement_timeout: 50 });
      const writer = await pool.connect();
      await writer.query('begin; lock table inbox in share mode');
      let tries = 0;
      await listen(
        onCommand(SeatSoldV1, async () => {
          if (++tries <= 6) throw tooSlow();
          await writer.query('rollback');
          return decided;
        }),
        { pool: hurried },
      );
      await caughtUp();
      expect(tries).toBe(7);
      expect(await letters()).toEqual([]);
      writer.release();
      await Promise.all(consumers.splice(0).map((consumer) => consumer.stop()));
      await hurried.end();
    });

    test('never forgets handled messages, because topics keep their messages too', async () => {
      const old = sold('A1');
      await pool.query(`insert into inbox values ($1, $2, now() - interval '400 days')`, [group, old.id]);
      await bus.publish(topic, [old, sold('A2')]);
      await listen(on(SeatSoldV1, note));
      await caughtUp();
      expect(await effects()).toEqual(['A2']);
    });
  });
}
