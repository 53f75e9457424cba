import type { Position } from '@beltway/places/distance';
import BellPlus from 'lucide-react/icons/bell-plus';
import { Suspense } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { useTexts } from '../../../lib/i18n/catalog.ts';
import { DIALOG_ENTRY, useDialogEntry } from '../../../lib/navigation/dialog-entry.ts';
import { lazily } from '../../../lib/loading/lazily.ts';
import { signInPath } from '../../../lib/navigation/return-path.ts';
import { useSession } from '../../../lib/session/session.ts';
import { Button } from '../../../ui/button.tsx';
import type { EventFilter } from '../filter.ts';
import { texts } from '../texts.en.ts';

const loadDialog = () => import('./save-search-dialog.tsx');
const SaveSearchDialog = lazily(async () => (await loadDialog()).SaveSearchDialog);
const ENTRY = 'save-search';

/**
 * Saves the current search, so that the user is notified of new matching events. A visitor signs in first and returns
 * to the dialog.
 */
export function SaveSearch({ filter, position }: { filter: EventFilter; position: Position | null }) {
  const t = useTexts(texts);
  const { user } = useSession();
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  const [isOpen, setOpen] = useDialogEntry(ENTRY);
  const press = () => {
    if (user) return setOpen(true);
    void navigate(signInPath(`${pathname}${search}#${ENTRY}`), { state: DIALOG_ENTRY });
  };
  return (
    <>
      <Button
        variant="quiet"
        aria-haspopup="dialog"
        className="px-3 text-note"
        onPointerEnter={() => void loadDialog()}
        onFocus={() => void loadDialog()}
        onClick={press}
      >
        <BellPlus aria-hidden className="size-4" />
        {t('saveSearch')}
      </Button>
      {isOpen && user && (
        <Suspense fallback={null}>
          <SaveSearchDialog filter={filter} position={position} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
