import { mkdtempSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { createServiceApp } from '../http/app.ts';
import { forbidden, unauthenticated } from '../http/problems.ts';
import { listen } from '../testing/testing.ts';
import { createServer } from 'node:http';
import { openSecurityLog, pseudonym, recordSecurity } from './security-log.ts';

const secret = ['internal-token-of-the-tests-0123456789'] as const;
const linesOf = () => {
  const lines: Array<Record<string, unknown>> = [];
  const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) });
  return { lines, log };
};

test('a refusal is logged: account and network as pseudonyms, the action, and the reason', async () => {
  const { lines, log } = linesOf();
  openSecurityLog({ service: 'x', secret: [...secret], days: 90, log });
  const app = createServiceApp({
    service: 'x',
    log: linesOf().log,
    routes: (router) => {
      router.get('/api/open', (_req, res) => void res.json({}));
      router.get('/api/secret', () => {
        throw unauthenticated();
      });
      router.delete('/api/events/:id', (req) => {
        req.caller = { id: 7 } as never;
        throw forbidden();
      });
    },
  });
  const server = createServer(app);
  const base = await listen(server);
  const headers = { 'x-forwarded-for': '203.0.113.7', 'x-request-id': 'request-1' };
  await fetch(`${base}/api/open`, { headers });
  await fetch(`${base}/api/secret`, { headers });
  await fetch(`${base}/api/events/5`, { method: 'DELETE', headers });
  server.close();
  const from = pseudonym([...secret], '203.0.113.7');
  expect(lines).toMatchObject([
    { log: 'security', what: 'refused', status: 401, code: 'unauthenticated', route: 'GET /api/secret', from },
    {
      ...{ log: 'security', what: 'refused', outcome: 'refused', status: 403, code: 'forbidden', from },
      ...{ route: 'DELETE /api/events/:id', requestId: 'request-1', account: pseudonym([...secret], 7) },
    },
  ]);
  expect(JSON.stringify(lines)).not.toContain('203.0.113.7');
});

test('a flood of refusals is counted, and does not hide successful actions', () => {
  const { lines, log } = linesOf();
  openSecurityLog({ service: 'x', secret: [...secret], days: 90, log });
  for (let index = 0; index < 1_000; index++)
    recordSecurity({ what: 'refused', outcome: 'refused', status: 429, from: 'x' });
  recordSecurity({ what: 'sign-in', outcome: 'done', account: 7 });
  expect(lines).toHaveLength(101);
  expect(lines.at(-1)).toMatchObject({ what: 'sign-in', account: pseudonym([...secret], 7) });
});

test('a folder gets one file per day, readable by its owner only, and deletes files past their retention', () => {
  const folder = mkdtempSync(join(tmpdir(), 'security-'));
  let now = new Date('2026-11-28T12:00:00Z');
  for (const day of ['2026-11-26', '2026-11-27']) writeFileSync(join(folder, `x-1-${day}.jsonl`), '');
  writeFileSync(join(folder, 'notes.txt'), '');
  openSecurityLog({ service: 'x', secret: [...secret], days: 1, folder, clock: () => now });
  recordSecurity({ what: 'sign-in', outcome: 'done', account: 7 });
  const own = (day: string) => `x-${process.pid}-${day}.jsonl`;
  expect(readdirSync(folder).sort()).toEqual(['notes.txt', 'x-1-2026-11-27.jsonl', own('2026-11-28')].sort());
  now = new Date('2026-11-30T12:00:00Z');
  recordSecurity({ what: 'sign-out', outcome: 'done', account: 7 });
  expect(readdirSync(folder).sort()).toEqual(['notes.txt', own('2026-11-30')].sort());
  expect(JSON.parse(readFileSync(join(folder, own('2026-11-30')), 'utf8'))).toMatchObject({ what: 'sign-out' });
});
