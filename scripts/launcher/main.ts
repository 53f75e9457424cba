import { readFileSync } from 'node:fs';
import { collectAfterStart } from '@beltway/kit/idle-memory';
import { launch, type Running } from './launch.ts';
import { readSettings } from './settings.ts';
import { StartError } from './start-error.ts';
import type { System } from './system.ts';

/** The terminal and npm both pass on one Ctrl-C; only a later one means "now". */
const SAME_SIGNAL_MS = 500;

const say = (text: string) => console.log(`  ${text}`);

/** Runs a system until it is told to stop: the body of `npm start`. */
export async function main(system: () => System): Promise<void> {
  let running: Promise<Running> | undefined;
  let toldAt: number | undefined;
  const stop = async () => {
    const now = Date.now();
    if (toldAt !== undefined) {
      if (now - toldAt < SAME_SIGNAL_MS) return;
      await running?.then((system) => system.kill()).catch(() => undefined);
      process.exit(130);
    }
    toldAt = now;
    say('stopping');
    abort.abort();
    await running?.then((system) => system.stop()).catch(() => undefined);
    process.exit(0);
  };
  const abort = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop());
  stopWithNpm(() => void stop());
  // Started by a test with a channel: when the test is gone, so are we.
  process.on('disconnect', () => void stop());

  try {
    running = launch(system(), readSettings(), say, abort.signal);
    const { url } = await running;
    if (toldAt === undefined) console.log(`Beltway is ready at ${url}`);
    collectAfterStart();
  } catch (error) {
    if (toldAt !== undefined) return;
    console.error(error instanceof StartError ? error.message : error);
    process.exit(1);
  }
}

/** npm killed outright tells its child nothing. Then we would go on unseen, holding the port. */
function stopWithNpm(stop: () => void): void {
  if (!process.env['npm_lifecycle_event']) return;
  const before = ancestors();
  const timer = setInterval(() => {
    if (ancestors() === before) return;
    clearInterval(timer);
    stop();
  }, 500);
  timer.unref();
}

/** Our parent and its parent: npm runs us by way of a shell, and not every shell makes room for what it starts. */
function ancestors(): string {
  const parent = process.ppid;
  try {
    const stat = readFileSync(`/proc/${parent}/stat`, 'utf8');
    return `${parent} ${stat.slice(stat.lastIndexOf(')') + 1).split(' ')[2]}`;
  } catch {
    return String(parent);
  }
}
