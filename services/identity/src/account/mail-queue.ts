import { createHash, randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import type { CaseAction, ReportReason } from '@beltway/contracts/identity/moderation';
import { follow, type Follower, type Queries, type Store } from '@beltway/event-store';
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
  /** Null: whose address it is is found out as the mail is sent. */
  userId: number | null;
  email: string;
  /** The other address, of a change; of a decision what it was, as JSON. */
  detail?: string;
}

/** Mails of one kind to one address within an hour, whoever asks for them. */
const MAX_PER_HOUR = 3;
/** The same of mails that tell of what has happened: whoever changes it back and forth fills no mailbox. */
const MAX_OF_EVENTS = 20;
/** Mails that wait, over all addresses: then something is wrong with the mail server, or with who asks. */
const MAX_WAITING = 10_000;

/** Keys begin with a digest of the address and the kind, by which mails are counted; those that were sent stay for a day. */
export const accountMails = mailQueue<QueuedMail>('account-mail', { keepsDone: true });
/** With a link that a person waits for. */
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
 * Queues a mail that somebody asks for; beyond three an hour to an address it is left out, and nobody is told. Does the same whatever
 * accounts there are. Throws 503 while too many wait.
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
    // Of several at once for one address each sees those before it.
    await lockKey(tx, `mail ${mail.email}`);
    await insert(tx, mail, MAX_PER_HOUR);
    await also?.(tx);
  });
}

/** Queues a mail that tells of what has happened, in the transaction that does it. */
export const queueMailOfChange = (tx: Pick<Queries, 'query'>, mail: QueuedMail) => insert(tx, mail, MAX_OF_EVENTS);

/** What happened longer ago is told nobody: a follower that is new begins with the oldest event. */
const TOLD_MS = 24 * 3_600_000;

function mailsOf(event: UserEvent | TotpEvent, userId: number, emailNow: string | undefined): QueuedMail[] {
  switch (event.type) {
    case 'UserRegistered':
      return event.data.email === undefined ? [] : [{ kind: 'verify-email', userId, email: event.data.email }];
    case 'EmailChanged': {
      const { email, before } = event.data;
      if (email === undefined || before === undefined) return [];
      return [
        { kind: 'email-changed', userId, email: before, detail: email },
        { kind: 'email-changed', userId, email, detail: before },
      ];
    }
    case 'PasswordChanged':
      return emailNow === undefined ? [] : [{ kind: 'password-changed', userId, email: emailNow }];
    case 'TotpTurnedOn':
      return emailNow === undefined ? [] : [{ kind: 'codes-on', userId, email: emailNow }];
    case 'TotpTurnedOff':
      return emailNow === undefined ? [] : [{ kind: 'codes-off', userId, email: emailNow, detail: event.data.by }];
    case 'RecoveryCodeUsed':
      return emailNow === undefined ? [] : [{ kind: 'recovery-code-used', userId, email: emailNow }];
    case 'TotpCodeUsed':
    case 'EmailVerified':
    case 'RoleChanged':
    case 'UserErased':
    case 'UserSuspended':
    case 'UserReinstated':
      return [];
  }
}

/** What a mail tells the author of something that was reported. */
export interface ToldDecision extends Content {
  number: number;
  action: CaseAction;
  reason: ReportReason | null;
  until: string | null;
  outcome: 'upheld' | 'reversed' | null;
}

/** That something stays as it was is no news. */
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
 * From events to mails that wait, in the transaction that moves the follower's checkpoint: no crash loses a mail or queues it twice, and
 * a rebuild sends none. `queued` is called when they can be seen.
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
        if (Number.isNaN(userId)) continue; // of a case, and nobody is told
        const account = await kysely(db)
          .selectFrom('users')
          .select('email')
          .where('id', '=', userId)
          .executeTakeFirst();
        if (!account) continue; // erased since
        if (decision) {
          const { kind, told } = decision;
          await insert(db, { kind, userId, email: account.email, detail: JSON.stringify(told) }, MAX_OF_EVENTS);
          continue;
        }
        for (const mail of mailsOf(event as unknown as UserEvent | TotpEvent, userId, account.email))
          await insert(db, mail, MAX_OF_EVENTS);
      }
    },
  });
