import { createHash } from 'node:crypto'
import { PRINTER_STATE, type PrinterState } from './dictionaries.ts'
import {
  printerVendorUrl,
  postPrinterVendorJson,
  isSameSignatureText,
  isPrintContentTooLong,
  nowSeconds,
  PRINT_TOO_LONG_RESULT,
  type PrinterVendorAnswer,
  type PrinterVendor,
  type PrinterVendorAccount,
} from './vendor.ts'
import { xpyunLabelMarkup, xpyunMarkup } from './markup.ts'
import { parseUntrustedJson } from '#kit/server/base/outside-json.ts'

const OWN = 'https://open.xpyun.net/api/openapi/xprinter'
const OK = 0
const COPIES_MAX = 5
const SILENT = 1
const WAIT_WHILE_OFFLINE = 1
const EXPIRES_MAX_S = 86_400
const STATES: Record<string, PrinterState> = {
  0: PRINTER_STATE.offline,
  1: PRINTER_STATE.ready,
  2: PRINTER_STATE.trouble,
}

const xpyunSignature = (user: string, key: string, timestamp: string): string =>
  createHash('sha1')
    .update(user + key + timestamp)
    .digest('hex')

const call = (account: PrinterVendorAccount, operation: string, fields: object): Promise<PrinterVendorAnswer> => {
  const timestamp = nowSeconds()
  const sign = xpyunSignature(account.user, account.secret, timestamp)
  return postPrinterVendorJson(account, printerVendorUrl(account, OWN, `/${operation}`), {
    user: account.user,
    timestamp,
    sign,
    debug: '0',
    ...fields,
  })
}

const toVendorResult = ({ code, msg }: PrinterVendorAnswer) =>
  code === OK ? ({ isDone: true } as const) : ({ isDone: false, reason: `${code} ${msg}` } as const)

/** Client of Xpyun (芯烨云). Xpyun has no idempotency key, so a job whose request got no answer may have been printed. */
export const xpyunPrinterVendor: PrinterVendor = {
  remembersNumbers: false,
  add: async (account, { sn, name }) => {
    const answer = await call(account, 'addPrinters', { items: [{ sn, name }] })
    if (answer.code !== OK || !answer.data?.fail?.length) return toVendorResult(answer)
    // Added before. It is ours when the account may query it.
    if (toVendorResult(await call(account, 'queryPrinterStatus', { sn })).isDone) return { isDone: true }
    return { isDone: false, reason: String(answer.data.failMsg?.[0] ?? answer.data.fail[0]) }
  },
  rename: async (account, { sn, name }) => toVendorResult(await call(account, 'updPrinter', { sn, name })),
  remove: async (account, sn) => toVendorResult(await call(account, 'delPrinters', { snlist: [sn] })),
  print: async (account, { sn, pieces, copies, label, expiresAt }) => {
    const content = label ? xpyunLabelMarkup(pieces, label) : xpyunMarkup(pieces)
    if (isPrintContentTooLong(content)) return PRINT_TOO_LONG_RESULT
    const seconds = Math.ceil((expiresAt.getTime() - Date.now()) / 1000)
    const { code, msg, data } = await call(account, label ? 'printLabel' : 'print', {
      sn,
      content,
      copies: Math.min(copies, COPIES_MAX),
      voice: SILENT,
      mode: WAIT_WHILE_OFFLINE,
      expiresIn: Math.min(EXPIRES_MAX_S, Math.max(1, seconds)),
      ...(account.callback ? { backurlFlag: account.callback.flag } : {}),
    })
    return code === OK ? { isDone: true, makerNo: String(data) } : { isDone: false, reason: `${code} ${msg}` }
  },
  isPrinted: async (account, _sn, orderId) => {
    const { code, data } = await call(account, 'queryOrderState', { orderId })
    return code === OK && data === true
  },
  states: async (account, snlist) => {
    const { code, data } = await call(account, 'queryPrintersStatus', { snlist })
    // The states are in the order of the serial numbers asked for.
    const list: unknown[] = code === OK && Array.isArray(data) ? data : []
    return new Map(
      snlist.flatMap((sn, at) => {
        const one = STATES[String(list[at])]
        return one === undefined ? [] : [[sn, one] as const]
      }),
    )
  },
  reportOf: ({ user, secret }, { timestamp = '', sign, data, orderId }) =>
    isSameSignatureText(sign, xpyunSignature(user, secret, timestamp))
      ? { makerNo: orderId ?? orderIn(data) }
      : undefined,
  thanks: 'SUCCESS',
}

function orderIn(data: string | undefined): string | undefined {
  try {
    const { orderId } = parseUntrustedJson(data ?? '{}') as { orderId?: unknown }
    return typeof orderId === 'string' ? orderId : undefined
  } catch {
    return undefined
  }
}
