import { classifyExternalFailure, isUnsentRequestError } from '#kit/server/request/egress.ts'
import { OutboundCallError } from '#kit/server/outbox/index.ts'
import { postExternalJson } from '#kit/server/request/external-request.ts'
import { equalsInConstantTime } from '#kit/server/security/index.ts'
import type { PRINTER_VENDORS, PrinterState } from './dictionaries.ts'
import type { LabelSize, LaidOutPrintPart } from './receipt.ts'

export type PrinterVendorName = (typeof PRINTER_VENDORS)[number]['key']

/** Account at a printer vendor, decrypted. */
export type PrinterVendorAccount = {
  user: string
  secret: string
  endpoint?: string
  mayBeInside: boolean
  /** Where the vendor reports to, if a callback is set up. */
  callback?: { url: string; flag: number; key: string }
  /** Stores the access token until it expires, for vendors that issue one. */
  token: { read: () => Promise<string>; write: (token: string) => Promise<void> }
}

type MakerPrinter = { sn: string; key: string; name: string }

/** The vendor's answer: done, or refused with its reason. */
export type PrinterVendorResult = { isDone: true } | { isDone: false; reason: string }
type PrinterVendorPrintResult = { isDone: true; makerNo: string } | { isDone: false; reason: string }

type PrintAsk = {
  sn: string
  pieces: readonly LaidOutPrintPart[]
  copies: number
  /** The label size, for a label printer. */
  label?: LabelSize
  /** Our number for the job, the same at each attempt. */
  number: string
  expiresAt: Date
}

/** A vendor's verified report: the job or printer it is about. */
type Report = { makerNo?: string; sn?: string }

/** Client of a vendor's API. All calls throw `PrinterVendorUnreachableError` when there is no clear answer. */
export type PrinterVendor = {
  /** Whether the vendor prints a number once however often it is sent, for longer than a job's lifetime. */
  remembersNumbers: boolean
  add: (account: PrinterVendorAccount, printer: MakerPrinter) => Promise<PrinterVendorResult>
  rename: (account: PrinterVendorAccount, printer: MakerPrinter) => Promise<PrinterVendorResult>
  remove: (account: PrinterVendorAccount, sn: string) => Promise<PrinterVendorResult>
  print: (account: PrinterVendorAccount, ask: PrintAsk) => Promise<PrinterVendorPrintResult>
  isPrinted: (account: PrinterVendorAccount, sn: string, makerNo: string) => Promise<boolean>
  /** Cancels a job that has not been printed, for vendors where jobs do not expire. */
  cancel?: (account: PrinterVendorAccount, sn: string, makerNo: string) => Promise<void>
  /** Returns the printers' states, without those the vendor does not report. */
  states: (account: PrinterVendorAccount, sns: readonly string[]) => Promise<ReadonlyMap<string, PrinterState>>
  /** Verifies a report. Returns undefined when its signature is invalid. */
  reportOf: (account: PrinterVendorAccount, given: Record<string, string>) => Report | undefined
  /** The response the vendor expects to a report. */
  thanks: string
}

/** Thrown when the vendor gave no clear answer. The request may have been executed unless `isUndone`. */
export class PrinterVendorUnreachableError extends OutboundCallError {
  readonly failure: 'timeout' | 'unreachable'
  constructor(cause: unknown) {
    const message = `the maker of the printer did not answer: ${(cause as Error).message}`
    super(message, { isUndone: isUnsentRequestError(cause), isRetryable: true, cause })
    this.failure = classifyExternalFailure(cause)
  }
}

const TIMEOUT_MS = 8000
/** Largest content in bytes that Feie and Xpyun accept. */
const CONTENT_BYTES = 5000

export const isPrintContentTooLong = (content: string): boolean => Buffer.byteLength(content) > CONTENT_BYTES
export const PRINT_TOO_LONG_RESULT = { isDone: false, reason: `> ${CONTENT_BYTES} bytes` } as const

const FORM = 'application/x-www-form-urlencoded'
const JSON_TYPE = 'application/json'

export type PrinterVendorAnswer = Record<string, any>

async function postToVendor(
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
): Promise<PrinterVendorAnswer> => postToVendor(account, url, FORM, new URLSearchParams(fields).toString())

export const postPrinterVendorJson = (
  account: PrinterVendorAccount,
  url: string,
  body: object,
): Promise<PrinterVendorAnswer> => postToVendor(account, url, `${JSON_TYPE};charset=UTF-8`, JSON.stringify(body))

/** Removes slashes at the end. A loop, as a regular expression would take quadratic time. */
function withoutEnd(address: string): string {
  let end = address.length
  while (address[end - 1] === '/') end--
  return address.slice(0, end)
}

/** Address of a vendor call: `path` below the account's endpoint if it has one, else below the vendor's default. */
export const printerVendorUrl = ({ endpoint }: PrinterVendorAccount, own: string, path = ''): string =>
  `${withoutEnd(endpoint || own)}${path}`

export const nowSeconds = (): string => String(Math.floor(Date.now() / 1000))

export const isSameSignatureText = (given: string | undefined, right: string): boolean =>
  given !== undefined && equalsInConstantTime(given, right)
