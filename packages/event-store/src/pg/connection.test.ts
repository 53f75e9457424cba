import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { connection } from './connection.ts';

const root = new URL('../../../../', import.meta.url).pathname;

test('a connection’s own settings override the common settings', () => {
  const { options } = connection('-c idle_in_transaction_session_timeout=1min');
  expect(options.lastIndexOf('=1min')).toBeGreaterThan(options.lastIndexOf('=10s'));
});

/**
 * Without these settings, a pool or client would wait two hours for a vanished host, and a hung process could keep a
 * transaction open indefinitely.
 */
test('every PostgreSQL connection of a service has the common settings', () => {
  const files = globSync(['packages/*/src/**/*.ts', 'services/*/src/**/*.ts'], { cwd: root }).filter(
    (file) => !/\.test\.ts$|\/testing[^/]*\.ts$|\/generated\//.test(file),
  );
  const made = files.flatMap((file) => {
    const text = readFileSync(root + file, 'utf8');
    if (!/from '(pg|@prisma\/adapter-pg)'/.test(text)) return [];
    return [...text.matchAll(/new (?:pg\.)?(?:Client|Pool|PrismaPg)\(\{/g)].map(({ index }) => ({
      file,
      isKept: text.slice(index, index + 500).includes('...connection('),
    }));
  });
  expect(made.length).toBeGreaterThan(7);
  expect(made.filter(({ isKept }) => !isKept)).toEqual([]);
});
