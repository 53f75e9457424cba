import type { Decider } from '@beltway/event-store';
import type { SessionCommand, SessionEvent } from './events.ts';

export interface SessionState {
  revoked: boolean;
}

const initial = (): SessionState => ({ revoked: false });

function decide({ userId, reason }: SessionCommand, { revoked }: SessionState): SessionEvent[] {
  return revoked ? [] : [{ type: 'SessionRevoked', data: { userId, reason } }];
}

function evolve(session: SessionState, { type }: SessionEvent): SessionState {
  switch (type) {
    case 'SessionRevoked':
      session.revoked = true;
      return session;
  }
}

export const session: Decider<SessionState, SessionCommand, SessionEvent> = { initial, decide, evolve };
