import { useState } from 'react';
import { AppealForm } from '../features/moderation/appeal-form.tsx';
import { useLinkToken } from '../lib/link-token.ts';
import { usePageTitle } from '../lib/page-title.ts';
import { ButtonLink } from '../ui/button.tsx';

/** Where the link of a mail about a decision leads: its author asks for another look, signed in or not. */
export function Component() {
  usePageTitle('Ask for another look');
  const { token: link, forget } = useLinkToken('beltway.appeal');
  const [isAppealed, setAppealed] = useState(false);
  const [caseId, token] = link?.split('~') ?? [];
  const appealed = () => {
    forget();
    setAppealed(true);
  };
  return (
    <div className="page grid max-w-xl gap-5 py-8 lg:py-12">
      <h1 className="text-heading">{isAppealed ? 'We look at it again' : 'Ask for another look'}</h1>
      {isAppealed ? (
        <p role="status">Somebody else decides, where there is one, and we write to you.</p>
      ) : caseId && token ? (
        <>
          <p className="text-ink-soft">You can do this once, within 30 days.</p>
          <AppealForm key={link} caseId={caseId} token={token} onAppealed={appealed} />
        </>
      ) : (
        <>
          <p>Open the link in the mail that we sent you, or sign in to see what was decided.</p>
          <ButtonLink className="justify-self-start" to="/moderation/mine">
            Decisions about yours
          </ButtonLink>
        </>
      )}
    </div>
  );
}
