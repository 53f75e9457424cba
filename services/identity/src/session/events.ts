/**
 * Why a session ended: its owner signed out, ended it from another device, changed the password or was suspended; its
 * browser signed in again; or an old refresh token was used, which happens only after a theft.
 */
export type RevokedFor = 'logout' | 'ended-elsewhere' | 'password-changed' | 'suspended' | 'replaced' | 'reuse';

/** The start of a session is only a row. The end of a session is an event, because other services must be notified. */
export type SessionEvent = { type: 'SessionRevoked'; data: { userId: number; reason: RevokedFor } };

export type SessionCommand = { type: 'RevokeSession'; userId: number; reason: RevokedFor };
