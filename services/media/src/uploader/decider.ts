import type { Decider } from '@beltway/event-store';
import { Rejected } from '@beltway/kit/rejected';
import type { UploaderCommand, UploaderEvent } from './events.ts';

export interface UploaderStanding {
  userId: number;
  state: 'none' | 'asked' | 'verified' | 'declined';
}

const initial = (): UploaderStanding => ({ userId: 0, state: 'none' });

function decide(command: UploaderCommand, { userId, state }: UploaderStanding): UploaderEvent[] {
  switch (command.type) {
    case 'AskVerification':
      if (state === 'asked' || state === 'verified') return [];
      return [{ type: 'VerificationAsked', data: { userId: command.userId } }];
    case 'GrantVerification':
      if (state === 'verified') return [];
      // Without an open request, nothing is granted, so that an admin's mistyped id cannot verify an account.
      if (state !== 'asked') throw new Rejected('not-asked');
      return [{ type: 'VerificationGranted', data: { userId } }];
    case 'DeclineVerification':
      return state === 'asked' || state === 'verified' ? [{ type: 'VerificationDeclined', data: { userId } }] : [];
  }
}

const STATES = {
  VerificationAsked: 'asked',
  VerificationGranted: 'verified',
  VerificationDeclined: 'declined',
} as const satisfies Record<UploaderEvent['type'], UploaderStanding['state']>;

const evolve = (_state: UploaderStanding, { type, data }: UploaderEvent): UploaderStanding => ({
  userId: data.userId,
  state: STATES[type],
});

export const uploader: Decider<UploaderStanding, UploaderCommand, UploaderEvent> = { initial, decide, evolve };
