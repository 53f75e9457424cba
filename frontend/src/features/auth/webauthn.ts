/** What is used of the library, in a file that the build names by what it is: the live connection's is called `esm`, too. */
export { startAuthentication, startRegistration, WebAuthnAbortService } from '@simplewebauthn/browser';
