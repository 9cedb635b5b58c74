const NEXT_NO = /_(\d{1,3})$/

/** Returns the next number of a refund whose number the platform has closed, as that cannot be used again. */
export const refundNoAfter = (no: string): string =>
  `${no.replace(NEXT_NO, '')}_${Number(NEXT_NO.exec(no)?.[1] ?? 1) + 1}`
