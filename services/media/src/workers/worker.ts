// A process of its own for strangers' pictures.
import { answerJobs } from '@beltway/kit/answer-jobs';
import { perform } from './jobs.ts';

answerJobs(perform);
