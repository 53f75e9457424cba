import { ForgotForm } from '../features/auth/forgot-form.tsx';
import { usePageTitle } from '../lib/page-title.ts';

/** Where somebody without their password asks for a link. */
export function Component() {
  usePageTitle('Forgot your password');
  return (
    <div className="page grid max-w-xl gap-5 py-8 lg:py-12">
      <h1 className="text-heading">Forgot your password?</h1>
      <p className="text-ink-soft">We send you a link by which you choose another one.</p>
      <ForgotForm />
    </div>
  );
}
