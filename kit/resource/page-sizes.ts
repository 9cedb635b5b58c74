/** Page sizes the browser offers; the server also answers others. */
export const PAGE_SIZES: readonly number[] = [10, 30, 50, 100, 200]
