import { expect, test } from 'vitest';
import type { AuditKind } from '@beltway/contracts/identity/audit';
import { scenarios } from '@beltway/event-store/testing';
import { audit } from './decider.ts';
import type { AuditCommand, AuditEvent } from './events.ts';

const given = scenarios(audit);
const data = (kind: AuditKind, accountId = 1) => ({ accountId, kind, subject: 'a-letter', note: '' });
const act = (...of: Parameters<typeof data>): AuditCommand => ({ type: 'RecordAction', ...data(...of) });
const acted = (...of: Parameters<typeof data>): AuditEvent => ({ type: 'AdminActed', data: data(...of) });

test('an action of an admin is recorded', () =>
  given().when(act('dead-letter-replayed')).yields(acted('dead-letter-replayed')));

test('each view is recorded, even after the dead letter was settled', () =>
  given(acted('dead-letter-looked-at'), acted('dead-letter-discarded'))
    .when(act('dead-letter-looked-at'))
    .yields(acted('dead-letter-looked-at')));

test('when two admins replay a dead letter, only the first is recorded', () =>
  given(acted('dead-letter-replayed')).when(act('dead-letter-replayed', 2)).yields());

test('a discarded dead letter cannot be replayed', () =>
  given(acted('dead-letter-discarded')).when(act('dead-letter-replayed')).rejects('already-discarded'));

test('a replayed dead letter cannot be discarded, even after a view', () =>
  given(acted('dead-letter-replayed'), acted('dead-letter-looked-at'))
    .when(act('dead-letter-discarded'))
    .rejects('already-replayed'));

test('a refusal reports how the dead letter was already settled', () => {
  const refusal = (before: AuditKind, now: AuditKind) => () =>
    audit.decide(act(now), audit.evolve(audit.initial(), acted(before)));
  expect(refusal('dead-letter-discarded', 'dead-letter-replayed')).toThrow('This dead letter was already discarded.');
  expect(refusal('dead-letter-replayed', 'dead-letter-discarded')).toThrow('This dead letter was already replayed.');
});
