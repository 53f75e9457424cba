import { expect, test } from 'vitest';
import { refusedAddresses } from '../src/mail/refused.ts';
import { openPool } from '../src/postgres/pool.ts';
import { testDatabase } from '../src/testing/testing.ts';

test('a refused email address is remembered for 30 days, case-insensitively, and not in plain text', async () => {
  const database = await testDatabase([new URL('../migrations/jobs', import.meta.url).pathname]);
  const pool = openPool(database.url);
  try {
    const refused = refusedAddresses(pool);
    await refused.add('Ann@Example.test');
    await refused.add('ann@example.test');
    await refused.add('bob@example.test');
    expect(await Promise.all(['ann@example.test', 'cy@example.test'].map(refused.has))).toEqual([true, false]);
    const { rows } = await pool.query('select encode(digest, $1) as digest from refused_addresses', ['escape']);
    expect(rows).toHaveLength(2);
    expect(JSON.stringify(rows)).not.toContain('example');

    await refused.remove('bob@example.test');
    expect(await refused.has('bob@example.test')).toBe(false);
    await pool.query(`update refused_addresses set refused_at = now() - interval '31 days'`);
    expect(await refused.has('ann@example.test')).toBe(false);
    await refused.add('cy@example.test');
    expect((await pool.query('select from refused_addresses')).rowCount).toBe(1);
  } finally {
    await pool.end();
    await database.drop();
  }
});
