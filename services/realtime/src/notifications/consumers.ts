import { EventCanceledV1, EventPublishedV1, EventUpdatedV1 } from '@beltway/contracts/catalog/events';
import { AuthorToldV1 } from '@beltway/contracts/identity/moderation';
import { ConnectionWantedV1 } from '@beltway/contracts/identity/connections';
import { BadgeUnlockedV1 } from '@beltway/contracts/identity/points';
import { PaymentPartlyRefundedV1, PaymentRefundedV1 } from '@beltway/contracts/payments/payments';
import {
  OrderClaimedV1,
  OrderValidityChangedV1,
  RefundRequestedV1,
  TicketPurchasedV1,
} from '@beltway/contracts/ticketing/tickets';
import { afterCommit } from '@beltway/kit/after-commit';
import type { Bus, Subscription } from '@beltway/kit/bus';
import { consume, on, type Handler } from '@beltway/kit/bus/consume';
import type { Logger } from '@beltway/kit/logger';
import type { Queryable } from '@beltway/kit/postgres';
import type { Pool } from 'pg';
import type { z } from 'zod';
import { canceledTelling, noteFact, refundTelling, soldTelling, type Fact } from './facts.ts';
import {
  announce,
  buyerOf,
  changeOf,
  noteCanceled,
  noteClaim,
  notedEvent,
  noteEvent,
  notePurchase,
  noteReturn,
  noteValidity,
} from './noted.ts';
import { isLate, ring } from './ring.ts';
import type { Decided } from './texts.en.ts';

const GROUP = 'realtime.notifications';

export interface ConsumerDeps {
  bus: Bus;
  pool: Pool;
  log: Logger;
  /** Called after the commit, with the accounts that were notified. */
  tell: (userIds: readonly number[]) => void;
  /** Called when a fact for many accounts was recorded. */
  noted: () => void;
  clock: () => Date;
}

interface Said {
  id: string;
  key: string;
  occurredAt: string;
}

/**
 * Maps messages to notifications. A single account is notified immediately. Many accounts are notified by queued facts
 * (`facts.ts`).
 */
export function startConsumers({ bus, pool, log, tell, noted, clock }: ConsumerDeps): Promise<Subscription> {
  /** Handles a message once. A late message is recorded without a notification. */
  function once<Schema extends z.ZodType<Said>>(
    schema: Schema,
    effect: (
      message: z.infer<Schema>,
      to: { tx: Queryable; rings: boolean; later: (fact: Fact) => Promise<void> },
    ) => Promise<number[] | void>,
  ): Handler {
    return on(schema, async (message, tx) => {
      const rings = !isLate(message.occurredAt, clock());
      const later = async (fact: Fact) => {
        await noteFact(tx, message, fact);
        afterCommit(tx, noted);
      };
      const told = await effect(message, { tx, rings, later });
      // A page that is informed before the commit would find nothing.
      if (told && told.length > 0) afterCommit(tx, () => tell(told));
    });
  }

  const refunded = (schema: typeof PaymentRefundedV1 | typeof PaymentPartlyRefundedV1) =>
    once(schema, async ({ data }, { tx, rings, later }) => {
      const { orderId, eventId, refundId } = data;
      // A refund that was made in the provider's dashboard without a request is between the organizer and the buyer, so
      // no one is notified.
      const isUnasked = 'requestId' in data && data.requestId === null;
      if (!rings || isUnasked) return;
      const cents = 'partCents' in data ? data.partCents : data.amountCents;
      const buyer = await buyerOf(tx, orderId);
      if (buyer === undefined) return void (await later({ kind: 'refund-sent', eventId, orderId, refundId, cents }));
      return ring(tx, buyer === null ? [] : [buyer], refundTelling(eventId, refundId, cents));
    });

  return consume({
    ...{ bus, pool, log, group: GROUP },
    topics: ['catalog.events', 'ticketing.events', 'payments.events', 'identity.events'],
    // Sales of one event notify one organizer, so they are handled in sequence.
    orderingKey: (message) => (message as Said).key,
    handlers: {
      'catalog.event-published': once(EventPublishedV1, async ({ data }, { tx, rings, later }) => {
        const { eventId, ownerId, seriesId } = data;
        await noteEvent(tx, data);
        const isNew = await announce(tx, eventId);
        if (!rings || !isNew) return;
        const ofSeries = seriesId === undefined ? {} : { seriesId };
        await later({ kind: 'organizer-published', eventId, ownerId, ...ofSeries });
        await later({ kind: 'search-matched', eventId, ...ofSeries });
      }),
      'catalog.event-updated': once(EventUpdatedV1, async ({ data }, { tx, rings, later }) => {
        const { eventId, version, seriesId } = data;
        const before = await noteEvent(tx, data);
        if (!rings || before === null || before?.status === 'canceled') return;
        const detail = before && changeOf(before, data);
        if (detail) await later({ kind: 'event-changed', eventId, version, detail });
        const ofSeries = seriesId === undefined ? {} : { seriesId };
        if (!data.isPostponed && !data.isSuspended)
          await later({ kind: 'search-matched', eventId, ...ofSeries, isChange: true });
      }),
      'catalog.event-canceled': once(EventCanceledV1, async ({ data }, { tx, rings, later }) => {
        await noteCanceled(tx, data);
        if (rings) await later({ kind: 'event-canceled', eventId: data.eventId });
      }),
      'ticketing.ticket-purchased': once(TicketPurchasedV1, async ({ data, occurredAt }, { tx, rings, later }) => {
        const { orderId, eventId, quantity, totalCents: cents, buyerId } = data;
        const isNew = await notePurchase(tx, data);
        if (!rings || !isNew) return;
        const event = await notedEvent(tx, eventId);
        const told: number[] = [];
        if (buyerId !== null)
          told.push(
            ...(await ring(tx, [buyerId], {
              ...{ kind: 'ticket-bought', key: `bought:${orderId}`, again: 'once' },
              ...{ eventId, count: quantity },
            })),
          );
        if (!event) await later({ kind: 'ticket-sold', eventId, quantity, cents, buyerId });
        else if (event.ownerId !== buyerId)
          told.push(...(await ring(tx, [event.ownerId], soldTelling({ eventId, quantity, cents }, occurredAt))));
        // This purchase arrived after the cancellation, so the buyer must be notified of the cancellation now.
        if (event?.status === 'canceled' && buyerId !== null)
          told.push(...(await ring(tx, [buyerId], canceledTelling(eventId))));
        return told;
      }),
      'ticketing.order-claimed': once(OrderClaimedV1, async ({ data }, { tx }) => void (await noteClaim(tx, data))),
      'ticketing.refund-requested': once(
        RefundRequestedV1,
        async (message, { tx }) => void (await noteReturn(tx, message)),
      ),
      'ticketing.order-validity-changed': once(
        OrderValidityChangedV1,
        async ({ data }, { tx }) => void (await noteValidity(tx, data)),
      ),
      'identity.author-told': once(AuthorToldV1, async ({ data }, { tx, rings }) => {
        if (!rings) return;
        const { userId, caseId, kind, action, decision: version, outcome } = data;
        return ring(tx, [userId], {
          ...{ kind: 'moderated', key: `moderated:${caseId}`, again: 'newest', version },
          detail: JSON.stringify({ kind, action, outcome } satisfies Decided),
        });
      }),
      // A badge that was withdrawn and earned again does not notify a second time.
      'identity.badge-unlocked': once(BadgeUnlockedV1, async ({ data: { userId, badgeId } }, { tx, rings }) =>
        rings
          ? ring(tx, [userId], {
              ...{ kind: 'badge', key: `badge:${badgeId}`, again: 'once' },
              ...{ subjectId: userId, detail: badgeId },
            })
          : undefined,
      ),
      // Notifies once for each person, however often that person withdraws and repeats the request.
      'identity.connection-wanted': once(ConnectionWantedV1, async ({ data: { userId, fromId } }, { tx, rings }) =>
        rings ? ring(tx, [userId], { kind: 'connection', key: `connection:${fromId}`, again: 'once' }) : undefined,
      ),
      'payments.payment-refunded': refunded(PaymentRefundedV1),
      'payments.payment-partly-refunded': refunded(PaymentPartlyRefundedV1),
    },
  });
}
