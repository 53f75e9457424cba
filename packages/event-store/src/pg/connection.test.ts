import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { connection } from './connection.ts';

const root = new URL('../../../../', import.meta.url).pathname;

test('a connection’s own settings override the common ones', () => {
  const { options } = connection('-c idle_in_transaction_session_timeout=1min');
  expect(options.lastIndexOf('=1min')).toBeGreaterThan(options.lastIndexOf('=10s'));
});

/** A pool or client made without them would wait two hours for a host that vanished, and let a silent one hold a transaction for ever. */
test('every connection that a service makes to PostgreSQL has the settings that all have', () => {
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
