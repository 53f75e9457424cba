import { runChat } from './chat/chat.ts';
import { readOptions, UsageError, type Options } from './options.ts';
import { runRestarts } from './restarts/restarts.ts';
import { leastPurchases, runChaos } from './run.ts';

/** `npm run chaos`: what happened on the way, then one line of JSON. Exits 1 on any violation, 2 when called wrongly. */
async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2));
  if (options.restarts) return restarts(options);
  if (options.chat) return chat(options);
  const outcome = await runChaos({ ...options, say: (text) => console.log(text) });
  for (const line of [...outcome.examples.slice(0, 40), ...outcome.trail]) console.log(line);
  const { examples, trail: _, ...line } = outcome;
  console.log(JSON.stringify(line));
  const stuck = outcome.purchases < leastPurchases(options.kills);
  if (stuck) console.log(`only ${outcome.purchases} purchases went through`);
  if (examples.length > 0 || stuck) process.exitCode = 1;
}

/** Stops and starts every instance once without a trace: no request fails, no message is lost. */
async function restarts(options: Options): Promise<void> {
  const outcome = await runRestarts({ ...options, say: (text) => console.log(text) });
  for (const [what, count] of alike(outcome.examples)) console.log(`${count} × ${what}`);
  const { examples, ...line } = outcome;
  console.log(JSON.stringify(line));
  if (examples.length > 0 || outcome.missed > 0) process.exitCode = 1;
}

/** Every page has the stored transcript in the end, whatever was killed. */
async function chat(options: Options): Promise<void> {
  const { examples, ...line } = await runChat({ ...options, say: (text) => console.log(text) });
  for (const example of examples.slice(0, 40)) console.log(example);
  console.log(JSON.stringify({ ...line, violations: examples.length }));
  process.exit(examples.length > 0 || line.stored === 0 ? 1 : 0);
}

/** How often each was logged, numbers and times aside. */
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
