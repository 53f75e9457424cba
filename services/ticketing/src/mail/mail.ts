import type { Express } from 'express';
import type { Store } from '@beltway/event-store';
import type { Deps } from '../app.ts';
import type { Config } from '../config.ts';

// Replaced by the mail module.
export async function startMail(_deps: Deps & { store: Store }, _config: Config) {
  return { mount: (_app: Express) => undefined, stop: async () => undefined };
}
