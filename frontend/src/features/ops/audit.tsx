import { AuditKind, type AuditEntry } from '@beltway/contracts/audit';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { formatMoment } from '../../lib/format.ts';
import { PagedList } from '../../lib/paged-list.tsx';
import { Field, Select } from '../../ui/field.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { auditQuery } from './api.ts';

const KINDS: Record<AuditKind, string> = {
  'dead-letter-replayed': 'Replayed a dead letter',
  'dead-letter-discarded': 'Discarded a dead letter',
  'dead-letter-looked-at': 'Looked at a dead letter',
  'invariants-checked': 'Checked the invariants',
  searched: 'Searched',
  'timeline-looked-at': 'Looked at a history',
  moderated: 'Decided what was reported',
  'appeal-decided': 'Decided an appeal',
  'totp-taken-off': 'Turned off codes at sign-in',
};

/** Kinds whose subject is one of many. */
const WITHOUT_SUBJECT: readonly AuditKind[] = ['searched', 'invariants-checked'];

/** What admins did on this page; nobody can change it. */
export function Audit() {
  const [account, setAccount] = useState('');
  const [kind, setKind] = useState<AuditKind | ''>('');
  const found = useInfiniteQuery(auditQuery(account, kind));
  const people = found.data?.pages[0]?.people ?? [];
  const isFiltered = account !== '' || kind !== '';
  return (
    <div className="grid grid-cols-1 gap-5">
      <div className="flex flex-wrap items-end justify-between gap-4">
        <div>
          <h2 className="text-title">Audit</h2>
          <p className="mt-1 text-ink-soft">What admins did on this page. Nobody can change it.</p>
        </div>
        <div className="flex flex-wrap gap-3 max-sm:w-full max-sm:*:flex-1">
          <Field label="Person">
            <Select value={account} onChange={({ target }) => setAccount(target.value)}>
              <option value="">Everybody</option>
              {people.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name} ({id})
                </option>
              ))}
              {/* While the list of the next filter is asked for. */}
              {account !== '' && !people.some(({ id }) => String(id) === account) && (
                <option value={account}>Account {account}</option>
              )}
            </Select>
          </Field>
          <Field label="Kind">
            <Select value={kind} onChange={({ target }) => setKind(target.value as AuditKind | '')}>
              <option value="">Everything</option>
              {AuditKind.options.map((one) => (
                <option key={one} value={one}>
                  {KINDS[one]}
                </option>
              ))}
            </Select>
          </Field>
        </div>
      </div>
      <PagedList
        found={found}
        items={found.data?.pages.flatMap(({ items }) => items)}
        what="entries"
        skeleton={{ className: 'h-16', of: 'rows' }}
        empty={
          <EmptyState title={isFiltered ? 'Nothing of this kind' : 'Nothing was done yet'}>
            What an admin replays, discards, checks or looks up here is listed with name and time.
          </EmptyState>
        }
      >
        {(entries) => (
          <ul className="grid grid-cols-1 gap-2">
            {entries.map((entry, index) => (
              <Entry key={`${entry.at} ${index}`} {...entry} />
            ))}
          </ul>
        )}
      </PagedList>
    </div>
  );
}

const Entry = ({ at, accountId, name, kind, subject, note }: AuditEntry) => (
  <li className="grid gap-x-4 gap-y-0.5 rounded-md border border-line bg-surface px-4 py-3 sm:grid-cols-[11.5rem_1fr]">
    <time dateTime={at} className="tabular text-note text-ink-soft sm:pt-0.5">
      {formatMoment(at)}
    </time>
    <div className="min-w-0 [overflow-wrap:anywhere]">
      <p>
        <span className="font-strong">{KINDS[kind]}</span>
        {note && <>: {note}</>}
      </p>
      <p className="tabular text-note text-ink-soft">
        <bdi>{name ?? 'An account that is gone'}</bdi> ({accountId})
        {!WITHOUT_SUBJECT.includes(kind) && <>, {subject}</>}
      </p>
    </div>
  </li>
);
