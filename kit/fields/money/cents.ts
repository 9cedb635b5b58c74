import { formatScaledDecimal, parseScaledDecimal } from '../field-kind.ts'

/** Cents as the wire and the screen write them: 1250 is "12.50". Both sides use it; money is cents everywhere else. */
export const formatYuan = (cents: number): string => formatScaledDecimal(cents, 2)

/** What somebody gave for an amount, "12.50", in cents; undefined when it is none. */
export const parseYuanToCents = (given: unknown): number | undefined => parseScaledDecimal(given, 2)

/** An amount of the wire in cents; one that is not there counts nothing. */
export const wireYuanToCents = (wire: unknown): number => parseYuanToCents(wire) ?? 0

/** In as few signs as say it all: "12.50", but "12". */
export const formatYuanShort = (cents: number): string => (cents % 100 ? formatYuan(cents) : String(cents / 100))
