import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { keepBus } from './bus-marker.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'beltway-bus-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('a data folder keeps the bus that it began with', () => {
  keepBus(folder, 'kafka');
  keepBus(folder, 'kafka');
  expect(() => keepBus(folder, 'database')).toThrow(/began with another bus. Start it by npm run start:engines/);
});

test('a folder without a marker uses a database as its bus', () => {
  mkdirSync(join(folder, 'postgres'));
  expect(() => keepBus(folder, 'kafka')).toThrow(
    /Start it by npm start, without KAFKA_BROKERS, or use another DATA_DIR/,
  );
  keepBus(folder, 'database');
});
