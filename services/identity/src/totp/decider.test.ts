import { test } from 'vitest';
import { scenarios } from '@beltway/event-store/testing';
import { totp } from './decider.ts';
import type { Proof, TotpCommand, TotpEvent } from './events.ts';

const given = scenarios(totp);
const secretId = 'b7d1c7a2-6a55-4c7e-9d61-6a4a0c5b0f01';
const other = 'b7d1c7a2-6a55-4c7e-9d61-6a4a0c5b0f02';

const turnOn = (id = secretId): TotpCommand => ({ type: 'TurnOn', secretId: id, step: 100, recoveryCodes: 10 });
const turnedOn = (id = secretId): TotpEvent => ({
  type: 'TotpTurnedOn',
  data: { secretId: id, step: 100, recoveryCodes: 10 },
});
const uses = (proof: Proof): TotpCommand => ({ type: 'UseCode', proof });
const used = (step: number): TotpEvent => ({ type: 'TotpCodeUsed', data: { secretId, step } });
const recovered = (number: number): TotpEvent => ({ type: 'RecoveryCodeUsed', data: { secretId, number } });
const turnedOff: TotpEvent = { type: 'TotpTurnedOff', data: { secretId, by: 'code', adminId: null } };

test('codes are turned on once', () => {
  given().when(turnOn()).yields(turnedOn());
  given(turnedOn()).when(turnOn(other)).rejects('totp-on');
  given(turnedOn(), turnedOff).when(turnOn(other)).yields(turnedOn(other));
});

test('a code works once and makes earlier codes invalid, including the code that turned codes on', () => {
  given(turnedOn())
    .when(uses({ secretId, step: 101 }))
    .yields(used(101));
  given(turnedOn())
    .when(uses({ secretId, step: 100 }))
    .rejects('code-used');
  given(turnedOn(), used(102))
    .when(uses({ secretId, step: 102 }))
    .rejects('code-used');
  given(turnedOn(), used(102))
    .when(uses({ secretId, step: 101 }))
    .rejects('code-used');
});

test('a recovery code works once, independently of codes', () => {
  given(turnedOn())
    .when(uses({ secretId, number: 3 }))
    .yields(recovered(3));
  given(turnedOn(), recovered(3))
    .when(uses({ secretId, number: 3 }))
    .rejects('code-used');
  given(turnedOn(), recovered(3), used(101))
    .when(uses({ secretId, number: 4 }))
    .yields(recovered(4));
});

test('codes of an app that was turned off are refused', () => {
  given()
    .when(uses({ secretId, step: 101 }))
    .rejects('totp-off');
  given(turnedOn(), turnedOff)
    .when(uses({ secretId, step: 101 }))
    .rejects('totp-off');
  given(turnedOn(), turnedOff, turnedOn(other))
    .when(uses({ secretId, number: 1 }))
    .rejects('totp-off');
});

test('an unused code, a recovery code or an admin turns codes off', () => {
  given(turnedOn())
    .when({ type: 'TurnOff', proof: { secretId, step: 101 } })
    .yields(turnedOff);
  given(turnedOn(), used(101))
    .when({ type: 'TurnOff', proof: { secretId, step: 101 } })
    .rejects('code-used');
  given(turnedOn())
    .when({ type: 'TurnOff', proof: { secretId, number: 0 } })
    .yields({ type: 'TotpTurnedOff', data: { secretId, by: 'recovery-code', adminId: null } });
  given(turnedOn())
    .when({ type: 'TakeOff', adminId: 7 })
    .yields({ type: 'TotpTurnedOff', data: { secretId, by: 'admin', adminId: 7 } });
  given().when({ type: 'TakeOff', adminId: 7 }).yields();
});

test('used recovery codes of an earlier app do not count for the next app', () => {
  given(turnedOn(), recovered(3), turnedOff, turnedOn(other))
    .when(uses({ secretId: other, number: 3 }))
    .yields({ type: 'RecoveryCodeUsed', data: { secretId: other, number: 3 } });
});
