import { AuditKind, type AuditEntry } from '@beltway/contracts/identity/audit';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { formatMoment } from '../../lib/i18n/format.ts';
import { PagedList } from '../../lib/lists/paged-list.tsx';
import { Field, Select } from '../../ui/field.tsx';
import { Meta } from '../../ui/meta.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { auditQuery } from './api.ts';
import { texts } from './texts.en.ts';

/** Kinds that have no single subject. */
const WITHOUT_SUBJECT: readonly AuditKind[] = ['searched', 'invariants-checked'];

/** Read-only list of the actions that admins took on the operations page. */
export function Audit() {
  const t = useTexts(texts);
  const [account, setAccount] = useState('');
  const [kind, setKind] = useState<AuditKind | ''>('');
  const found = useInfiniteQuery(auditQuery(account, kind));
  const people = found.data?.pages[0]?.people ?? [];
  const isFiltered = account !== '' || kind !== '';
  return (
    <div className="grid grid-cols-1 gap-5">
      <div className="flex flex-wrap items-end justify-between gap-4">
        <div>
          <h2 className="text-title">{t('audit')}</h2>
          <p className="mt-1 text-ink-soft">{t('auditWhy')}</p>
        </div>
        <div className="flex flex-wrap gap-3 max-sm:w-full max-sm:*:flex-1">
          <Field label={t('person')}>
            <Select value={account} onChange={({ target }) => setAccount(target.value)}>
              <option value="">{t('everybody')}</option>
              {people.map(({ id, name }) => (
                <option key={id} value={id}>
                  {t('nameCount', { name, count: String(id) })}
                </option>
              ))}
              {/* Keeps the selected account while the list for the next filter loads. */}
              {account !== '' && !people.some(({ id }) => String(id) === account) && (
                <option value={account}>{t('accountOf', { id: account })}</option>
              )}
            </Select>
          </Field>
          <Field label={t('kind')}>
            <Select value={kind} onChange={({ target }) => setKind(target.value as AuditKind | '')}>
              <option value="">{t('everything')}</option>
              {AuditKind.options.map((one) => (
                <option key={one} value={one}>
                  {t(one)}
                </option>
              ))}
            </Select>
          </Field>
        </div>
      </div>
      <PagedList
        found={found}
        items={found.data?.pages.flatMap(({ items }) => items)}
        what={t('entriesWhat')}
        skeleton={{ className: 'h-16', of: 'rows' }}
        empty={<EmptyState title={isFiltered ? t('noneOfKind') : t('nothingDone')}>{t('nothingDoneWhy')}</EmptyState>}
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

function Entry({ at, accountId, name, kind, subject, note }: AuditEntry) {
  const t = useTexts(texts);
  const strong = (words: ReactNode) => <span className="font-strong">{words}</span>;
  const by = {
    ...{ name: name ?? t('accountGone'), id: String(accountId) },
    bdi: (words: ReactNode) => <bdi>{words}</bdi>,
  };
  return (
    <li className="grid gap-x-4 gap-y-0.5 rounded-md border border-line bg-surface px-4 py-3 sm:grid-cols-[11.5rem_1fr]">
      <Meta as="time" dateTime={at} className="tabular sm:pt-0.5">
        {formatMoment(at)}
      </Meta>
      <div className="min-w-0 wrap-anywhere">
        <p>{note ? t.rich('kindNote', { kind: t(kind), note, strong }) : strong(t(kind))}</p>
        <Meta className="tabular">
          {WITHOUT_SUBJECT.includes(kind) ? t.rich('byWhom', by) : t.rich('byWhomOn', { ...by, subject })}
        </Meta>
      </div>
    </li>
  );
}
