import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Route } from '../../services/gateway/src/routes/route.ts';
import { MOST_BYTES, MOST_LOOP_MS, faultsOf, measured, readTable, tableOf, type Cost } from './table.ts';

const document = readFileSync(new URL('../../docs/costs.md', import.meta.url), 'utf8');

test('each public call has a row in docs/costs.md, and a bound if it is expensive', () => {
  expect(faultsOf(measured, readTable(document))).toEqual([]);
});

test('docs/costs.md has the bounds of each call in the route table', () => {
  const written = document.split('\n').filter((line) => line.startsWith('| `'));
  const made = tableOf(measured, readTable(document)).split('\n').slice(2);
  const cellsOf = (line: string) => line.split('|').map((cell) => cell.trim());
  expect(written.map(cellsOf)).toEqual(made.map(cellsOf));
});

const aRoute = (more: Partial<Route> = {}): Route => ({
  ...{ method: 'get', path: '/api/things', service: 'catalog', summary: '', access: 'public' },
  ...more,
});
const aCost = (more: Partial<Cost> = {}): Cost => ({
  ...{ call: 'GET /api/things', status: 200, serviceMs: 1, gatewayMs: 1, bytes: 10, rows: 1 },
  ...more,
});

test('a call without a row and a row without a call are faults', () => {
  expect(faultsOf([aRoute()], [])).toEqual(['GET /api/things has no row']);
  expect(faultsOf([], [aCost()])).toEqual(['GET /api/things is no public call']);
  expect(faultsOf([aRoute()], [aCost()])).toEqual([]);
});

test.each([
  ['milliseconds of its service', { serviceMs: MOST_LOOP_MS + 0.01 }],
  ['milliseconds of the gateway', { gatewayMs: MOST_LOOP_MS + 0.01 }],
  ['bytes', { bytes: MOST_BYTES + 1 }],
])('a call of too many %s needs a cache, a gate or a rate class', (_what, cost) => {
  const costs = [aCost(cost)];
  expect(faultsOf([aRoute()], costs)).toHaveLength(1);
  expect(faultsOf([aRoute({ rate: 'read' })], costs)).toHaveLength(1);
  // The response cache stores no pictures.
  expect(faultsOf([aRoute({ cache: 'public', file: 'image/webp' })], costs)).toHaveLength(1);
  expect(faultsOf([aRoute({ cache: 'public' })], costs)).toEqual([]);
  expect(faultsOf([aRoute({ gate: 'report' })], costs)).toEqual([]);
  expect(faultsOf([aRoute({ rate: 'sign-in' })], costs)).toEqual([]);
});

test('a written table is read back unchanged', () => {
  const costs = [aCost({ serviceMs: 12.34, bytes: 1_234_567, rows: 1_000 })];
  expect(readTable(tableOf([aRoute()], costs))).toEqual(costs);
});
