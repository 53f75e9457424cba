import { faultCode, wasTooLate, wasNotReached } from '@beltway/kit/connection-faults';
import { HttpProblem, unavailable } from '@beltway/kit/problems';

/** The gateway's own error for a service that does not respond in time. */
export const timedOut = (): Error => Object.assign(new Error('no answer in time'), { code: 'ETIMEDOUT' });

export const codeOf = (error: Error): string => faultCode(error);

/** The problem that the caller gets when a service does not respond. */
export function problemOf(error: Error): HttpProblem {
  if (wasNotReached(codeOf(error))) return unavailable('part-away', 1);
  if (wasTooLate(codeOf(error)))
    return new HttpProblem(504, 'timeout', {
      retryAfter: 2,
    });
  return unavailable('broke-off', 1);
}
