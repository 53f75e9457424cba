import { afterEach, beforeEach, expect, test } from 'vitest';
import { relay, type OutgoingMessage } from '@beltway/event-store';
import { inSpan, useTracer, type Span, type Tracer } from '@beltway/tracing';
import { openTracer } from '@beltway/tracing/opentelemetry';
import { testCollector, type ReceivedSpan } from '@beltway/tracing/testing';
import { plainMessage } from '@beltway/event-store/testing';
import { commandId, database, instance, later } from './support.ts';

let tracer: Tracer;
/** Returns all recorded spans; called at the end of a test. */
let flush: () => Promise<ReceivedSpan[]>;

beforeEach(async () => {
  const collector = await testCollector();
  const opened = openTracer({ service: 'test', endpoint: collector.url, ratio: 1, warn: () => undefined });
  tracer = opened.tracer;
  useTracer(tracer);
  flush = async () => (await opened.stop(), collector.spans);
  later(async () => {
    await opened.stop();
    await collector.close();
  });
});
afterEach(() => useTracer(undefined));

const click = (): Span => tracer.start('click', {})!;

/** Opens a box of 100 things; this first command is not traced. */
async function openBox(extra?: Parameters<typeof instance>[1]) {
  const { url, rows } = await database();
  const { store, boxes, close } = instance(url, extra);
  await boxes.handle(1, { type: 'Fill', size: 100 }, { commandId: commandId() });
  const take = (who: string, id = commandId()) =>
    boxes.handle(1, { type: 'Take', who, count: 1 }, { commandId: id, fingerprint: who });
  const stored = async (): Promise<Array<string | null>> =>
    (await rows('select traceparent from events order by version')).map((row) => row['traceparent'] as string | null);
  return { url, rows, store, boxes, close, take, stored };
}

const namedIn = (spans: ReceivedSpan[], traceId: string, name: string): ReceivedSpan => {
  const found = spans.filter((span) => span.traceId === traceId && span.name === name);
  expect(found, name).toHaveLength(1);
  return found[0]!;
};

test('a command, its append and its published messages share one trace', async () => {
  const { store, take, stored } = await openBox();
  const sent: OutgoingMessage[] = [];
  const follower = relay(store, {
    topic: 'box.events',
    publish: (events) => events.map((of) => plainMessage(of, `box.${of.type}`)),
    send: async (messages) => void sent.push(...messages),
  });
  later(follower.stop);
  const span = click();
  await inSpan(span, () => take('ann'));
  await follower.caughtUp();
  span.end();

  const spans = await flush();
  const command = namedIn(spans, span.traceId, 'command Take');
  const append = namedIn(spans, span.traceId, 'append');
  const publish = namedIn(spans, span.traceId, 'publish box.Taken');
  expect(command.parentSpanId).toBe(namedIn(spans, span.traceId, 'click').spanId);
  expect(append.parentSpanId).toBe(command.spanId);
  expect(publish.parentSpanId).toBe(append.spanId);
  expect(await stored()).toEqual([null, `00-${span.traceId}-${append.spanId}-01`]);
  expect(sent.map(({ traceparent }) => traceparent)).toEqual([undefined, `00-${span.traceId}-${publish.spanId}-01`]);
  // Neither the box nor the buyer's name is recorded.
  expect(JSON.stringify(spans)).not.toContain('ann');
});

test('commands of several traces in one append are linked, and each stays in its own trace', async () => {
  const { take, stored } = await openBox();
  const spans = [click(), click(), click()];
  // The first command is in progress while the other commands wait. The waiting commands are then appended together.
  const [first, second, third] = spans as [Span, Span, Span];
  await Promise.all([
    take('nobody'),
    ...spans.map((span, n) => inSpan(span, () => take(`who-${n}`))),
    take('untraced'),
  ]);
  spans.forEach((span) => span.end());

  const received = await flush();
  const appends = spans.map(({ traceId }) => namedIn(received, traceId, 'append'));
  const commands = spans.map(({ traceId }) => namedIn(received, traceId, 'command Take'));
  expect(appends.map(({ parentSpanId }) => parentSpanId)).toEqual(commands.map(({ spanId }) => spanId));
  const linked = (span: ReceivedSpan) => span.links.map(({ traceId, spanId }) => `${traceId} ${spanId}`);
  expect(linked(appends[0]!)).toEqual([
    `${second.traceId} ${commands[1]!.spanId}`,
    `${third.traceId} ${commands[2]!.spanId}`,
  ]);
  expect(linked(appends[1]!)).toEqual([`${first.traceId} ${appends[0]!.spanId}`]);
  expect(linked(appends[2]!)).toEqual([`${first.traceId} ${appends[0]!.spanId}`]);
  const counts = appends.map(({ attributes }) => attributes['beltway.group.commands']);
  expect(new Set(counts).size).toBe(1);
  expect(Number(counts[0])).toBeGreaterThanOrEqual(3);
  expect((await stored()).filter((traceparent) => traceparent !== null)).toEqual(
    appends.map(({ traceId, spanId }) => `00-${traceId}-${spanId}-01`),
  );
});

test('streams that share commits keep their traces separate', async () => {
  const { boxes, rows } = await openBox({ sharedCommits: true });
  const spans = Array.from({ length: 5 }, click);
  await Promise.all(
    spans.map((span, n) =>
      inSpan(span, () => boxes.handle(n + 2, { type: 'Fill', size: 1 }, { commandId: commandId() })),
    ),
  );
  const events = await rows('select stream, traceparent from events where traceparent is not null order by stream');
  expect(events.map(({ traceparent }) => String(traceparent).split('-')[1])).toEqual(
    spans.map(({ traceId }) => traceId),
  );
});

test('pipelined groups and untraced groups are in the log in order, with the traces of their commands', async () => {
  const { take, rows } = await openBox();
  const spans = new Map<string, Span>();
  const buy = async (n: number) => {
    if (n % 3 === 0) return take(`who-${n}`);
    const span = click();
    spans.set(`who-${n}`, span);
    return inSpan(span, () => take(`who-${n}`));
  };
  await Promise.all(Array.from({ length: 60 }, (_, n) => buy(n)));
  const taken = await rows(
    `select version::int, data->>'who' as who, traceparent from events where type = 'Taken' order by version`,
  );
  expect(taken.map(({ version }) => version)).toEqual(Array.from({ length: 60 }, (_, n) => n + 2));
  for (const { who, traceparent } of taken)
    expect([who, (traceparent as string | null)?.split('-')[1]]).toEqual([who, spans.get(String(who))?.traceId]);
});

test('a command repeated in another trace is the same command', async () => {
  const { take, stored } = await openBox();
  const id = commandId();
  const [first, again] = [click(), click()];
  await inSpan(first, () => take('ann', id));
  const decision = await inSpan(again, () => take('ann', id));
  expect(decision).toMatchObject({ version: 2, repeated: true });
  expect((await stored()).map((text) => text?.split('-')[1])).toEqual([undefined, first.traceId]);
  const spans = await flush();
  expect(namedIn(spans, again.traceId, 'command Take').attributes).toMatchObject({ 'beltway.repeated': true });
});

test('a refusal does not mark its span as failed; a bug in the rules does', async () => {
  const { boxes } = await openBox();
  const [refused, broken] = [click(), click()];
  const over = { type: 'Take', who: 'ann', count: 1_000 } as const;
  await expect(inSpan(refused, () => boxes.handle(1, over, { commandId: commandId() }))).rejects.toThrow('empty');
  const crash = inSpan(broken, () => boxes.handle(1, { type: 'Crash' }, { commandId: commandId() }));
  await expect(crash).rejects.toThrow('a bug');
  const spans = await flush();
  const told = namedIn(spans, refused.traceId, 'command Take');
  expect(told).toMatchObject({ hasFailed: false, attributes: { 'beltway.rejected': 'empty' } });
  expect(namedIn(spans, broken.traceId, 'command Crash')).toMatchObject({
    hasFailed: true,
    attributes: { 'error.type': 'TypeError' },
  });
});

test('if connections are cut, the event names the append that wrote the event', async () => {
  const { take, admin, stored } = await (async () => {
    const { url, admin, rows } = await database();
    const { boxes } = instance(url);
    await boxes.handle(1, { type: 'Fill', size: 100 }, { commandId: commandId() });
    const take = (who: string) => boxes.handle(1, { type: 'Take', who, count: 1 }, { commandId: commandId() });
    await take('warm');
    return { take, admin, stored: () => rows('select traceparent from events order by version desc limit 1') };
  })();
  await admin.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
  );
  const span = click();
  await inSpan(span, () => take('ann'));
  const appends = (await flush()).filter(({ name, traceId }) => name === 'append' && traceId === span.traceId);
  expect(appends.at(-1)).toMatchObject({ hasFailed: false });
  expect((await stored())[0]!['traceparent']).toBe(`00-${span.traceId}-${appends.at(-1)!.spanId}-01`);
});

test('once tracing is off, the log is written and read as before', async () => {
  const { store, take, stored } = await openBox();
  await inSpan(click(), () => take('ann'));
  useTracer(undefined);
  await take('bob');
  const sent: OutgoingMessage[] = [];
  const follower = relay(store, {
    topic: 'box.events',
    publish: (events) => events.map((of) => plainMessage(of, `box.${of.type}`)),
    send: async (messages) => void sent.push(...messages),
  });
  later(follower.stop);
  await follower.caughtUp();
  expect(sent.map((message) => 'traceparent' in message)).toEqual([false, false, false]);
  expect((await stored()).map((text) => text !== null)).toEqual([false, true, false]);
});
