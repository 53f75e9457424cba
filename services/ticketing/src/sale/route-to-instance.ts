import { Router } from 'express';
import { CommandReused, Overloaded, Rejected, type Decision } from '@beltway/event-store';
import { IdText } from '@beltway/contracts/common';
import { wasNotReached } from '@beltway/kit/connection-faults';
import { instances, type Instances } from '@beltway/kit/instances';
import { internalClient, internalOnly, type InternalClient } from '@beltway/kit/internal';
import type { Logger } from '@beltway/kit/logger';
import { counter } from '@beltway/kit/metrics';
import { HttpProblem, unavailable } from '@beltway/kit/problems';
import type { Secrets } from '@beltway/kit/secrets';
import type { Config } from '../config.ts';
import { ForwardedCommand } from './command.ts';
import type { SaleEvent } from './events.ts';
import type { Sales } from './sales.ts';

/** With the probing of instances, how long a sale stands still when the instance that it is routed to hangs. */
const TIMEOUT_MS = 1_500;

const decided = counter('sale_commands_total', 'Commands of sales, by where they were decided', ['at']);

export interface RoutingOptions {
  local: Sales;
  instances: Instances;
  /** This instance, as it stands among them. */
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
  const clients = new Map<string, InternalClient>(
    peers.all.map((url) => [url, internalClient(url, internalToken, timeoutMs)]),
  );

  return {
    ...local,
    handle: async (id, command, context) => {
      const url = peers.forKey(id);
      const client = url === undefined || url === self ? undefined : clients.get(url);
      if (!client) {
        decided.inc({ at: 'self' });
        return local.handle(id, command, context);
      }
      try {
        const body: ForwardedCommand = { command, context };
        const decision = (await client.post(`/internal/sales/${id}/commands`, body)) as Decision<SaleEvent>;
        decided.inc({ at: 'peer' });
        return decision;
      } catch (error) {
        const answer = asDecided(error);
        if (answer) {
          decided.inc({ at: 'peer' });
          throw answer;
        }
        const reached = !notReached(error);
        if (!reached) peers.failed(url!);
        log.warn({ err: error, url, sale: id }, 'the instance of a sale does not answer; deciding here');
        decided.inc({ at: 'fallback' });
        return local.handle(id, command, context).catch((refusal: unknown) => {
          // The other may have it in its queue still and grant it later: a refusal from here could be wrong then.
          if (reached && refusal instanceof Rejected)
            throw Object.assign(unavailable('The sale did not answer in time. Please try again in a moment.', 1), {
              transient: true,
            });
          throw refusal;
        });
      }
    },
  };
}

/** Sales that are routed when this service runs several times, else the local ones. */
export function openRouting(
  config: Pick<Config, 'TICKETING_URL' | 'INSTANCE_URL' | 'BELTWAY_SALE_ROUTING' | 'INTERNAL_TOKEN'>,
  local: Sales,
  log: Logger,
): Sales {
  const {
    TICKETING_URL: urls = [],
    INSTANCE_URL: self,
    BELTWAY_SALE_ROUTING: routing,
    INTERNAL_TOKEN: internalToken,
  } = config;
  if (urls.length < 2 || self === undefined || routing === 'off') return local;
  return routedSales({ local, instances: instances({ urls, log }), self, internalToken, log });
}

/** Takes the commands that other instances forward. They are always decided here, and never forwarded again. */
export function forwardedCommands(local: Sales, internalToken: Secrets): Router {
  const router = Router();
  router.post('/internal/sales/:id/commands', internalOnly(internalToken), async (req, res) => {
    const { command, context } = ForwardedCommand.parse(req.body);
    const id = IdText.parse(req.params['id']);
    try {
      res.json(await local.handle(id, command, context));
    } catch (error) {
      if (error instanceof Overloaded) throw new HttpProblem(503, 'overloaded', error.message, { retryAfter: 1 });
      throw error;
    }
  });
  return router;
}

/** What the other instance refused, as it was thrown there; undefined when it did not get to decide. */
function asDecided(error: unknown): Error | undefined {
  if (!(error instanceof HttpProblem)) return undefined;
  const { status, code, message } = error;
  if (status === 409) return new Rejected(code, message);
  if (status === 422) return new CommandReused();
  return code === 'overloaded' ? new Overloaded() : undefined;
}

const notReached = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && wasNotReached(String(error.code));
