/**
 * Returns a random idempotency key. A request repeated with the same key is executed once. Does not use `randomUUID`,
 * which browsers offer only with TLS, and a shop's own network may have none.
 */
export const createIdempotencyKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
