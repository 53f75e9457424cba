import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Bench } from './support/bench.ts';
import { shareTaken, takenByHost } from './support/cpu.ts';

/** The benches, in the order in which `all` runs them. */
const benches: Record<string, () => Promise<{ bench: Bench }>> = {
  writer: () => import('./writer/bench.ts'),
  rebuild: () => import('./rebuild/bench.ts'),
  footprint: () => import('./footprint/bench.ts'),
  'sell-out': () => import('./sell-out/bench.ts'),
  purchase: () => import('./purchase/bench.ts'),
  instances: () => import('./instances/bench.ts'),
  browse: () => import('./browse/bench.ts'),
  freshness: () => import('./freshness/bench.ts'),
  isolation: () => import('./isolation/bench.ts'),
  papers: () => import('./papers/bench.ts'),
  search: () => import('./search/bench.ts'),
  webhooks: () => import('./webhooks/bench.ts'),
  chat: () => import('./chat/bench.ts'),
  uploads: () => import('./uploads/bench.ts'),
};

const usage = `npm run bench -- <name> [--short] [--rounds 5] [--seconds 4] [--size 1000]\n  names: ${Object.keys(benches).join(', ')}, all`;

type Given = Partial<Record<'rounds' | 'seconds' | 'size', number>>;

/**
 * Runs one bench in this process. Prints the figures as JSON in the last line. The exit code is 1 if the result is not
 * exact.
 */
async function runOne(name: string, given: Given, isShort: boolean): Promise<void> {
  const { bench } = await benches[name]!();
  const short = isShort && { rounds: 1, seconds: 1, ...bench.short };
  const { rounds, seconds, size } = { size: undefined, ...bench.defaults, ...short, ...given };
  console.log(`${name}: ${bench.about}`);
  const undo: Array<() => unknown> = [];
  const undoAll = async () => {
    for (let work = undo.pop(); work; work = undo.pop()) await work();
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void undoAll().then(() => process.exit(130)));
  try {
    const before = takenByHost();
    const figures = await bench.run({
      rounds,
      seconds,
      size,
      isShort,
      say: console.log,
      onEnd: (work) => undo.push(work),
    });
    console.log(`the host took ${(shareTaken(before) * 100).toFixed(0)} % of this machine's time`);
    console.log(JSON.stringify({ bench: name, ...figures }));
    process.exitCode = figures.exact === false ? 1 : 0;
  } finally {
    await undoAll();
  }
}

/**
 * Runs every bench in a separate process, one after the other, and prints the last line of each bench again at the end.
 */
async function runAll(args: string[]): Promise<void> {
  const lines: string[] = [];
  for (const name of Object.keys(benches)) {
    const child = spawn(process.execPath, [join(import.meta.dirname, 'main.ts'), name, ...args], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk;
      process.stdout.write(chunk);
    });
    const code = await new Promise<number>((resolve) => child.once('close', (code) => resolve(code ?? 1)));
    lines.push(code === 0 ? output.trim().split('\n').at(-1)! : JSON.stringify({ bench: name, failed: true, code }));
    if (code !== 0) process.exitCode = 1;
  }
  console.log(`\n${lines.join('\n')}`);
}

function positive(name: string, value: string | undefined): Record<string, number> {
  if (value === undefined) return {};
  if (!(Number(value) > 0)) throw new Error(`--${name} must be a number above 0, not "${value}"`);
  return { [name]: Number(value) };
}

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      ...{ rounds: { type: 'string' }, seconds: { type: 'string' }, size: { type: 'string' } },
      short: { type: 'boolean', default: false },
    },
  });
  const given = {
    ...positive('rounds', values.rounds),
    ...positive('seconds', values.seconds),
    ...positive('size', values.size),
  };
  const [name] = positionals;
  if (positionals.length !== 1 || !name || (name !== 'all' && !benches[name])) {
    console.error(usage);
    process.exitCode = 2;
  } else if (name === 'all') await runAll(process.argv.slice(2).filter((arg) => arg !== 'all'));
  else await runOne(name, given, values.short);
} catch (error) {
  console.error(error);
  process.exitCode = 1;
}
