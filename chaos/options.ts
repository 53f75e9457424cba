import { parseArgs } from 'node:util';

/** The rules that a negative control switches off. */
export const RULES = ['fence', 'pipelining', 'command-id', 'inbox'] as const;
export type Rule = (typeof RULES)[number];

export interface Options {
  seed: string;
  kills: number;
  engines: boolean;
  /** Rushes of hundreds of holds in addition to the purchases. */
  rush: boolean;
  /**
   * True: all commands of a sale are routed to one instance, as in production. False: the instances compete for every
   * sale.
   */
  saleRouting: boolean;
  /** Only the rolling restart. */
  restarts: boolean;
  /** Only the chat: two instances of realtime, and Redis. */
  chat: boolean;
  /** Runs processes that use every core during the rolling restart. */
  besideLoad: boolean;
  without: Rule | null;
  /** Keeps the data folder for inspection. */
  keep: boolean;
}

export class UsageError extends Error {
  override name = 'UsageError';
}

const USAGE = `npm run chaos -- [--kills 100] [--seed 1] [--engines] [--rush] [--sale-routing on|off] [--without ${RULES.join('|')}] [--keep]
npm run chaos -- --only restarts [--beside-load] [--seed 1] [--keep]
npm run chaos -- --only chat [--kills 20] [--seed 1]`;

/** Parses the command line. Throws UsageError with the accepted options. */
export function readOptions(args: string[]): Options {
  try {
    const { values } = parseArgs({
      args,
      options: {
        seed: { type: 'string', default: '1' },
        kills: { type: 'string' },
        only: { type: 'string' },
        'beside-load': { type: 'boolean', default: false },
        engines: { type: 'boolean', default: false },
        rush: { type: 'boolean', default: false },
        'sale-routing': { type: 'string', default: 'on' },
        without: { type: 'string' },
        keep: { type: 'boolean', default: false },
      },
    });
    const kills = Number(values.kills ?? (values.only === 'chat' ? '20' : '100'));
    if (!Number.isInteger(kills) || kills < 0 || kills > 10_000) throw new UsageError('--kills is a whole number');
    if (values.only !== undefined && values.only !== 'restarts' && values.only !== 'chat')
      throw new UsageError('--only knows restarts and chat');
    const without = values.without === undefined ? null : RULES.find((rule) => rule === values.without);
    if (without === undefined) throw new UsageError(`--without knows ${RULES.join(', ')}`);
    const { seed, engines, rush, keep, 'sale-routing': routing, 'beside-load': besideLoad } = values;
    if (besideLoad && values.only !== 'restarts') throw new UsageError('--beside-load goes with --only restarts');
    if (routing !== 'on' && routing !== 'off') throw new UsageError('--sale-routing is on or off');
    return {
      seed,
      kills,
      engines,
      rush,
      saleRouting: routing === 'on',
      restarts: values.only === 'restarts',
      chat: values.only === 'chat',
      besideLoad,
      without,
      keep,
    };
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : String(error)}\n${USAGE}`);
  }
}
