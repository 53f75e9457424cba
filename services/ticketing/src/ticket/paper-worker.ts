// A process of its own for what takes many milliseconds to draw: the event loop of the service decides holds.
import { answerJobs } from '@beltway/kit/answer-jobs';
import { perform } from './paper-jobs.ts';

answerJobs(perform);
