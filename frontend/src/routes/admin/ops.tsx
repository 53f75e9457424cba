import { useSearchParams } from 'react-router-dom';
import { Accounts } from '../../features/ops/accounts.tsx';
import { Audit } from '../../features/ops/audit.tsx';
import { DeadLetters } from '../../features/ops/dead-letters.tsx';
import { History } from '../../features/ops/history.tsx';
import { Invariants } from '../../features/ops/invariants.tsx';
import { Jobs } from '../../features/ops/jobs.tsx';
import { Services } from '../../features/ops/services.tsx';
import { texts } from '../../features/ops/texts.en.ts';
import { useIsAdmin } from '../../layout/account.ts';
import { AdminsOnly } from '../../layout/admins-only.tsx';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { usePageTitle } from '../../lib/navigation/page-title.ts';
import { Page } from '../../ui/page.tsx';
import { Tabs } from '../../ui/tabs.tsx';

const TABS = [
  { value: 'services', label: 'services', content: <Services /> },
  { value: 'dead-letters', label: 'letters', content: <DeadLetters /> },
  { value: 'jobs', label: 'jobs', content: <Jobs /> },
  { value: 'invariants', label: 'invariants', content: <Invariants /> },
  { value: 'history', label: 'history', content: <History /> },
  { value: 'accounts', label: 'accounts', content: <Accounts /> },
  { value: 'audit', label: 'audit', content: <Audit /> },
] as const;

/** Instances, failures and the history of an order, for admins (services/gateway/PRODUCT.md#operations). */
export function Component() {
  const t = useTexts(texts);
  usePageTitle(t('operations'));
  return useIsAdmin() ? <Operations /> : <AdminsOnly>{t('forAdmins')}</AdminsOnly>;
}

function Operations() {
  const t = useTexts(texts);
  const [params, setParams] = useSearchParams();
  const tab = TABS.find(({ value }) => value === params.get('tab'))?.value ?? 'services';
  const choose = (value: string) =>
    setParams(value === 'services' ? {} : { tab: value }, { replace: true, preventScrollReset: true });
  return (
    <Page title={t('operations')} intro={t('whatRuns')}>
      <Tabs
        label={t('operations')}
        value={tab}
        onValueChange={choose}
        tabs={TABS.map((one) => ({ ...one, label: t(one.label) }))}
      />
    </Page>
  );
}
