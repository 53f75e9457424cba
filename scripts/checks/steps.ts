import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../launcher/settings.ts';
import type { TestFile } from './narrow.ts';
import { REPORT_FILE } from './reporter.ts';

export interface Step {
  name: string;
  args: string[];
  /** Prints its output while it runs, not only after a failure. */
  loud?: boolean;
  env?: Record<string, string>;
}

export interface Result {
  name: string;
  ok: boolean;
}

const program = (...parts: string[]) => join(root, 'node_modules', ...parts);
const cache = join(root, '.cache');
const tsc = program('@typescript', 'native', 'bin', 'tsc');

/** Format, lint, unused code and types. ESLint caches files without errors in .cache and checks only changed files. */
export const statics: Step[] = [
  { name: 'format', args: [program('oxfmt', 'bin', 'oxfmt'), '--check'] },
  {
    name: 'lint',
    args: [
      program('eslint', 'bin', 'eslint.js'),
      '.',
      '--max-warnings=0',
      '--cache',
      '--cache-strategy=content',
      `--cache-location=${join(cache, 'eslint')}`,
    ],
  },
  { name: 'lint of promises', args: [program('oxlint', 'bin', 'oxlint')] },
  { name: 'unused', args: [program('knip', 'bin', 'knip.js'), '--no-progress', '--no-config-hints'] },
  { name: 'types', args: [tsc, '-p', '.'] },
  ...(existsSync(join(root, 'frontend', 'tsconfig.json'))
    ? [{ name: 'types of the frontend', args: [tsc, '-p', 'frontend'] }]
    : []),
];

/** Lighthouse of the home page: prints its scores, fails below 100 for accessibility only. */
export const lighthouse: Step = {
  name: 'lighthouse',
  loud: true,
  args: [join(root, 'scripts', 'lighthouse.ts'), '1', '--page', '/'],
};

/** Runs each bench once, shortened. Fails if a bench is not exact. The figures of such a short run mean nothing. */
export const benches: Step = { name: 'benches', loud: true, args: [join(root, 'bench', 'main.ts'), 'all', '--short'] };

export const resultsFile = (name: string): string => join(cache, 'results', `${name}.json`);

interface Only {
  files: string[];
  /** A regular expression for titles. */
  name: string | undefined;
}

/** A run of vitest over some of the projects of vitest.config.ts; it writes its RunReport to `resultsFile(name)`. */
export const vitest = (name: string, projects: string[], only?: Only): Step => ({
  name,
  loud: true,
  args: [
    program('vitest', 'vitest.mjs'),
    'run',
    ...projects.map((project) => `--project=${project}`),
    '--passWithNoTests',
    '--reporter=default',
    `--reporter=${join(import.meta.dirname, 'reporter.ts')}`,
    ...(only?.name === undefined ? [] : [`--testNamePattern=${only.name}`]),
    ...(only?.files ?? []),
  ],
  env: { [REPORT_FILE]: resultsFile(name) },
});

/** Returns every test file with its project, without loading the files. */
export async function testFiles(): Promise<TestFile[]> {
  const file = resultsFile('files');
  const { ok } = await run({
    name: 'test files',
    args: [program('vitest', 'vitest.mjs'), 'list', '--filesOnly', `--json=${file}`],
  });
  if (!ok) throw new Error('vitest could not list the test files; its message is above');
  return JSON.parse(readFileSync(file, 'utf8')) as TestFile[];
}

/** Runs one step on this Node and prints its outcome and duration. */
export function run({ name, args, loud = false, env }: Step): Promise<Result> {
  const started = performance.now();
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, {
      cwd: root,
      env: {
        ...process.env,
        FORCE_COLOR: process.stdout.isTTY ? '1' : '0',
        NODE_COMPILE_CACHE: join(cache, 'node-compile'),
        ...env,
      },
      stdio: ['ignore', loud ? 'inherit' : 'pipe', loud ? 'inherit' : 'pipe'],
    });
    let output = '';
    child.stdout?.on('data', (chunk) => (output += chunk));
    child.stderr?.on('data', (chunk) => (output += chunk));
    child.once('error', (error) => (output += error.message));
    child.once('close', (code) => {
      const ok = code === 0;
      if (!ok) process.stdout.write(`${output.trimEnd()}\n`);
      console.log(`${ok ? 'ok    ' : 'FAILED'} ${name} (${((performance.now() - started) / 1000).toFixed(1)} s)`);
      resolve({ name, ok });
    });
  });
}

/** Runs steps, `width` at a time, in the order given. */
export async function runAll(steps: Step[], width: number): Promise<Result[]> {
  const queue = [...steps];
  const results: Result[] = [];
  const runNext = async () => {
    for (let step = queue.shift(); step; step = queue.shift()) results.push(await run(step));
  };
  await Promise.all(Array.from({ length: width }, runNext));
  return results;
}
