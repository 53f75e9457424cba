import { runChat } from './chat/chat.ts';
import { readOptions, UsageError, type Options } from './options.ts';
import { runRestarts } from './restarts/restarts.ts';
import { leastPurchases, runChaos } from './run.ts';

/**
 * `npm run chaos`: prints progress and violations, then one line of JSON, and after it a complaint if too few purchases
 * were completed. Exit code 1 for a violation, too little progress, missed messages or a crash; 2 for wrong options.
 */
async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2));
  if (options.restarts) return restarts(options);
  if (options.chat) return chat(options);
  const outcome = await runChaos({ ...options, say: (text) => console.log(text) });
  for (const line of [...outcome.examples.slice(0, 40), ...outcome.trail]) console.log(line);
  const { examples, trail: _, ...line } = outcome;
  console.log(JSON.stringify(line));
  const stuck = outcome.purchases < leastPurchases(options.kills);
  if (stuck) console.log(`only ${outcome.purchases} purchases were completed`);
  if (examples.length > 0 || stuck) process.exitCode = 1;
}

/** Stops and starts every instance once. No request may fail and no message may be lost. */
async function restarts(options: Options): Promise<void> {
  const outcome = await runRestarts({ ...options, say: (text) => console.log(text) });
  for (const [what, count] of alike(outcome.examples)) console.log(`${count} × ${what}`);
  const { examples, ...line } = outcome;
  console.log(JSON.stringify(line));
  if (examples.length > 0 || outcome.missed > 0) process.exitCode = 1;
}

/** Kills the chat's processes. At the end, every page must have the stored transcript. */
async function chat(options: Options): Promise<void> {
  const { examples, ...line } = await runChat({ ...options, say: (text) => console.log(text) });
  for (const example of examples.slice(0, 40)) console.log(example);
  console.log(JSON.stringify({ ...line, violations: examples.length }));
  process.exit(examples.length > 0 || line.stored === 0 ? 1 : 0);
}

/** Counts equal lines, ignoring numbers and times. */
function alike(said: string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const text of said) {
    const kind = text.replace(/^\S+Z /, '').replace(/\d+/g, '#');
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return counts;
}

main().catch((error: unknown) => {
  console.error(error instanceof UsageError ? error.message : error);
  process.exit(error instanceof UsageError ? 2 : 1);
});
