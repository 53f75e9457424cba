import { runAll, statics, vitest } from './checks/steps.ts';

/** `npm run check`: format, lint, types and the fast tests, two at a time. */
const results = await runAll([vitest('unit', ['unit', 'frontend']), ...statics], 2);
const failed = results.filter(({ ok }) => !ok);
if (failed.length > 0) {
  console.error(`Failed: ${failed.map(({ name }) => name).join(', ')}`);
  process.exitCode = 1;
}
