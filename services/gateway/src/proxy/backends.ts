import { instances, type Instances, type InstancesOptions } from '@beltway/kit/instances';
import type { Logger } from '@beltway/kit/logger';
import type { Config } from '../config.ts';
import type { Service } from '../routes/route.ts';

/**
 * The services behind the gateway, each with its instances. `sandbox` is missing when Stripe itself takes the cards.
 * `live` exists if the live instance is separate from media.
 */
export type Backends = Record<Exclude<Service, 'sandbox' | 'live'>, Instances> &
  Record<'sandbox' | 'live', Instances | undefined>;

/** `finding` overrides how instances are found. */
export function openBackends(
  config: Config,
  log: Logger,
  finding: Pick<InstancesOptions, 'lookup' | 'lookupMs'> = {},
): Backends {
  const open = (service: Service, urls: string[]) =>
    instances({ service, urls, log, affinity: config.BELTWAY_SALE_ROUTING, ...finding });
  return {
    identity: open('identity', config.IDENTITY_URL),
    catalog: open('catalog', config.CATALOG_URL),
    ticketing: open('ticketing', config.TICKETING_URL),
    payments: open('payments', config.PAYMENTS_URL),
    media: open('media', config.MEDIA_URL),
    realtime: open('realtime', config.REALTIME_URL),
    // The live instance reports itself as `media`.
    live: config.LIVE_URL === undefined ? undefined : open('media', [config.LIVE_URL]),
    sandbox: config.SANDBOX_URL === undefined ? undefined : open('sandbox', [config.SANDBOX_URL]),
  };
}

/** The configured services with their instances. */
export const present = (backends: Backends): Array<[Service, Instances]> =>
  (Object.entries(backends) as Array<[Service, Instances | undefined]>).filter(
    (entry): entry is [Service, Instances] => entry[1] !== undefined,
  );
