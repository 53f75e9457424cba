/**
 * Why a session ended: its owner left, or ended it from elsewhere, or has another password, or was suspended; its browser signed in again; or an old refresh token came back, which only a
 * thief or the robbed one can send.
 */
export type RevokedFor = 'logout' | 'ended-elsewhere' | 'password-changed' | 'suspended' | 'replaced' | 'reuse';

/** A session's beginning is a row; only its end is a fact others must hear, so only that is an event. */
export type SessionEvent = { type: 'SessionRevoked'; data: { userId: number; reason: RevokedFor } };

export type SessionCommand = { type: 'RevokeSession'; userId: number; reason: RevokedFor };
