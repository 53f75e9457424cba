import { Router } from 'express';
import { CommandReused, Overloaded, Rejected, type Decision } from '@beltway/event-store';
import { IdText } from '@beltway/contracts/common/basics';
import { faultCode, wasNotReached } from '@beltway/kit/connection-faults';
import { instanceId } from '@beltway/kit/instance-id';
import { mayBeSeveral, type Instances } from '@beltway/kit/instances';
import { internalClient, internalOnly } from '@beltway/kit/internal';
import type { Logger } from '@beltway/kit/logger';
import { counter } from '@beltway/kit/metrics';
import { perInstance } from '@beltway/kit/per-instance';
import { HttpProblem, unavailable, rejectedBy } from '@beltway/kit/problems';
import type { Secrets } from '@beltway/kit/secrets';
import type { Service } from '@beltway/kit/service';
import { serviceInstances } from '@beltway/kit/service/parts';
import type { Config } from '../config.ts';
import { ForwardedCommand } from './command.ts';
import type { SaleEvent } from './events.ts';
import type { Sales } from './stream.ts';

/** With the probing of instances, how long a sale stands still when the instance that it is routed to hangs. */
const TIMEOUT_MS = 1_500;

const decided = counter('sale_commands_total', 'Commands of sales, by where they were decided', ['at']);

export interface RoutingOptions {
  local: Sales;
  instances: Instances;
  /** The id of this instance. Until it is known at which address that is, it forwards to itself like to others. */
  self: string;
  internalToken: Secrets;
  log: Logger;
  timeoutMs?: number;
}

/**
 * Routes the commands of a sale to one instance, whichever instance they came to: there they are decided in groups, and
 * no two instances compete for the stream (docs/decisions/0010). For speed only: when that instance does not answer,
 * the command is decided here. The fence of the log makes that right, and the command's id makes the repeat safe.
 */
export function routedSales(options: RoutingOptions): Sales {
  const { local, instances: peers, self, internalToken, log, timeoutMs = TIMEOUT_MS } = options;
  const clients = perInstance(
    peers,
    (url) => internalClient(url, internalToken, timeoutMs),
    () => undefined,
  );

  return {
    ...local,
    handle: async (id, command, context) => {
      const url = peers.forKey(id);
      if (url === undefined || peers.idOf(url) === self) {
        decided.inc({ at: 'self' });
        return local.handle(id, command, context);
      }
      try {
        const body: ForwardedCommand = { command, context };
        const decision = (await clients.get(url).post(`/internal/sales/${id}/commands`, body)) as Decision<SaleEvent>;
        decided.inc({ at: 'peer' });
        return decision;
      } catch (error) {
        const answer = asDecided(error);
        if (answer) {
          decided.inc({ at: 'peer' });
          throw answer;
        }
        const reached = !notReached(error);
        if (!reached) peers.failed(url);
        log.warn({ err: error, url, sale: id }, 'the instance of a sale does not answer; deciding here');
        decided.inc({ at: 'fallback' });
        return local.handle(id, command, context).catch((refusal: unknown) => {
          // The other may have it in its queue still and grant it later: a refusal from here could be wrong then.
          if (reached && refusal instanceof Rejected)
            throw Object.assign(unavailable('sale-silent', 1), {
              transient: true,
            });
          throw refusal;
        });
      }
    },
  };
}

/** Sales that are routed when this service may run several times, else the local ones. */
export async function openRouting(
  service: Pick<Service<RoutingSettings>, 'config' | 'log' | 'onStop'>,
  local: Sales,
): Promise<Sales> {
  const { config, log } = service;
  const { TICKETING_URL: urls, BELTWAY_SALE_ROUTING: routing, INTERNAL_TOKEN: internalToken } = config;
  if (urls === undefined || !mayBeSeveral(urls) || routing === 'off') return local;
  const peers = await serviceInstances(service, 'ticketing', urls);
  return routedSales({ local, instances: peers, self: instanceId, internalToken, log });
}
type RoutingSettings = Pick<Config, 'TICKETING_URL' | 'BELTWAY_SALE_ROUTING' | 'INTERNAL_TOKEN'>;

/** Takes the commands that other instances forward. They are always decided here, and never forwarded again. */
export function forwardedCommands(local: Sales, internalToken: Secrets): Router {
  const router = Router();
  router.post('/internal/sales/:id/commands', internalOnly(internalToken), async (req, res) => {
    const { command, context } = ForwardedCommand.parse(req.body);
    const id = IdText.parse(req.params['id']);
    try {
      res.json(await local.handle(id, command, context));
    } catch (error) {
      if (error instanceof Overloaded) throw new HttpProblem(503, 'overloaded');
      throw error;
    }
  });
  return router;
}

/** What the other instance refused, as it was thrown there; undefined when it did not get to decide. */
function asDecided(error: unknown): Error | undefined {
  if (!(error instanceof HttpProblem)) return undefined;
  const { status, code } = error;
  if (status === 409) return rejectedBy(error);
  if (status === 422) return new CommandReused();
  return code === 'overloaded' ? new Overloaded() : undefined;
}

const notReached = (error: unknown): boolean => wasNotReached(faultCode(error));
