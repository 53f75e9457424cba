import { join } from 'node:path';
import { ESLint } from 'eslint';
import { expect, test } from 'vitest';

const eslint = new ESLint({ cwd: join(import.meta.dirname, '..', '..') });

async function rules(file: string, text: string): Promise<Array<string | null>> {
  const [result] = await eslint.lintText(text, { filePath: join(import.meta.dirname, '..', '..', file) });
  return result!.messages.map(({ ruleId }) => ruleId);
}

const direction = ['beltway/direction'];

test.each([
  ['services/ticketing/src/app.ts', `import '../../catalog/src/db.ts';`, direction],
  ['services/ticketing/src/app.ts', `import '@beltway/catalog/db';`, direction],
  ['services/ticketing/src/app.ts', `import '../../../scripts/migrate.ts';`, direction],
  ['services/ticketing/src/app.ts', `import '@beltway/kit/app'; import 'pg'; import './sale/stream.ts';`, []],
  ['packages/kit/src/http/app.ts', `export * from '../../../../services/catalog/src/db.ts';`, direction],
  ['packages/kit/src/http/app.ts', `import '@beltway/contracts/ticketing/tickets';`, direction],
  ['packages/kit/src/http/app.ts', `import '@beltway/contracts/identity/people';`, []],
  ['packages/event-store/src/store.ts', `import '@beltway/contracts/common/basics';`, direction],
  ['packages/contracts/src/common/basics.ts', `import '@beltway/kit/app';`, direction],
  ['frontend/src/features/events/list.tsx', `import '../checkout/form.tsx';`, direction],
  ['frontend/src/features/events/list.tsx', `import '@beltway/kit/app';`, direction],
  [
    'frontend/src/features/events/list.tsx',
    `import('../../lib/http/http.ts'); import '@beltway/contracts/catalog/events';`,
    [],
  ],
  ['frontend/src/features/events/list.tsx', `import '@beltway/places/find';`, []],
  ['e2e/buy.e2e.ts', `import '../services/ticketing/src/app.ts';`, direction],
  ['e2e/buy.e2e.ts', `import './support/beltway.ts';`, []],
])('%s: %s', async (file, text, expected) => {
  expect(await rules(file, text)).toEqual(expected);
});

const decider = 'services/ticketing/src/sale/decider.ts';

test('deciders import only types, Rejected, stock and contracts, and use no clock and no randomness', async () => {
  expect(
    await rules(
      decider,
      `import { Rejected, type Decider } from '@beltway/event-store'; throw new Rejected({} as Decider);`,
    ),
  ).toEqual([]);
  expect(await rules(decider, `import { left } from './stock.ts'; left();`)).toEqual([]);
  for (const file of [decider, 'services/ticketing/src/sale/stock.ts'])
    expect(await rules(file, `import { randomUUID } from 'node:crypto'; randomUUID();`)).toEqual(['beltway/pure']);
  for (const impure of ['new Date();', 'Date.now();', 'Math.random();']) {
    expect(await rules(decider, impure)).toContain('no-restricted-syntax');
  }
  expect(await rules(decider, 'crypto.randomUUID();')).toContain('no-restricted-globals');
});

test('no test is skipped or focused, and only config.ts reads the environment', async () => {
  for (const word of ['skip', 'only', 'todo']) {
    expect(await rules('services/media/src/x.test.ts', `test.${word}('x');`)).toContain('no-restricted-syntax');
  }
  expect(await rules('services/media/src/app.ts', `console.log(process.env['A']);`)).toEqual([
    'no-restricted-properties',
  ]);
  expect(await rules('services/media/src/config.ts', `console.log(process.env['A']);`)).toEqual([]);
});
