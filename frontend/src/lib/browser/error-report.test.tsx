import { ClientErrorReport } from '@beltway/contracts/ops/client-errors';
import { render, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { fakeApi, problem } from '../../testing/fake-api.ts';
import { errorReporter, watchErrors } from './error-report.ts';
import { HttpError } from '../http/http.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const REPORT = 'POST /api/client-errors';
const received = () => {
  const calls = fakeApi({ [REPORT]: '' });
  return () => calls.map(({ body }) => ClientErrorReport.parse(body));
};
/** A stack in Chromium's format, which begins with the message. */
const errorWith = (message: string, frames = ['    at pay (http://localhost:3000/assets/index-a1.js?v=2:1:20)']) =>
  Object.assign(new Error(message), { stack: [`Error: ${message}`, ...frames].join('\n') });

test('a report has message, stack, path and release', () => {
  const script = Object.assign(document.createElement('script'), { type: 'module' });
  vi.spyOn(document, 'querySelector').mockReturnValue(script);
  script.setAttribute('src', '/assets/index-a1b2.js');
  window.history.replaceState(null, '', '/ticket-success?orderId=1#key=secret-1');
  const reports = received();
  errorReporter()(errorWith('x is undefined'));
  expect(reports()).toEqual([
    {
      message: 'Error: x is undefined',
      stack: '    at pay (http://localhost:3000/assets/index-a1.js:1:20)',
      path: '/ticket-success',
      release: 'index-a1b2.js',
    },
  ]);
});

test('a report contains no email, access key, token or response body', () => {
  window.history.replaceState(null, '', '/nowhere/ann@example.com?key=secret-1');
  const reports = received();
  const report = errorReporter();
  report(
    errorWith(
      'Cannot open /ticket-success?orderId=1#key=secret-1 for Zoë.ann+x@mail.example.com, bob%40example.com, ' +
        'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiIzIn0.c2VjcmV0LTE\nsecond line for ann@example.com',
      ['pay@http://localhost:3000/assets/index-a1.js:1:20', '    at eve@example.com (x.js:1:1)'],
    ),
  );
  report(new HttpError(409, '{"email":"ann@example.com","name":"Ann Buyer"}', null, null));
  const told = JSON.stringify(reports());
  expect(told).not.toMatch(/\bann\b|zoë|bob|eve|secret-1|c2VjcmV0|Buyer/i);
  expect(reports()[0]?.stack).toContain('pay@http://localhost:3000/assets/index-a1.js:1:20');
  expect(reports()[1]?.message).toBe('HttpError 409');
});

test('huge errors, and thrown values that are not errors, fit the contract', () => {
  const reports = received();
  const report = errorReporter();
  report(errorWith('m'.repeat(10_000), Array<string>(500).fill('    at deep (http://localhost:3000/a.js:1:1)')));
  for (const thrown of [undefined, null, 'text', { a: 1 }, 42]) report(thrown);
  expect(reports()).toHaveLength(5);
  expect([reports()[0]?.message.length, reports()[0]?.stack?.length]).toEqual([500, 4_000]);
});

test('each error is reported once, at most five in total', () => {
  const reports = received();
  const report = errorReporter();
  for (let time = 0; time < 100; time++) report(errorWith('the same'));
  expect(reports()).toHaveLength(1);
  for (let time = 0; time < 100; time++) report(errorWith(`another ${time}`));
  expect(reports()).toHaveLength(5);
});

test('a report that fails or cannot be created is not reported', async () => {
  const report = vi.fn(errorReporter());
  const end = watchErrors(report);
  const calls = fakeApi({
    [REPORT]: () => {
      throw new TypeError('Failed to fetch');
    },
  });
  report(errorWith('first'));
  report({
    toString() {
      throw new Error('nothing to say');
    },
  });
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(report).toHaveBeenCalledTimes(2);
  expect(calls).toHaveLength(1);
  fakeApi({ [REPORT]: () => problem(429, 'too-many') });
  report(errorWith('second'));
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(report).toHaveBeenCalledTimes(3);
  end();
});

test('errors and rejections that reach the window are reported, except those without information', () => {
  const report = vi.fn();
  const end = watchErrors(report);
  const error = errorWith('in a timer');
  window.dispatchEvent(new ErrorEvent('error', { error, message: 'in a timer' }));
  window.dispatchEvent(new ErrorEvent('error', { message: 'Script error.' }));
  window.dispatchEvent(new ErrorEvent('error', { message: 'ResizeObserver loop completed' }));
  window.dispatchEvent(new ErrorEvent('error', { message: 'Uncaught 42' }));
  window.dispatchEvent(Object.assign(new Event('unhandledrejection'), { reason: error }));
  expect(report.mock.calls).toEqual([[error], ['Uncaught 42'], [error]]);
  end();
  window.dispatchEvent(new ErrorEvent('error', { error }));
  expect(report).toHaveBeenCalledTimes(3);
});

test('the error boundary reports what it catches', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  // Simulates a new page load, because tests in other files may have used up the reports of this page load.
  vi.resetModules();
  const { ErrorBoundary } = await import('../../layout/error-boundary.tsx');
  const reports = received();
  const Broken = () => {
    throw errorWith('broken while shown');
  };
  render(
    <ErrorBoundary>
      <Broken />
    </ErrorBoundary>,
  );
  expect(screen.getByRole('heading', { name: 'Something went wrong on this page' })).toBeTruthy();
  await waitFor(() => expect(reports().map(({ message }) => message)).toEqual(['Error: broken while shown']));
});
