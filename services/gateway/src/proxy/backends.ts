import { instances, type Instances } from '@beltway/kit/instances';
import type { Logger } from '@beltway/kit/logger';
import type { Config } from '../config.ts';
import type { Service } from '../routes/route.ts';

/** The services behind the gateway, each with its instances. No sandbox where Stripe itself takes the cards. */
export type Backends = Record<Exclude<Service, 'sandbox'>, Instances> & { sandbox: Instances | undefined };

export function openBackends(config: Config, log: Logger): Backends {
  const open = (urls: string[]) => instances({ urls, log, affinity: config.BELTWAY_SALE_ROUTING });
  return {
    identity: open(config.IDENTITY_URL),
    catalog: open(config.CATALOG_URL),
    ticketing: open(config.TICKETING_URL),
    payments: open(config.PAYMENTS_URL),
    media: open(config.MEDIA_URL),
    realtime: open(config.REALTIME_URL),
    sandbox: config.SANDBOX_URL === undefined ? undefined : open([config.SANDBOX_URL]),
  };
}

/** Each service that there is, with its instances. */
export const present = (backends: Backends): Array<[Service, Instances]> =>
  (Object.entries(backends) as Array<[Service, Instances | undefined]>).filter(
    (entry): entry is [Service, Instances] => entry[1] !== undefined,
  );
