import type { FirstScreenOrder, FirstScreens } from '@beltway/contracts/common/first-screen';

/** What the process says: that it is ready, and of each order in turn the HTML or why there is none. */
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
