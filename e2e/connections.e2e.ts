import { expect, test } from 'vitest';
import { beyondTheEdge, faultsOf } from './support/looks.ts';
import { signedIn } from './support/pages.ts';
import { stage } from './support/stage.ts';

const here = stage();

test('who met nobody yet is told how people come here, and nothing is in the way on any screen', async () => {
  const page = await here.visitor({ viewport: { width: 1440, height: 900 } });
  await signedIn(page, await here.api.register('Ann Alone'));
  await page.goto('/community/connections');
  await page.getByText('Nobody is waiting for your answer.').waitFor();
  await page.getByText('Nobody new.').waitFor();
  await page.getByText('None yet.').waitFor();
  expect(await faultsOf(page), 'connections').toEqual([]);
  await page.setViewportSize({ width: 195, height: 422 });
  expect(await beyondTheEdge(page), 'connections').toEqual([]);
});
