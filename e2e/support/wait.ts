export { eventually, eventuallyPasses } from '@beltway/kit/testing';
