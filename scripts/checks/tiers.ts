import { mkdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Narrowing } from './narrow.ts';
import { rerunChance, type Flaky, type TierRun } from './flaky.ts';
import { readReport } from './report.ts';
import { resultsFile, run, vitest } from './steps.ts';

/** A group of vitest projects that run together. */
export interface Tier {
  name: string;
  projects: string[];
  /** Whether a file that failed by chance is rerun once. False for unit tests and chaos. */
  reruns: boolean;
  /** Prepares the machine for the tier. Returns the reason if this machine cannot run it. */
  prepare?: () => Promise<string | undefined>;
}

export interface Tiers {
  /** Runs a tier. With `loud` its output is printed while it runs, otherwise only after a failure. */
  run(tier: Tier, options: { loud: boolean }): Promise<void>;
  /** Reruns files that failed by chance once. */
  rerun(): Promise<Flaky[]>;
  runs: TierRun[];
  /** Tiers that cannot run on this machine, with the reason. */
  unable: Map<string, string>;
}

/** Runs tiers of tests; if `npm test -- …` selects tests, only these files of each project and these titles. */
export function tiers(narrowed: Map<string, string[]> | undefined, narrowing: Narrowing | undefined): Tiers {
  const runs: TierRun[] = [];
  const unable = new Map<string, string>();
  const runFiles = async (name: string, projects: string[], files: string[] | undefined, loud: boolean) => {
    const file = resultsFile(name);
    mkdirSync(dirname(file), { recursive: true });
    rmSync(file, { force: true });
    const { ok } = await run({ ...vitest(name, projects, files && { files, name: narrowing?.name }), loud });
    return { ok, report: readReport(file) };
  };
  return {
    runs,
    unable,
    run: async ({ name, projects: all, reruns, prepare }, { loud }) => {
      const projects = all.filter((project) => !narrowed || narrowed.has(project));
      if (projects.length === 0) return;
      const reason = await prepare?.();
      if (reason !== undefined) return void unable.set(name, reason);
      const files = narrowed && projects.flatMap((project) => narrowed.get(project)!);
      runs.push({ name, reruns, ...(await runFiles(name, projects, files, loud)) });
    },
    rerun: () =>
      rerunChance(runs, async ({ name }, { file, project }) => {
        console.log(`\n${file} failed by chance, once more alone:`);
        const { report } = await runFiles(`${name}-again`, [project], [file], true);
        return report?.files.find((one) => one.file === file);
      }),
  };
}
