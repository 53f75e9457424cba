import type { Pool } from 'pg';
import type { PersonPart } from '@beltway/contracts/identity/people';
import { exportPerson } from '@beltway/kit/personal-data';
import { eraseFromChats, reactionsPart } from './chat/person.ts';
import { communityPart, eraseFromCommunity } from './contributions/person.ts';
import { eraseFromNotifications, notificationsPart } from './notifications/person.ts';
import { PERSONAL } from './personal-data.ts';

type ErasesFromChats = Parameters<typeof eraseFromChats>[0];
type ErasesContributions = Parameters<typeof eraseFromCommunity>[0];

/** All data that realtime has of an account. */
export async function personPart(pool: Pool, userId: number): Promise<PersonPart> {
  const parts = await Promise.all([
    exportPerson(pool, PERSONAL, userId),
    reactionsPart(pool, userId),
    notificationsPart(pool, userId),
    communityPart(pool, userId),
  ]);
  const isComplete = parts.every((part) => part.isComplete === true);
  return Object.assign({}, ...parts, { isComplete }) as PersonPart;
}

/** Erases realtime's data of an account. Idempotent. */
export async function erasePerson(
  { pool, chats, contributing }: { pool: Pool; chats: ErasesFromChats; contributing: ErasesContributions },
  userId: number,
): Promise<void> {
  await eraseFromChats(chats, userId);
  await eraseFromCommunity(contributing, userId);
  await eraseFromNotifications(pool, userId);
}
