const NEXT_NO = /_(\d{1,3})$/

/** A number the platform has closed is used up: the same money goes again under the next one. */
export const nextRefundNo = (no: string): string =>
  `${no.replace(NEXT_NO, '')}_${Number(NEXT_NO.exec(no)?.[1] ?? 1) + 1}`
