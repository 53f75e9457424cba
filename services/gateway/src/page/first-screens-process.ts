import type { FirstScreenOrder, FirstScreens } from '@beltway/contracts/common/first-screen';

/** A message of the process: that it is ready, then for each order the HTML or an error. */
export type Said = 'ready' | { html: string } | { error: string };

const say = (said: Said): void => void process.send?.(said);

// The gateway has ended, for whatever reason.
process.once('disconnect', () => process.exit());
const { prepare, render } = (await import(process.argv[2]!)) as FirstScreens;
await prepare();
process.on('message', (order: FirstScreenOrder) => {
  try {
    say({ html: render(order) });
  } catch (error) {
    say({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
});
say('ready');
