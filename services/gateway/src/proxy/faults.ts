import { faultCode, wasTooLate, wasNotReached } from '@beltway/kit/connection-faults';
import { HttpProblem, unavailable } from '@beltway/kit/problems';

/** The gateway's own error when a service is silent for too long. */
export const timedOut = (): Error => Object.assign(new Error('no answer in time'), { code: 'ETIMEDOUT' });

export const codeOf = (error: Error): string => faultCode(error);

/** What a caller is told when a service does not answer. */
export function problemOf(error: Error): HttpProblem {
  if (wasNotReached(codeOf(error)))
    return unavailable('A part of Beltway does not answer right now. Nothing was lost; please try again.', 1);
  if (wasTooLate(codeOf(error)))
    return new HttpProblem(504, 'timeout', 'A part of Beltway took too long to answer. Please try again.', {
      retryAfter: 2,
    });
  return unavailable(
    'A part of Beltway broke off while answering. It is safe to try again with the same Idempotency-Key.',
    1,
  );
}
