import { createHash, randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import type { CaseAction, ReportReason } from '@beltway/contracts/identity/moderation';
import { follow, type Follower, type Logged, type Queries, type Store } from '@beltway/event-store';
import { enqueue, mailPriority, mailQueue } from '@beltway/kit/jobs';
import { ago, countRows, lockKey } from '@beltway/kit/kysely';
import { transaction, type Queryable } from '@beltway/kit/postgres';
import { unavailable } from '@beltway/kit/problems';
import { kysely } from '../db.ts';
import type { CaseEvent, Content } from '../moderation/events.ts';
import type { TotpEvent } from '../totp/events.ts';
import type { UserEvent } from '../user/events.ts';

export type AccountMailKind =
  | ('verify-email' | 'reset-password' | 'change-email' | 'change-asked' | 'email-changed' | 'password-changed')
  | ('moderated' | 'appeal-decided' | 'passkey-added')
  | ('codes-on' | 'codes-off' | 'recovery-code-used');

export interface QueuedMail {
  kind: AccountMailKind;
  /** null: the account is found by its email address when the mail is sent. */
  userId: number | null;
  email: string;
  /** The other email address of a change, or the details of a decision as JSON. */
  detail?: string;
  /** For a mail to the previous email address: the account's owner had verified that address. */
  wasVerified?: true;
}

/** Maximum mails of one kind to one email address in an hour, counted over all requests. */
const MAX_PER_HOUR = 3;
/** The same limit for mails about events. It prevents changing a setting back and forth from filling a mailbox. */
const MAX_OF_EVENTS = 20;
/**
 * Maximum waiting mails over all recipients. A longer queue means that the mail server is down or that a sender floods
 * us.
 */
const MAX_WAITING = 10_000;

/** Job keys begin with a digest of email address and kind, which is used to count mails. Sent mails stay for a day. */
export const accountMails = mailQueue<QueuedMail>('account-mail', { keepsDone: true });
/** Mails with a link that a user waits for. They are sent before all others. */
const URGENT: readonly AccountMailKind[] = ['verify-email', 'reset-password', 'change-email'];
const prefixOf = ({ email, kind }: QueuedMail): string =>
  `${createHash('sha256').update(`mail\0${email}`).digest('hex')}/${kind}/`;

async function insert(db: Pick<Queries, 'query'>, mail: QueuedMail, max: number): Promise<void> {
  const prefix = prefixOf(mail);
  const { count } = await kysely(db)
    .selectFrom('jobs')
    .select(countRows)
    .where('queue', '=', accountMails.name)
    .where('key', '>=', prefix)
    .where('key', '<', `${prefix}~`)
    .where('createdAt', '>', ago('1 hour'))
    .executeTakeFirstOrThrow();
  const priority = mailPriority(URGENT.includes(mail.kind));
  if (count < max) await enqueue(db, accountMails, [{ key: prefix + randomUUID(), data: mail, priority }]);
}

/**
 * Queues a mail that a visitor requested. Beyond three mails an hour to an email address, silently drops the mail. Does
 * the same work whether or not an account exists. Throws 503 while too many mails wait.
 */
export async function queueAskedMail(pool: Pool, mail: QueuedMail, also?: (tx: Queryable) => Promise<unknown>) {
  await transaction(pool, async (tx) => {
    const beyond = await kysely(tx)
      .selectFrom('jobs')
      .select('key')
      .where('queue', '=', accountMails.name)
      .where('status', '=', 'waiting')
      .offset(MAX_WAITING)
      .limit(1)
      .execute();
    if (beyond.length > 0) throw unavailable('mails-waiting');
    // Requests for one email address are serialized, so each request counts the mails of the requests before it.
    await lockKey(tx, `mail ${mail.email}`);
    await insert(tx, mail, MAX_PER_HOUR);
    await also?.(tx);
  });
}

/** Queues a mail about an event, in the transaction that records the event. */
export const queueMailOfChange = (tx: Pick<Queries, 'query'>, mail: QueuedMail) => insert(tx, mail, MAX_OF_EVENTS);

/** Events older than this send no mail, because a new follower starts with the oldest event of the log. */
const TOLD_MS = 24 * 3_600_000;

function mailsOf(
  event: UserEvent | TotpEvent,
  userId: number,
  { emailNow, wasVerified }: { emailNow: string; wasVerified: boolean },
): QueuedMail[] {
  switch (event.type) {
    case 'UserRegistered':
      return event.data.email === undefined ? [] : [{ kind: 'verify-email', userId, email: event.data.email }];
    case 'EmailChanged': {
      const { email, before } = event.data;
      if (email === undefined || before === undefined) return [];
      return [
        { kind: 'email-changed', userId, email: before, detail: email, ...(wasVerified && { wasVerified }) },
        { kind: 'email-changed', userId, email, detail: before },
      ];
    }
    case 'PasswordChanged':
      return [{ kind: 'password-changed', userId, email: emailNow }];
    case 'TotpTurnedOn':
      return [{ kind: 'codes-on', userId, email: emailNow }];
    case 'TotpTurnedOff':
      return [{ kind: 'codes-off', userId, email: emailNow, detail: event.data.by }];
    case 'RecoveryCodeUsed':
      return [{ kind: 'recovery-code-used', userId, email: emailNow }];
    case 'TotpCodeUsed':
    case 'EmailVerified':
    case 'RoleChanged':
    case 'UserErased':
    case 'UserSuspended':
    case 'UserReinstated':
      return [];
  }
}

/**
 * Reads from the log whether the email address that an event replaced was verified. The account's current row has only
 * the new address. Plain SQL, because the events table belongs to the event store.
 */
async function wasVerifiedBefore(db: Queries, { type, stream, version }: Logged): Promise<boolean> {
  if (type !== 'EmailChanged') return false;
  const { rows } = await db.query<{ type: string }>(
    `select type from events where stream = $1 and version < $2 and type in ('UserRegistered', 'EmailChanged', 'EmailVerified')
     order by version desc limit 1`,
    [stream, version],
  );
  return rows[0]?.type === 'EmailVerified';
}

/** Details of a moderation decision for the mail to the author. */
export interface ToldDecision extends Content {
  number: number;
  action: CaseAction;
  reason: ReportReason | null;
  until: string | null;
  outcome: 'upheld' | 'reversed' | null;
}

/** Returns the mail about a moderation decision. A decision to keep the content sends no mail. */
function decisionMail(event: CaseEvent): { authorId: number; kind: AccountMailKind; told: ToldDecision } | undefined {
  if (event.type !== 'CaseActed' && event.type !== 'AppealDecided') return undefined;
  const { kind, contentId, number, action, authorId } = event.data;
  if (authorId === null || action === 'keep') return undefined;
  const decided = { kind, contentId, number, action };
  return event.type === 'CaseActed'
    ? {
        ...{ authorId, kind: 'moderated' },
        told: { ...decided, reason: event.data.reason, until: event.data.until, outcome: null },
      }
    : {
        ...{ authorId, kind: 'appeal-decided' },
        told: { ...decided, reason: null, until: null, outcome: event.data.outcome },
      };
}

/**
 * Queues mails about events in the transaction that moves the follower's checkpoint. So no crash loses a mail or queues
 * it twice, and a rebuild sends none. `queued` is called after the commit.
 */
export const queueMailsOfEvents = (store: Store, clock: () => Date, queued: () => void): Follower =>
  follow(store, {
    name: 'account-mails',
    transactional: true,
    types: [
      ...['UserRegistered', 'EmailChanged', 'PasswordChanged', 'CaseActed', 'AppealDecided'],
      ...['TotpTurnedOn', 'TotpTurnedOff', 'RecoveryCodeUsed'],
    ],
    handled: queued,
    handle: async (events, db) => {
      const since = clock().getTime() - TOLD_MS;
      for (const event of events) {
        if (event.occurredAt.getTime() < since) continue;
        const decision = decisionMail(event as unknown as CaseEvent);
        const userId = decision?.authorId ?? Number(event.id);
        if (Number.isNaN(userId)) continue; // the decision is about a case without an author
        const account = await kysely(db)
          .selectFrom('users')
          .select('email')
          .where('id', '=', userId)
          .executeTakeFirst();
        if (!account) continue; // the account was erased in the meantime
        if (decision) {
          const { kind, told } = decision;
          await insert(db, { kind, userId, email: account.email, detail: JSON.stringify(told) }, MAX_OF_EVENTS);
          continue;
        }
        const known = { emailNow: account.email, wasVerified: await wasVerifiedBefore(db, event) };
        for (const mail of mailsOf(event as unknown as UserEvent | TotpEvent, userId, known))
          await insert(db, mail, MAX_OF_EVENTS);
      }
    },
  });
