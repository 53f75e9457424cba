/**
 * Re-exports the functions that we use, so that the library's chunk has the name of this file, `webauthn`. Otherwise
 * the chunk would be named `esm`, like the socket's chunk.
 */
export { startAuthentication, startRegistration, WebAuthnAbortService } from '@simplewebauthn/browser';
