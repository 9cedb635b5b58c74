/** Rows of a page, as the browser offers them; other sizes are answered too. */
export const PAGE_SIZES: readonly number[] = [10, 30, 50, 100, 200]
