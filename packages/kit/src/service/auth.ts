import type { Bus } from '../bus/bus.ts';
import { authenticator, type Authenticator } from '../http/auth.ts';
import type { Instances } from '../http/instances/instances.ts';
import type { Secrets } from '../secrets.ts';
import { serviceInstances } from './parts.ts';
import type { Service } from './service.ts';

/**
 * Verifies tokens with identity's instances until the service stops. Requires the topic `identity.events` on the bus.
 */
export async function serviceAuth(
  service: Service<{ IDENTITY_URL: string[]; INTERNAL_TOKEN: Secrets }>,
  bus: Bus,
  instances?: Instances,
): Promise<Authenticator> {
  const { config, log, onStop } = service;
  const identity = instances ?? (await serviceInstances(service, 'identity', config.IDENTITY_URL));
  const auth = await authenticator({ identity, internalToken: config.INTERNAL_TOKEN, bus, log });
  onStop(auth);
  return auth;
}
