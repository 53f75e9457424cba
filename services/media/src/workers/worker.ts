// A separate process for untrusted pictures.
import { answerJobs } from '@beltway/kit/answer-jobs';
import { perform } from './jobs.ts';

answerJobs(perform);
