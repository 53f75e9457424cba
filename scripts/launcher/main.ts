import { readFileSync } from 'node:fs';
import { collectAfterStart } from '@beltway/kit/idle-memory';
import { launch, type Running } from './launch.ts';
import { readSettings } from './settings.ts';
import { StartError } from './start-error.ts';
import type { System } from './system.ts';

/** For one Ctrl-C the terminal and npm both send a signal. Only a later signal means "stop immediately". */
const SAME_SIGNAL_MS = 500;

const say = (text: string) => console.log(`  ${text}`);

/** Runs a system until it gets a signal: the body of `npm start`. */
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
  // A test that starts this process opens a channel; the process ends when the test does.
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

/** A killed npm sends its child no signal. Without this check the launcher would keep running and block the port. */
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

/**
 * The process ids of the parent and the grandparent: npm runs the launcher in a shell, and some shells stay as a
 * process in between.
 */
function ancestors(): string {
  const parent = process.ppid;
  try {
    const stat = readFileSync(`/proc/${parent}/stat`, 'utf8');
    return `${parent} ${stat.slice(stat.lastIndexOf(')') + 1).split(' ')[2]}`;
  } catch {
    return String(parent);
  }
}
