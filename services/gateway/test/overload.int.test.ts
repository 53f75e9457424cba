import { Agent, request, type ServerResponse } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '@beltway/kit/testing';
import { calls } from '../src/openapi/document.ts';
import { serviceFor } from '../src/proxy/routes.ts';
import { startGateway, type TestGateway } from './gateway.ts';

let gateway: TestGateway;
const agent = new Agent({ keepAlive: true, maxSockets: Infinity });
beforeAll(async () => void (gateway = await startGateway()));
afterAll(async () => {
  agent.destroy();
  await gateway.stop();
});

interface Answer {
  status: number | undefined;
  retryAfter: string | undefined;
}
const ask = (path: string): Promise<Answer> =>
  new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port: gateway.port, path, agent }, (answer) => {
      answer.resume();
      answer.on('end', () => resolve({ status: answer.statusCode, retryAfter: answer.headers['retry-after'] }));
    })
      .on('error', reject)
      .end();
  });

test('a service that hangs holds 500 requests; more are told to come back, other services serve, and what waited is served', async () => {
  const { ticketing } = gateway.behind;
  const held: ServerResponse[] = [];
  ticketing.answer = (_req, res) => held.push(res);
  const waiting = Array.from({ length: 500 }, () => ask('/api/tickets/stats'));
  await eventually(() => held.length === 500, { what: 'the 500th request', timeoutMs: 40_000 });

  const late = await Promise.all(Array.from({ length: 50 }, () => ask('/api/tickets/stats')));
  expect(late).toEqual(Array(50).fill({ status: 503, retryAfter: '1' }));
  expect((await ask('/api/events')).status).toBe(200);
  expect(held).toHaveLength(500);

  for (const res of held) res.end('{}');
  expect(new Set((await Promise.all(waiting)).map(({ status }) => status))).toEqual(new Set([200]));
  ticketing.reset();
  expect((await ask('/api/tickets/stats')).status).toBe(200);
});

test('on every route, whoever is turned away is told when to come back', async () => {
  await Promise.all(Object.values(gateway.behind).map((service) => service.die()));
  try {
    let turnedAway = 0;
    for (const { method, path } of calls) {
      const where = path.replace(/\{\w+\}/g, '7');
      const answer = await fetch(gateway.url + where, { method: method.toUpperCase() });
      await answer.arrayBuffer();
      const away = [429, 503, 504].includes(answer.status);
      if (away) expect([where, Number(answer.headers.get('retry-after')) > 0]).toEqual([where, true]);
      if (away) turnedAway++;
      if (serviceFor(where, true)) expect([method, where, answer.status]).toEqual([method, where, 503]);
    }
    expect(turnedAway).toBeGreaterThan(20);
  } finally {
    await Promise.all(Object.values(gateway.behind).map((service) => service.live()));
  }
});
