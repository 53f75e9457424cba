import type { Decider } from '@beltway/event-store';
import { Rejected } from '@beltway/kit/rejected';
import type { Proof, TotpCommand, TotpEvent } from './events.ts';

export interface TotpState {
  /** The secret in use. Undefined while codes are off. */
  secretId: string | undefined;
  lastStep: number;
  used: Set<number>;
}

const initial = (): TotpState => ({ secretId: undefined, lastStep: -1, used: new Set() });

/**
 * Rejects used codes. A code works once (RFC 6238, section 5.2) and makes earlier codes invalid. A recovery code works
 * once.
 */
function refuseUsed(proof: Proof, { secretId, lastStep, used }: TotpState): void {
  if (secretId !== proof.secretId) throw new Rejected('totp-off.app');
  if ('step' in proof ? proof.step <= lastStep : used.has(proof.number)) throw new Rejected('code-used');
}

function decide(command: TotpCommand, state: TotpState): TotpEvent[] {
  switch (command.type) {
    case 'TurnOn': {
      const { type: _type, ...data } = command;
      if (state.secretId !== undefined) throw new Rejected('totp-on');
      return [{ type: 'TotpTurnedOn', data }];
    }
    case 'UseCode': {
      const { proof } = command;
      refuseUsed(proof, state);
      return [
        'step' in proof
          ? { type: 'TotpCodeUsed', data: { ...proof } }
          : { type: 'RecoveryCodeUsed', data: { ...proof } },
      ];
    }
    case 'TurnOff': {
      const { proof } = command;
      refuseUsed(proof, state);
      const by = 'step' in proof ? 'code' : 'recovery-code';
      return [{ type: 'TotpTurnedOff', data: { secretId: proof.secretId, by, adminId: null } }];
    }
    case 'TakeOff':
      if (state.secretId === undefined) return [];
      return [{ type: 'TotpTurnedOff', data: { secretId: state.secretId, by: 'admin', adminId: command.adminId } }];
  }
}

function evolve(state: TotpState, { type, data }: TotpEvent): TotpState {
  switch (type) {
    case 'TotpTurnedOn':
      state.secretId = data.secretId;
      state.lastStep = data.step;
      state.used.clear();
      return state;
    case 'TotpCodeUsed':
      state.lastStep = data.step;
      return state;
    case 'RecoveryCodeUsed':
      state.used.add(data.number);
      return state;
    case 'TotpTurnedOff':
      state.secretId = undefined;
      return state;
  }
}

export const totp: Decider<TotpState, TotpCommand, TotpEvent> = { initial, decide, evolve };
