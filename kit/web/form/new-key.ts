/**
 * A key nobody else has: sent again with a request, it says that this is the same request. Not `randomUUID`, which
 * browsers keep from pages that came without TLS, as in a shop's own network.
 */
export const createIdempotencyKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
