import { useState } from 'react';
import { AppealForm } from '../../features/moderation/appeal-form.tsx';
import { texts } from '../../features/moderation/mine.texts.en.ts';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { useLinkToken } from '../../lib/navigation/link-token.ts';
import { usePageTitle } from '../../lib/navigation/page-title.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Page } from '../../ui/page.tsx';

/** The page to which a decision mail links. The author appeals there, signed in or not. */
export function Component() {
  const t = useTexts(texts);
  usePageTitle(t('ask'));
  const { token: link, forget } = useLinkToken('beltway.appeal');
  const [isAppealed, setAppealed] = useState(false);
  const [caseId, token] = link?.split('~') ?? [];
  const appealed = () => {
    forget();
    setAppealed(true);
  };
  return (
    <Page title={t(isAppealed ? 'asked' : 'ask')} width="form">
      {isAppealed ? (
        <p role="status">{t('askedWhy')}</p>
      ) : caseId && token ? (
        <>
          <p className="text-ink-soft">{t('once')}</p>
          <AppealForm key={link} caseId={caseId} token={token} onAppealed={appealed} />
        </>
      ) : (
        <>
          <p>{t('openLink')}</p>
          <ButtonLink className="justify-self-start" to="/moderation/mine">
            {t('title')}
          </ButtonLink>
        </>
      )}
    </Page>
  );
}
