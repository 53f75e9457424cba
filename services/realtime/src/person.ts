import type { Pool } from 'pg';
import type { PersonPart } from '@beltway/contracts/identity/people';
import { chatPart, eraseFromChats, HIGHEST_ACCOUNT as OF_CHATS } from './chat/person.ts';
import { communityPart, eraseFromCommunity, HIGHEST_ACCOUNT as OF_COMMUNITY } from './contributions/person.ts';
import {
  eraseFromNotifications,
  HIGHEST_ACCOUNT as OF_NOTIFICATIONS,
  notificationsPart,
} from './notifications/person.ts';

type ErasesFromChats = Parameters<typeof eraseFromChats>[0];
type ErasesContributions = Parameters<typeof eraseFromCommunity>[0];

export const HIGHEST_ACCOUNT = `select greatest((${OF_CHATS}), (${OF_NOTIFICATIONS}), (${OF_COMMUNITY}))`;

/** All that realtime has of an account. */
export async function personPart(pool: Pool, userId: number): Promise<PersonPart> {
  const parts = await Promise.all([
    chatPart(pool, userId),
    notificationsPart(pool, userId),
    communityPart(pool, userId),
  ]);
  const isComplete = parts.every((part) => part.isComplete === true);
  return Object.assign({}, ...parts, { isComplete }) as PersonPart;
}

/** Erases what realtime has of an account. Idempotent. */
export async function erasePerson(
  { pool, chats, contributing }: { pool: Pool; chats: ErasesFromChats; contributing: ErasesContributions },
  userId: number,
): Promise<void> {
  await eraseFromChats(chats, userId);
  await eraseFromCommunity(contributing, userId);
  await eraseFromNotifications(pool, userId);
}
