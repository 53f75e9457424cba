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
  /** Whether a file of it that failed by chance runs once more. Unit tests and chaos never do. */
  reruns: boolean;
  /** Has ready what the tier needs; returns the reason when this machine cannot run it. */
  prepare?: () => Promise<string | undefined>;
}

export interface Tiers {
  /** Runs a tier. With `loud` its output shows while it runs, else only when it fails. */
  run(tier: Tier, options: { loud: boolean }): Promise<void>;
  /** Runs what failed by chance once more. */
  rerun(): Promise<Flaky[]>;
  runs: TierRun[];
  /** Tiers that cannot run on this machine, with the reason. */
  unable: Map<string, string>;
}

/** Runs tiers of tests, narrowed to files by project and to titles when `npm test -- …` asks for it. */
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
