import type { FirstScreenOrder, FirstScreens } from '@beltway/contracts/common/first-screen';

/** What this process sends to the gateway: `ready` once, then the HTML or an error for each order. */
export type Said = 'ready' | { html: string } | { error: string };

const say = (said: Said): void => void process.send?.(said);

// The gateway process has ended, so this process ends too.
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
