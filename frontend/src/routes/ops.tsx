import { useSearchParams } from 'react-router-dom';
import { Accounts } from '../features/ops/accounts.tsx';
import { Audit } from '../features/ops/audit.tsx';
import { DeadLetters } from '../features/ops/dead-letters.tsx';
import { History } from '../features/ops/history.tsx';
import { Invariants } from '../features/ops/invariants.tsx';
import { Services } from '../features/ops/services.tsx';
import { useIsAdmin } from '../layout/account.ts';
import { AdminsOnly } from '../layout/admins-only.tsx';
import { usePageTitle } from '../lib/page-title.ts';
import { Tabs } from '../ui/tabs.tsx';

const TABS = [
  { value: 'services', label: 'Services', content: <Services /> },
  { value: 'dead-letters', label: 'Dead letters', content: <DeadLetters /> },
  { value: 'invariants', label: 'Invariants', content: <Invariants /> },
  { value: 'history', label: 'History', content: <History /> },
  { value: 'accounts', label: 'Accounts', content: <Accounts /> },
  { value: 'audit', label: 'Audit', content: <Audit /> },
];

/** What runs, what failed, and what became of an order; for admins (docs/product.md#operations). */
export function Component() {
  usePageTitle('Operations');
  return useIsAdmin() ? <Operations /> : <AdminsOnly>What runs here, and what failed, is for admins.</AdminsOnly>;
}

function Operations() {
  const [params, setParams] = useSearchParams();
  const tab = TABS.find(({ value }) => value === params.get('tab'))?.value ?? 'services';
  const choose = (value: string) =>
    setParams(value === 'services' ? {} : { tab: value }, { replace: true, preventScrollReset: true });
  return (
    <div className="page grid grid-cols-1 gap-6 py-6 lg:py-10">
      <header>
        <h1 className="text-heading">Operations</h1>
        <p className="mt-1 text-ink-soft">What runs, what failed, and what became of an order.</p>
      </header>
      <Tabs label="Operations" value={tab} onValueChange={choose} tabs={TABS} />
    </div>
  );
}
