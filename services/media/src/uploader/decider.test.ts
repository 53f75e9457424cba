import { test } from 'vitest';
import { scenarios } from '@beltway/event-store/testing';
import { uploader } from './decider.ts';
import type { UploaderEvent } from './events.ts';

const given = scenarios(uploader);
const asked: UploaderEvent = { type: 'VerificationAsked', data: { userId: 7 } };
const granted: UploaderEvent = { type: 'VerificationGranted', data: { userId: 7 } };
const declined: UploaderEvent = { type: 'VerificationDeclined', data: { userId: 7 } };

test('a business requests verification once, and again after it was declined', () => {
  given().when({ type: 'AskVerification', userId: 7 }).yields(asked);
  given(asked).when({ type: 'AskVerification', userId: 7 }).yields();
  given(asked, granted).when({ type: 'AskVerification', userId: 7 }).yields();
  given(asked, declined).when({ type: 'AskVerification', userId: 7 }).yields(asked);
});

test('an admin grants a request, and can revoke it', () => {
  given(asked).when({ type: 'GrantVerification' }).yields(granted);
  given(asked, granted).when({ type: 'GrantVerification' }).yields();
  given(asked).when({ type: 'DeclineVerification' }).yields(declined);
  given(asked, granted).when({ type: 'DeclineVerification' }).yields(declined);
  given(asked, declined).when({ type: 'DeclineVerification' }).yields();
  given().when({ type: 'DeclineVerification' }).yields();
  given().when({ type: 'GrantVerification' }).rejects('not-asked');
  given(asked, declined).when({ type: 'GrantVerification' }).rejects('not-asked');
});
