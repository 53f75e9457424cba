export { testCollector as startCollector, type ReceivedSpan, type TestCollector } from '@beltway/tracing/testing';
