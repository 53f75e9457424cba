import { expect, test } from 'vitest';
import { dashboards } from './dashboards.ts';
import { serviceVariables } from './service-variables.ts';

test('each service and a sale have a dashboard, and the files match the source', async () => {
  const files = dashboards();
  const names = Object.keys(serviceVariables).map((name) => `service-${name}.json`);
  expect([...files.keys()].toSorted()).toEqual(['sale.json', ...names].toSorted());
  for (const [name, text] of files)
    await expect(text).toMatchFileSnapshot(`../../deploy/watch/grafana/dashboards/${name}`);
});
