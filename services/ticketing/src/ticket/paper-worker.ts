// Runs as a separate process, because drawing takes many milliseconds, and in the service's process it would delay the
// event loop, which decides holds.
import { answerJobs } from '@beltway/kit/answer-jobs';
import { perform } from './paper-jobs.ts';

answerJobs(perform);
