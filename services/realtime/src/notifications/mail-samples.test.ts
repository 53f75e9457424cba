import { checkSamples } from '@beltway/kit/testing-mail';
import { samples } from './mail-samples.ts';

checkSamples('realtime', samples);
