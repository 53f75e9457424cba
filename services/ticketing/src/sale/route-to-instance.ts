import { Router } from 'express';
import { CommandReused, Overloaded, Rejected, type Decision } from '@beltway/event-store';
import { IdText } from '@beltway/contracts/common/basics';
import { faultCode, wasNotReached } from '@beltway/kit/connection-faults';
import { instanceId } from '@beltway/kit/instance-id';
import { asInstances, mayBeSeveral, type Instances } from '@beltway/kit/instances';
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

/**
 * The timeout of a forwarded command. If the instance to which a sale is routed hangs, the sale stalls for this time
 * plus the time of the instance probe.
 */
const TIMEOUT_MS = 1_500;

const decided = counter('sale_commands_total', 'Commands of sales, by where they were decided', ['at']);

export interface RoutingOptions {
  local: Sales;
  instances: Instances;
  /**
   * The id of this instance. Until the instance knows its own URL, it forwards commands to itself in the same way as to
   * other instances.
   */
  self: string;
  internalToken: Secrets;
  log: Logger;
  timeoutMs?: number;
}

/**
 * Routes the commands of a sale to one instance, whichever instance received them. That instance decides commands in
 * groups, and no two instances compete for the stream (docs/decisions/0010). Routing is only for speed: if the other
 * instance does not respond, this instance decides the command. The log's fence prevents wrong decisions, and the
 * command's id makes the repeat safe.
 */
export function routedSales(options: RoutingOptions): Sales {
  const { local, instances: peers, self, internalToken, log, timeoutMs = TIMEOUT_MS } = options;
  const clients = perInstance(
    peers,
    (url) => internalClient(asInstances(url, peers.service), internalToken, timeoutMs),
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
          // The other instance may still have the command in its queue and grant it later, so a refusal by this
          // instance could be wrong.
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

/** Returns routed sales if this service may have several instances; otherwise the local sales. */
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

/** Receives forwarded commands from other instances. Decides them here and never forwards them again. */
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

/** The other instance's refusal as an error; undefined if that instance did not decide. */
function asDecided(error: unknown): Error | undefined {
  if (!(error instanceof HttpProblem)) return undefined;
  const { status, code } = error;
  if (status === 409) return rejectedBy(error);
  if (status === 422) return new CommandReused();
  return code === 'overloaded' ? new Overloaded() : undefined;
}

const notReached = (error: unknown): boolean => wasNotReached(faultCode(error));
