import type { Bus } from '../bus/bus.ts';
import { authenticator, type Authenticator } from '../http/auth.ts';
import { instances } from '../http/instances/instances.ts';
import type { Secrets } from '../secrets.ts';
import type { Service } from './service.ts';

/** Checks tokens by the instances of identity, until the service's stop. The bus needs the topic `identity.events`. */
export async function serviceAuth(
  { config, log, onStop }: Service<{ IDENTITY_URL: string[]; INTERNAL_TOKEN: Secrets }>,
  bus: Bus,
  identity = instances({ urls: config.IDENTITY_URL, log }),
): Promise<Authenticator> {
  const auth = await authenticator({ identity, internalToken: config.INTERNAL_TOKEN, bus, log });
  onStop(auth);
  return auth;
}
