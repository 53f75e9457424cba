import Flag from 'lucide-react/icons/flag';
import { Suspense } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { useTexts } from '../i18n/catalog.ts';
import { lazily } from '../loading/lazily.ts';
import { useDialogEntry } from '../navigation/dialog-entry.ts';
import { signInPath } from '../navigation/return-path.ts';
import { useSession } from '../session/session.ts';
import { Button } from '../../ui/button.tsx';
import { texts } from './button.texts.en.ts';
import type { Reportable } from './report-content-dialog.tsx';

const ReportContentDialog = lazily(async () => (await import('./report-content-dialog.tsx')).ReportContentDialog);

interface ReportButtonProps {
  of: Reportable & { kind: 'event' | 'account' | 'ad' };
  /** Shows only the flag icon, for small spaces. */
  isSmall?: boolean;
  className?: string;
}

/** Opens the dialog to report an event, an account or an ad. Visitors sign in first. */
export function ReportButton({ of, isSmall = false, className = '' }: ReportButtonProps) {
  const t = useTexts(texts);
  const { user } = useSession();
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const [isOpen, setOpen] = useDialogEntry(`report-${of.kind}-${of.id}`);
  return (
    <>
      <Button
        variant="quiet"
        className={`px-3! text-note ${className}`}
        onClick={() => (user ? setOpen(true) : void navigate(signInPath(pathname + search)))}
      >
        <Flag aria-hidden className="size-4" />
        <span className={isSmall ? 'sr-only' : ''}>{t(of.kind)}</span>
      </Button>
      {isOpen && user && (
        <Suspense>
          <ReportContentDialog reported={of} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
