/** Milliseconds for which a repeated request with the same `Idempotency-Key` gets the stored response. */
export const idempotencyTtl = 24 * 3600 * 1000
