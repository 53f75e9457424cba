import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { inSpan, useTracer } from '@beltway/tracing';
import { memoryTracer } from '@beltway/tracing/testing';
import { anOrder, startStack, type Stack } from './stack.ts';

let stack: Stack;
beforeAll(async () => void (stack = await startStack()));
afterAll(() => stack.stop());
afterEach(async () => {
  useTracer(undefined);
  await stack.tune('api', { mode: 'normal' });
});

test('a call to the card provider is a span of the request that makes it, and has neither ids nor amounts', async () => {
  const { tracer, spans } = memoryTracer();
  useTracer(tracer);
  const { provider } = stack.deps;
  const { body } = await stack.request(anOrder());
  spans.length = 0;

  // Background work creates no spans.
  await provider.retrieve(body.paymentId);
  expect(spans).toEqual([]);

  const request = tracer.start('POST /internal/payments/decided', {})!;
  await inSpan(request, () => provider.retrieve(body.paymentId));
  await expect(inSpan(request, () => provider.retrieve('pi_of_nobody'))).rejects.toMatchObject({ status: 404 });
  await stack.tune('api', { mode: 'failing' });
  await expect(inSpan(request, () => provider.refunds(body.paymentId))).rejects.toMatchObject({ status: 503 });
  const calls = spans.filter(({ options }) => options.kind === 'client');
  expect(calls.map(({ name, hasEnded, error }) => [name, hasEnded, error === undefined])).toEqual([
    ['provider retrieve', true, true],
    ['provider retrieve', true, false],
    ['provider refunds', true, false],
  ]);
  for (const { options, name, attributes } of calls) {
    expect(options.parent).toBe(request.traceparent);
    expect(JSON.stringify([name, attributes])).not.toMatch(/pi_|\d{3,}/);
  }
});
