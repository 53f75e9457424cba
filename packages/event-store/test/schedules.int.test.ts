import fc from 'fast-check';
import { test } from 'vitest';
import { plans, runSchedule } from './schedules.ts';
import { database } from './support.ts';

/** `SCHEDULES=5000 SEED=1 npm run schedules` runs more schedules, or repeats a run. */
const { SCHEDULES = '20', SEED } = process.env;
const numRuns = Number(SCHEDULES);
const seed = SEED === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(SEED);

test(
  `however messages between the database and two or three stores interleave, log and answers follow the rules`,
  { timeout: 30_000 + numRuns * 4_000 },
  async () => {
    const db = await database();
    const began = Date.now();
    const found = await fc.check(
      fc.asyncProperty(plans, fc.scheduler(), (plan, scheduler) => runSchedule(db, plan, scheduler)),
      // Cases are not shrunk: the seed does not determine the database's timing, so a smaller case might not fail
      // again.
      { numRuns, seed, endOnFailure: true },
    );
    console.log(`${found.numRuns} schedules of seed ${seed} in ${Math.round((Date.now() - began) / 1_000)} s`);
    if (found.failed)
      throw new Error(`schedule ${found.numRuns} of seed ${seed}: ${String(found.errorInstance)}`, {
        cause: found.errorInstance,
      });
  },
);
