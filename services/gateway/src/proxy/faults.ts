import { faultCode, wasTooLate, wasNotReached } from '@beltway/kit/connection-faults';
import { HttpProblem, unavailable } from '@beltway/kit/problems';

/** The gateway's own error when a service is silent for too long. */
export const timedOut = (): Error => Object.assign(new Error('no answer in time'), { code: 'ETIMEDOUT' });

export const codeOf = (error: Error): string => faultCode(error);

/** What a caller is told when a service does not answer. */
export function problemOf(error: Error): HttpProblem {
  if (wasNotReached(codeOf(error))) return unavailable('part-away', 1);
  if (wasTooLate(codeOf(error)))
    return new HttpProblem(504, 'timeout', {
      retryAfter: 2,
    });
  return unavailable('broke-off', 1);
}
