import { expect, test } from 'vitest';
import type { AuditKind } from '@beltway/contracts/identity/audit';
import { scenarios } from '@beltway/event-store/testing';
import { audit } from './decider.ts';
import type { AuditCommand, AuditEvent } from './events.ts';

const given = scenarios(audit);
const data = (kind: AuditKind, accountId = 1) => ({ accountId, kind, subject: 'a-letter', note: '' });
const act = (...of: Parameters<typeof data>): AuditCommand => ({ type: 'RecordAction', ...data(...of) });
const acted = (...of: Parameters<typeof data>): AuditEvent => ({ type: 'AdminActed', data: data(...of) });

test('what an admin does is recorded', () =>
  given().when(act('dead-letter-replayed')).yields(acted('dead-letter-replayed')));

test('each look is recorded, also of what was settled', () =>
  given(acted('dead-letter-looked-at'), acted('dead-letter-discarded'))
    .when(act('dead-letter-looked-at'))
    .yields(acted('dead-letter-looked-at')));

test('of two who replay a letter the first is recorded', () =>
  given(acted('dead-letter-replayed')).when(act('dead-letter-replayed', 2)).yields());

test('a discarded letter is not replayed', () =>
  given(acted('dead-letter-discarded')).when(act('dead-letter-replayed')).rejects('already-discarded'));

test('a replayed letter is not discarded, also after a look', () =>
  given(acted('dead-letter-replayed'), acted('dead-letter-looked-at'))
    .when(act('dead-letter-discarded'))
    .rejects('already-replayed'));

test('a refusal says what became of the letter', () => {
  const refusal = (before: AuditKind, now: AuditKind) => () =>
    audit.decide(act(now), audit.evolve(audit.initial(), acted(before)));
  expect(refusal('dead-letter-discarded', 'dead-letter-replayed')).toThrow('This dead letter was discarded already.');
  expect(refusal('dead-letter-replayed', 'dead-letter-discarded')).toThrow('This dead letter was replayed already.');
});
