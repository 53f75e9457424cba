import type { ContentKind } from '@beltway/contracts/moderation';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { queueQuery, type CaseState } from '../features/moderation/api.ts';
import { CaseCard } from '../features/moderation/case-card.tsx';
import { KINDS } from '../features/moderation/words.ts';
import { AdminsOnly } from '../layout/admins-only.tsx';
import { isForbidden } from '../lib/http.ts';
import { usePageTitle } from '../lib/page-title.ts';
import { PagedList } from '../lib/paged-list.tsx';
import { Field, Select } from '../ui/field.tsx';
import { EmptyState } from '../ui/states.tsx';

const NOTHING: Record<CaseState, [title: string, text: string]> = {
  open: ['Nothing is reported', 'What people report is listed here until somebody decides.'],
  appealed: ['No appeal waits', 'What authors want to be looked at again is listed here.'],
  acted: ['Nothing is decided', 'What was decided is listed here, and can be changed.'],
};

/** The queue of all that was reported; for admins (docs/product.md#moderation). */
export function Component() {
  usePageTitle('Reports');
  const [state, setState] = useState<CaseState>('open');
  const [kind, setKind] = useState<ContentKind | ''>('');
  const heading = useRef<HTMLHeadingElement>(null);
  const found = useInfiniteQuery(queueQuery(state, kind));
  if (isForbidden(found.error)) return <AdminsOnly>Admins decide about what was reported.</AdminsOnly>;
  const cases = found.data?.pages.flatMap(({ items }) => items);
  const [title, text] = NOTHING[state];
  return (
    <div className="page grid grid-cols-1 gap-6 py-6 lg:py-10">
      <header className="flex flex-wrap items-end justify-between gap-4">
        <h1 ref={heading} tabIndex={-1} className="text-heading outline-none">
          Reports
        </h1>
        <div className="flex flex-wrap gap-3">
          <Field label="Show">
            <Select value={state} onChange={({ target }) => setState(target.value as CaseState)}>
              <option value="open">Reported</option>
              <option value="appealed">Appealed</option>
              <option value="acted">Decided</option>
            </Select>
          </Field>
          <Field label="Of">
            <Select value={kind} onChange={({ target }) => setKind(target.value as ContentKind | '')}>
              <option value="">Everything</option>
              {Object.entries(KINDS).map(([value, name]) => (
                <option key={value} value={value}>
                  {name}
                </option>
              ))}
            </Select>
          </Field>
        </div>
      </header>
      <PagedList
        found={found}
        items={cases}
        what="reports"
        skeleton={{ className: 'h-56', of: 'cards' }}
        empty={<EmptyState title={title}>{text}</EmptyState>}
      >
        {(listed) => (
          <ul className="grid gap-4">
            {listed.map((one) => (
              <li key={one.id}>
                <CaseCard found={one} onDone={() => heading.current?.focus()} />
              </li>
            ))}
          </ul>
        )}
      </PagedList>
    </div>
  );
}
