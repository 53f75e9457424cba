import { Router } from 'express';
import { CommandReused, Overloaded, Rejected, type Decision } from '@beltway/event-store';
import { IdText } from '@beltway/contracts/common';
import { wasNotReached } from '@beltway/kit/connection-faults';
import { instances, type Instances } from '@beltway/kit/instances';
import { internalClient, internalOnly, type InternalClient } from '@beltway/kit/internal';
import type { Logger } from '@beltway/kit/logger';
import { counter } from '@beltway/kit/metrics';
import { HttpProblem, unavailable } from '@beltway/kit/problems';
import type { Config } from '../config.ts';
import { HandedCommand } from './command.ts';
import type { SaleEvent } from './events.ts';
import type { Sales } from './sales.ts';

/** With the probing of instances, how long a sale stands still when its owner hangs. */
const PATIENCE_MS = 1_500;

const decided = counter('sale_commands_total', 'Commands of sales this instance was asked for', ['road']);

export interface OwnerOptions {
  local: Sales;
  instances: Instances;
  /** This instance, as it stands among them. */
  self: string;
  internalToken: string;
  log: Logger;
  patienceMs?: number;
}

/**
 * Brings the commands of a sale to the one instance that owns it, whichever instance and road they came by: there they are decided
 * in groups, and nobody fights for the stream (docs/decisions/0010). It is for speed only. When the owner does not answer, the
 * command is decided here: the fence of the log makes that right, and the command's id makes the repeat safe.
 */
export function salesAtOwner(options: OwnerOptions): Sales {
  const { local, instances: peers, self, internalToken, log, patienceMs = PATIENCE_MS } = options;
  const clients = new Map<string, InternalClient>(
    peers.all.map((url) => [url, internalClient(url, internalToken, patienceMs)]),
  );

  return {
    ...local,
    handle: async (id, command, context) => {
      const owner = peers.ownerOf(id);
      const client = owner === undefined || owner === self ? undefined : clients.get(owner);
      if (!client) {
        decided.inc({ road: 'own' });
        return local.handle(id, command, context);
      }
      try {
        const body: HandedCommand = { command, context };
        const decision = (await client.post(`/internal/sales/${id}/commands`, body)) as Decision<SaleEvent>;
        decided.inc({ road: 'owner' });
        return decision;
      } catch (error) {
        const answer = asDecided(error);
        if (answer) {
          decided.inc({ road: 'owner' });
          throw answer;
        }
        const reached = !notReached(error);
        if (!reached) peers.failed(owner!);
        log.warn({ err: error, owner, sale: id }, 'the owner of a sale does not answer; deciding here');
        decided.inc({ road: 'instead' });
        return local.handle(id, command, context).catch((refusal: unknown) => {
          // The owner may have it in its queue still and grant it later: "no" would be a promise that nobody can keep.
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

/** The sales with their owners when this service runs several times, else as they are. */
export function openOwners(
  config: Pick<Config, 'TICKETING_URL' | 'INSTANCE_URL' | 'BELTWAY_OWNER_HASH' | 'INTERNAL_TOKEN'>,
  local: Sales,
  log: Logger,
): Sales {
  const {
    TICKETING_URL: urls = [],
    INSTANCE_URL: self,
    BELTWAY_OWNER_HASH: affinity,
    INTERNAL_TOKEN: internalToken,
  } = config;
  if (urls.length < 2 || self === undefined || affinity === 'off') return local;
  return salesAtOwner({ local, instances: instances({ urls, log }), self, internalToken, log });
}

/** Where other instances hand commands to this one. They are always decided here: nothing is handed on. */
export function handedCommands(local: Sales, internalToken: string): Router {
  const router = Router();
  router.post('/internal/sales/:id/commands', internalOnly(internalToken), async (req, res) => {
    const { command, context } = HandedCommand.parse(req.body);
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

/** What the owner refused, as it would have been thrown there; nothing when it did not get to decide. */
function asDecided(error: unknown): Error | undefined {
  if (!(error instanceof HttpProblem)) return undefined;
  const { status, code, message } = error;
  if (status === 409) return new Rejected(code, message);
  if (status === 422) return new CommandReused();
  return code === 'overloaded' ? new Overloaded() : undefined;
}

const notReached = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && wasNotReached(String(error.code));
