import { classifyExternalFailure, isUnsentRequestError } from '#kit/server/request/egress.ts'
import { postExternalJson } from '#kit/server/request/external-request.ts'
import { isSameSecret } from '#kit/server/security/index.ts'
import type { PRINTER_VENDORS, PrinterState } from './dictionaries.ts'
import type { LabelSize, LaidOutPrintPart } from './receipt.ts'

export type PrinterVendorName = (typeof PRINTER_VENDORS)[number]['key']

/** An account at a maker as its protocol needs it. */
export type PrinterVendorAccount = {
  user: string
  secret: string
  endpoint?: string
  mayBeInside: boolean
  /** Where the maker reports to, when that is registered with it. */
  callback?: { url: string; flag: number; key: string }
  /** What the maker gave for signing in, where it gives anything; kept for as long as it is good for. */
  token: { read: () => Promise<string>; write: (token: string) => Promise<void> }
}

type MakerPrinter = { sn: string; key: string; name: string }

/** Understood by the maker: done, or refused in its own words. */
export type PrinterVendorResult = { isDone: true } | { isDone: false; reason: string }
export type PrinterVendorPrintResult = { isDone: true; makerNo: string } | { isDone: false; reason: string }

type PrintAsk = {
  sn: string
  pieces: readonly LaidOutPrintPart[]
  copies: number
  /** Where the printer prints labels of this size. */
  label?: LabelSize
  /** Our number for it, the same however often it is asked. */
  number: string
  expiresAt: Date
}

/** What a maker reports, as far as it is believed: about which of its orders or printers. */
type Report = { makerNo?: string; sn?: string }

/** A maker's protocol. All calls throw `PrinterVendorUnreachableError` when it is not clear what was understood. */
export type PrinterVendor = {
  /** Asked again under the same number it prints once, for longer than a job is worth printing. */
  remembersNumbers: boolean
  add: (account: PrinterVendorAccount, printer: MakerPrinter) => Promise<PrinterVendorResult>
  rename: (account: PrinterVendorAccount, printer: MakerPrinter) => Promise<PrinterVendorResult>
  remove: (account: PrinterVendorAccount, sn: string) => Promise<PrinterVendorResult>
  print: (account: PrinterVendorAccount, ask: PrintAsk) => Promise<PrinterVendorPrintResult>
  isPrinted: (account: PrinterVendorAccount, sn: string, makerNo: string) => Promise<boolean>
  /** Takes back what has not been printed, where the maker does not let it expire by itself. */
  cancel?: (account: PrinterVendorAccount, sn: string, makerNo: string) => Promise<void>
  /** How printers stand; one the maker says nothing of is left out. */
  states: (account: PrinterVendorAccount, sns: readonly string[]) => Promise<ReadonlyMap<string, PrinterState>>
  /** What a report says; undefined when the maker did not sign it. */
  reportOf: (account: PrinterVendorAccount, given: Record<string, string>) => Report | undefined
  /** What it wants to hear when a report was kept. */
  thanks: string
}

/** It is not known what the maker understood, unless nothing left for it. */
export class PrinterVendorUnreachableError extends Error {
  readonly isUnsent: boolean
  readonly failure: 'timeout' | 'unreachable'
  constructor(cause: unknown) {
    super(`the maker of the printer did not answer: ${(cause as Error).message}`, { cause })
    this.isUnsent = isUnsentRequestError(cause)
    this.failure = classifyExternalFailure(cause)
  }
}

const TIMEOUT_MS = 8000
/** What both Feie and Xpyun take at most. */
const CONTENT_BYTES = 5000

export const isPrintContentTooLong = (content: string): boolean => Buffer.byteLength(content) > CONTENT_BYTES
export const PRINT_TOO_LONG_RESULT = { isDone: false, reason: `> ${CONTENT_BYTES} bytes` } as const

const FORM = 'application/x-www-form-urlencoded'
const JSON_TYPE = 'application/json'

export type PrinterVendorAnswer = Record<string, any>

async function ask(
  account: PrinterVendorAccount,
  url: string,
  contentType: string,
  body: string,
): Promise<PrinterVendorAnswer> {
  try {
    return await postExternalJson({ url, body, contentType, timeoutMs: TIMEOUT_MS, mayBeInside: account.mayBeInside })
  } catch (error) {
    throw new PrinterVendorUnreachableError(error)
  }
}

export const postPrinterVendorForm = (
  account: PrinterVendorAccount,
  url: string,
  fields: Record<string, string>,
): Promise<PrinterVendorAnswer> => ask(account, url, FORM, new URLSearchParams(fields).toString())

export const postPrinterVendorJson = (
  account: PrinterVendorAccount,
  url: string,
  body: object,
): Promise<PrinterVendorAnswer> => ask(account, url, `${JSON_TYPE};charset=UTF-8`, JSON.stringify(body))

/** An address without the slashes it ends with; counted, as an expression for it takes quadratic time. */
function withoutEnd(address: string): string {
  let end = address.length
  while (address[end - 1] === '/') end--
  return address.slice(0, end)
}

/** An address below the account's endpoint, or below the maker's own. */
export const printerVendorUrl = ({ endpoint }: PrinterVendorAccount, own: string, path = ''): string =>
  `${withoutEnd(endpoint || own)}${path}`

export const nowSeconds = (): string => String(Math.floor(Date.now() / 1000))

export const isSameSignatureText = (given: string | undefined, right: string): boolean =>
  given !== undefined && isSameSecret(given, right)
