import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openBus } from '@beltway/kit/open-bus';
import type { Bus } from '@beltway/kit/bus';
import { startBeltway, type Beltway } from '../../e2e/support/beltway.ts';
import { databaseUrl } from '../../scripts/launcher/databases.ts';
import { runningOn } from '../../scripts/launcher/lock.ts';
import { isAlive } from '../../scripts/launcher/processes.ts';
import type { Secrets } from '../../scripts/launcher/secrets.ts';

/** A process of the system, as the launcher writes it to DATA_DIR/processes.json. */
export interface Proc {
  name: string;
  service: string;
  pid: number;
  url?: string;
}

/** Beltway as `npm start` starts it, and what a chaos run needs to know of its inside. */
export interface System {
  beltway: Beltway;
  publishableKey: string;
  /** What runs now; one that was just killed may still be listed. */
  processes(): Proc[];
  /** The database of a service, as its own role. */
  database(name: string): string;
  openBus(): Promise<Bus>;
}

export interface SystemOptions {
  replicas: string;
  holdMs: number;
  env?: Record<string, string>;
}

export async function startSystem({ replicas, holdMs, env }: SystemOptions): Promise<System> {
  const beltway = await startBeltway({
    env: { BELTWAY_REPLICAS: replicas, HOLD_MINUTES: String(holdMs / 60_000), ...env },
  });
  const { dataDir } = beltway;
  const secrets = JSON.parse(readFileSync(join(dataDir, 'secrets.json'), 'utf8')) as Secrets;
  const { postgresPort } = (await runningOn(dataDir))!;
  const database = (name: string) => databaseUrl(name, postgresPort!, secrets);
  return {
    beltway,
    publishableKey: secrets.STRIPE_PUBLISHABLE_KEY,
    processes: () => {
      const file = join(dataDir, 'processes.json');
      if (!existsSync(file)) return [];
      return (JSON.parse(readFileSync(file, 'utf8')) as Proc[]).filter(({ pid }) => isAlive(pid));
    },
    database,
    openBus: () => openBus({ BUS_DATABASE_URL: database('bus') }),
  };
}
